package io.trimtab.hbasecounting;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;

/**
 * A block cache that counts requests and delegates them to another cache. A dynamic proxy, because
 * HBase's interface has some 30 methods, and others in each version.
 */
final class CountedCache implements InvocationHandler {
  private final BlockCache real;
  private final BlockCounts counts;

  private CountedCache(BlockCache real, BlockCounts counts) {
    this.real = real;
    this.counts = counts;
  }

  /**
   * The same cache, counted; one of another kind than HBase's own two stays as it is. HBase casts
   * one with a bucket cache to its class, so that its counted form is a subclass. That does as this
   * class does, and not as another subclass: with an external cache HBase has one that puts blocks
   * into both levels and looks for them in another order.
   */
  static BlockCache of(BlockCache real, BlockCounts counts) {
    if (real.getClass() == CombinedBlockCache.class) {
      return new CountedLevels((CombinedBlockCache) real, counts);
    }
    if (!(real instanceof FirstLevelBlockCache)) {
      return real;
    }
    return (BlockCache)
        Proxy.newProxyInstance(
            CountedCache.class.getClassLoader(),
            interfaces(real.getClass()).toArray(new Class<?>[0]),
            new CountedCache(real, counts));
  }

  private static Set<Class<?>> interfaces(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      all.addAll(Set.of(c.getInterfaces()));
    }
    return all;
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    Object result;
    try {
      result = method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (method.getName().equals("getBlock")) {
      // Key, caching, repeat, update metrics; later versions have more.
      boolean repeated = (Boolean) arguments[2];
      boolean counted = (Boolean) arguments[3];
      count(counts, (BlockCacheKey) arguments[0], repeated, counted, (Cacheable) result);
    } else if (method.getName().equals("evictBlocksByHfileName")) {
      counts.forget((String) arguments[0]);
    }
    return result;
  }

  /** Counts a request of a block of data, as HBase's own statistics do: not the second look. */
  static void count(
      BlockCounts counts, BlockCacheKey key, boolean repeated, boolean counted, Cacheable found) {
    if (!repeated && counted && data(key, found)) {
      counts.add(key.getHfileName(), key.getOffset());
    }
  }

  /** A scan does not give the type of the next block; nearly always it is data. */
  private static boolean data(BlockCacheKey key, Cacheable found) {
    BlockType type = key.getBlockType();
    if (found != null) {
      type = found.getBlockType();
    }
    return type == null || type.isData();
  }
}
