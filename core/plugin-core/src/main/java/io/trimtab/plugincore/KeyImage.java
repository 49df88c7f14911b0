package io.trimtab.plugincore;

import java.util.Arrays;

/**
 * Numbers for row keys, in the keys' order: the eight bytes after a prefix that all of a
 * partition's keys share, as HBase's own splitters take them. Keys that differ only further on have
 * the same number. A number lies in the whole range of {@code long}, ordered as signed numbers are.
 */
public final class KeyImage {
  /** Below and above all keys with the prefix. */
  public static final long LOWEST = Long.MIN_VALUE;

  public static final long HIGHEST = Long.MAX_VALUE;

  private static final int WIDTH = 8;

  private final byte[] prefix;

  /**
   * @param prefix may be empty
   */
  public KeyImage(byte[] prefix) {
    this.prefix = prefix.clone();
  }

  static byte[] common(byte[] a, byte[] b) {
    int mismatch = Arrays.mismatch(a, b);
    return Arrays.copyOf(a, mismatch < 0 ? a.length : mismatch);
  }

  byte[] prefix() {
    return prefix.clone();
  }

  /** Whether a key has the prefix, so that its number is its own. */
  public boolean covers(byte[] key, int offset, int length) {
    return length >= prefix.length
        && Arrays.equals(key, offset, offset + prefix.length, prefix, 0, prefix.length);
  }

  public long image(byte[] key) {
    return image(key, 0, key.length);
  }

  /** The number of a key; of one outside the prefix, the nearest. */
  public long image(byte[] key, int offset, int length) {
    int shared = Math.min(prefix.length, length);
    int order = Arrays.compareUnsigned(key, offset, offset + shared, prefix, 0, shared);
    if (order < 0 || order == 0 && length < prefix.length) {
      return LOWEST;
    }
    if (order > 0) {
      return HIGHEST;
    }
    long image = 0;
    int from = offset + prefix.length;
    int left = length - prefix.length;
    for (int i = 0; i < WIDTH; i++) {
      image = image << 8 | (i < left ? key[from + i] & 0xFF : 0);
    }
    return image ^ Long.MIN_VALUE;
  }

  /** The shortest key with this number. */
  public byte[] key(long image) {
    long bits = image ^ Long.MIN_VALUE;
    int length = WIDTH - Math.min(WIDTH, Long.numberOfTrailingZeros(bits) / 8);
    byte[] key = Arrays.copyOf(prefix, prefix.length + length);
    for (int i = 0; i < length; i++) {
      key[prefix.length + i] = (byte) (bits >>> 8 * (WIDTH - 1 - i));
    }
    return key;
  }
}
