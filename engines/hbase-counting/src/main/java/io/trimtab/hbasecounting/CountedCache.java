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
   * The same cache, counted. One that is not a first level alone stays as it is: HBase casts it to
   * its class.
   */
  static BlockCache of(BlockCache real, BlockCounts counts) {
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
      boolean first = !(Boolean) arguments[2];
      boolean counted = (Boolean) arguments[3];
      if (first && counted && data((BlockCacheKey) arguments[0], (Cacheable) result)) {
        BlockCacheKey key = (BlockCacheKey) arguments[0];
        counts.add(key.getHfileName(), key.getOffset());
      }
    } else if (method.getName().equals("evictBlocksByHfileName")) {
      counts.forget((String) arguments[0]);
    }
    return result;
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
