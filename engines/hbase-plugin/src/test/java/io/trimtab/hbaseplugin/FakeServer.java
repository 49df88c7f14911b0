package io.trimtab.hbaseplugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.regionserver.FlushRequester;
import org.apache.hadoop.hbase.regionserver.RegionServerAccounting;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hbase.thirdparty.com.google.common.collect.ArrayListMultimap;
import org.apache.hbase.thirdparty.com.google.common.collect.ListMultimap;

/**
 * A RegionServer as far as the endpoint sees it, without regions: HBase's own block cache and
 * permissions in an environment that answers nothing else.
 */
final class FakeServer {
  private static final int BLOCK_BYTES = 64 << 10;

  final Configuration configuration = new Configuration(false);
  final LruBlockCache cache = new LruBlockCache(64L << 20, BLOCK_BYTES, false);
  private BlockCache blocks = cache;
  private final RegionServerAccounting accounting;
  private AccessChecker checker;

  FakeServer(boolean authorization) throws IOException {
    configuration.setBoolean("hbase.security.authorization", authorization);
    configuration.set("hbase.rootdir", "file:/hbase");
    // There are no regions, and a thread would outlive its test.
    configuration.setBoolean(CountsSaver.KEY, false);
    Superusers.initialize(configuration);
    accounting = new RegionServerAccounting(configuration);
    checker = new AccessChecker(configuration);
  }

  /** From now on data blocks are in a bucket cache, and the others in {@link #cache}. */
  BucketCache addBucketCache(int writerQueueLength) throws IOException {
    int[] sizes = {2 << 10, 5 << 10};
    BucketCache bucket =
        new BucketCache("offheap", 8L << 20, BLOCK_BYTES, sizes, 1, writerQueueLength, null);
    add(bucket);
    return bucket;
  }

  /** As {@link #addBucketCache}, with one of the caller's. */
  void add(BucketCache bucket) {
    blocks = new CombinedBlockCache(cache, bucket);
  }

  /** From now on there is this instead of HBase's permissions; null for none. */
  void replaceChecker(AccessChecker other) {
    checker = other;
  }

  void grantGlobally(String user, Permission.Action action) throws IOException {
    refresh(PermissionStorage.ACL_TABLE_NAME, user, Permission.newBuilder(), action);
  }

  void grant(String user, TableName table, Permission.Action action) throws IOException {
    refresh(table, user, Permission.newBuilder(table), action);
  }

  private void refresh(
      TableName key, String user, Permission.Builder permission, Permission.Action action)
      throws IOException {
    ListMultimap<String, UserPermission> all = ArrayListMultimap.create();
    all.put(user, new UserPermission(user, permission.withActions(action).build()));
    checker
        .getAuthManager()
        .refreshTableCacheFromWritable(
            key, PermissionStorage.writePermissionsAsBytes(all, configuration));
  }

  RegionServerServices services() {
    return proxy(
        RegionServerServices.class,
        Map.of(
            "getConfiguration", a -> configuration,
            "getAccessChecker", a -> checker,
            "getBlockCache", a -> Optional.of(blocks),
            "getRegions", a -> List.of(),
            "getFileSystem", a -> local(),
            "getRegionServerAccounting", a -> accounting,
            "getFlushRequester", a -> proxy(FlushRequester.class, Map.of())));
  }

  private FileSystem local() {
    try {
      return FileSystem.getLocal(configuration);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What HBase hands to a coprocessor when it starts. */
  CoprocessorEnvironment<?> environment() {
    RegionServerServices services = services();
    Map<String, Function<Object[], Object>> calls =
        Map.of("getRegionServerServices", a -> services);
    return (CoprocessorEnvironment<?>)
        Proxy.newProxyInstance(
            FakeServer.class.getClassLoader(),
            new Class<?>[] {CoprocessorEnvironment.class, HasRegionServerServices.class},
            (self, method, arguments) -> calls.get(method.getName()).apply(arguments));
  }

  private static <T> T proxy(Class<T> type, Map<String, Function<Object[], Object>> calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                calls.getOrDefault(method.getName(), a -> null).apply(arguments)));
  }
}
