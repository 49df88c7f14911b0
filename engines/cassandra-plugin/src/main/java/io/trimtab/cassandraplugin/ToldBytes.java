package io.trimtab.cassandraplugin;

import io.trimtab.plugincore.ranking.Told;
import java.nio.ByteBuffer;

/**
 * What a replica says, as it is sent: a byte of the version, then requests that wait or run and
 * three times in µs, of four bytes each. What is longer has been written by a newer version, and
 * the rest is skipped.
 */
final class ToldBytes {
  private static final byte VERSION = 1;
  private static final int LENGTH = 1 + 4 * Integer.BYTES;
  private static final int NANOS = 1_000;

  private ToldBytes() {}

  static byte[] of(Told told) {
    return ByteBuffer.allocate(LENGTH)
        .put(VERSION)
        .putInt(told.queued)
        .putInt(micros(told.service))
        .putInt(micros(told.waited))
        .putInt(micros(told.recentService))
        .array();
  }

  /**
   * @param bytes null where a replica says nothing
   * @param told is told nothing if they can't be read
   */
  static void read(byte[] bytes, Told told) {
    told.queued = -1;
    if (bytes == null || bytes.length < LENGTH || bytes[0] < VERSION) {
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    int queued = in.getInt();
    told.service = (long) in.getInt() * NANOS;
    told.waited = (long) in.getInt() * NANOS;
    told.recentService = (long) in.getInt() * NANOS;
    boolean sound = queued >= 0 && told.service >= 0 && told.waited >= 0 && told.recentService >= 0;
    told.queued = sound ? queued : -1;
  }

  private static int micros(long nanos) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, nanos / NANOS));
  }
}
