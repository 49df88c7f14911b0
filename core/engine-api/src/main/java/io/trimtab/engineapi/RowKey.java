package io.trimtab.engineapi;

import java.util.HexFormat;

/**
 * A row key: any bytes, in unsigned order. As the end of a range, the empty key means that the
 * range is unbounded.
 *
 * @param hex two lower-case hexadecimal digits per byte
 */
public record RowKey(String hex) implements Comparable<RowKey> {
  public static final RowKey EMPTY = new RowKey("");

  private static final HexFormat UPPER = HexFormat.of().withUpperCase();

  public static RowKey of(byte[] bytes) {
    return new RowKey(HexFormat.of().formatHex(bytes));
  }

  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  public boolean isEmpty() {
    return hex.isEmpty();
  }

  /** Hexadecimal digits sort like the bytes that they represent. */
  @Override
  public int compareTo(RowKey other) {
    return hex.compareTo(other.hex);
  }

  /** Printable ASCII unchanged, other bytes as {@code \xHH}, like in HBase's shell. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes()) {
      if (b >= ' ' && b <= '~' && b != '\\') {
        text.append((char) b);
      } else {
        text.append("\\x").append(UPPER.toHexDigits(b));
      }
    }
    return text.toString();
  }
}
