package io.trimtab.cassandraplugin;

import java.lang.reflect.Field;
import org.apache.cassandra.service.StorageProxy.LocalReadRunnable;
import org.apache.cassandra.service.reads.ReadCallback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For how many answers the request of a local read waits. Cassandra asks other nodes for digests
 * after the read of its own data, so that one that runs in the request's thread would delay them.
 * No public method tells it.
 */
final class AwaitedAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(AwaitedAnswers.class);
  private static final Field HANDLER = field(LocalReadRunnable.class, "handler");
  private static final Field BLOCK_FOR = field(ReadCallback.class, "blockFor");

  private AwaitedAnswers() {}

  private static Field field(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("no reads in requests' threads: this Cassandra has no {}.{}", type, name);
      return null;
    }
  }

  /** Whether it waits for one only; false where that can't be told. */
  static boolean isOne(Runnable localRead) {
    try {
      return HANDLER != null && BLOCK_FOR != null && BLOCK_FOR.getInt(HANDLER.get(localRead)) == 1;
    } catch (IllegalAccessException e) {
      return false;
    }
  }
}
