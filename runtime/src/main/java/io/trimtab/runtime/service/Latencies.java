package io.trimtab.runtime.service;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Response times of a group of clients since its last report: an HdrHistogram of microseconds,
 * compressed (version 2 of its format) and in base64. Sizes are checked before memory is allocated
 * for them: a few bytes may claim to be gigabytes.
 */
final class Latencies {
  /** Of all requests since the last report; far from what a sum over all senders could overflow. */
  static final long REQUESTS_MAX = 1_000_000_000_000L;

  static final int DIGITS_MAX = 3;
  static final Duration HIGHEST_MAX = Duration.ofHours(2);

  private static final String NONE = "latencies is not a compressed HdrHistogram in base64";

  private static final int COMPRESSED_COOKIE = 0x1c849304;
  private static final int COOKIE = 0x1c849303;

  /** These bits of a cookie are free in version 2. */
  private static final int COOKIE_SPARE = 0xf0;

  private static final int COMPRESSED_HEAD_BYTES = 8;
  private static final int HEAD_BYTES = 40;

  /** With three digits and two hours, each count in the longest form of a number takes less. */
  private static final int BYTES_MAX = 512 << 10;

  private final byte[] compressed;

  private Latencies(byte[] compressed) {
    this.compressed = compressed;
  }

  /**
   * Takes a histogram off the wire.
   *
   * @throws IllegalArgumentException one line, where it is none, is too large or too fine
   */
  @JsonCreator
  static Latencies of(String base64) {
    Latencies latencies = new Latencies(Base64.getDecoder().decode(base64));
    Histogram histogram = latencies.histogram();
    long requests = 0;
    for (HistogramIterationValue value : histogram.allValues()) {
      requests += within("requests", value.getCountAtValueIteratedTo(), 0, REQUESTS_MAX);
      within("requests", requests, 0, REQUESTS_MAX);
    }
    return latencies;
  }

  /** Adds these response times to others. */
  void addTo(Histogram sum) {
    sum.add(histogram());
  }

  private Histogram histogram() {
    try {
      byte[] bytes = inflate();
      ByteBuffer head = ByteBuffer.wrap(bytes);
      require((head.getInt() & ~COOKIE_SPARE) == COOKIE);
      within("payload", head.getInt(), 0, bytes.length - HEAD_BYTES);
      require(head.getInt() == 0);
      within("digits", head.getInt(), 0, DIGITS_MAX);
      within("lowest value", head.getLong(), 1, Integer.MAX_VALUE);
      within("highest value", head.getLong(), 2, HIGHEST_MAX.toNanos() / 1_000);
      require(head.getDouble() == 1);
      return Histogram.decodeFromByteBuffer(ByteBuffer.wrap(bytes), 0);
    } catch (BufferUnderflowException | DataFormatException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(NONE, e);
    }
  }

  private byte[] inflate() throws DataFormatException {
    ByteBuffer head = ByteBuffer.wrap(compressed);
    require((head.getInt() & ~COOKIE_SPARE) == COMPRESSED_COOKIE);
    require(head.getInt() == compressed.length - COMPRESSED_HEAD_BYTES);
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(
          compressed, COMPRESSED_HEAD_BYTES, compressed.length - COMPRESSED_HEAD_BYTES);
      byte[] bytes = new byte[BYTES_MAX];
      int length = inflater.inflate(bytes);
      require(inflater.finished() && length >= HEAD_BYTES);
      return Arrays.copyOf(bytes, length);
    } finally {
      inflater.end();
    }
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException(NONE);
    }
  }

  private static long within(String what, long value, long low, long high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(
          "latencies: %s must be in [%d, %d], not %d".formatted(what, low, high, value));
    }
    return value;
  }
}
