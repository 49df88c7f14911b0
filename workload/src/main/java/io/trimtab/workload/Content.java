package io.trimtab.workload;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What a column holds: record number, field, version, filler that follows from those, and a
 * checksum over all of it. This detects foreign, torn and old values.
 */
final class Content {
  private static final int HEADER = 8 + 4 + 8;
  private static final int CHECKSUM = 4;

  /** The least length of a value. */
  static final int MIN_LENGTH = HEADER + CHECKSUM;

  /** Instead of a version: the checksum does not fit. */
  static final long BROKEN = -1;

  /** Instead of a version: another record's, or field's, value. */
  static final long FOREIGN = -2;

  private Content() {}

  static byte[] value(long number, int field, long version, int length) {
    byte[] value = new byte[length];
    ByteBuffer buffer = ByteBuffer.wrap(value);
    buffer.putLong(number).putInt(field).putLong(version);
    long state = (number + 1) * 0x9E3779B97F4A7C15L ^ version * 0xC2B2AE3D27D4EB4FL ^ field;
    while (buffer.remaining() >= CHECKSUM + Long.BYTES) {
      // xorshift64*: filler that does not compress and costs next to nothing
      state ^= state >>> 12;
      state ^= state << 25;
      state ^= state >>> 27;
      buffer.putLong(state * 0x2545F4914F6CDD1DL);
    }
    buffer.putInt(length - CHECKSUM, checksum(value, 0, length));
    return value;
  }

  /** The version of a value, {@link #BROKEN} or {@link #FOREIGN}. */
  static long version(byte[] bytes, int offset, int length, long number, int field) {
    if (length < MIN_LENGTH) {
      return BROKEN;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
    if (buffer.getInt(offset + length - CHECKSUM) != checksum(bytes, offset, length)) {
      return BROKEN;
    }
    if (buffer.getLong() != number || buffer.getInt() != field) {
      return FOREIGN;
    }
    return buffer.getLong();
  }

  /** The record number that a value says it belongs to. */
  static long number(byte[] bytes, int offset, int length) {
    return length < MIN_LENGTH ? BROKEN : ByteBuffer.wrap(bytes, offset, length).getLong();
  }

  private static int checksum(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length - CHECKSUM);
    return (int) crc.getValue();
  }
}
