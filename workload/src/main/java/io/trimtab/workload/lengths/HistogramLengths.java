package io.trimtab.workload.lengths;

import io.trimtab.config.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Lengths by weight, from a file as YCSB's {@code HistogramGenerator} reads it: {@code BlockSize},
 * a tab and the bytes of a bucket; then, for each bucket from 0, its number, a tab and its weight.
 * A value in bucket <i>i</i> is <i>i</i> + 1 blocks long, but one in the last bucket is as long as
 * in the bucket before, because YCSB's are.
 */
final class HistogramLengths implements Lengths {
  private final int[] lengths;

  /** The sums of the weights up to each bucket. */
  private final long[] ends;

  private HistogramLengths(int blockSize, List<Long> weights) {
    int buckets = weights.size();
    lengths = new int[buckets];
    ends = new long[buckets];
    long sum = 0;
    for (int i = 0; i < buckets; i++) {
      sum += weights.get(i);
      boolean last = i == buckets - 1;
      lengths[i] = Math.multiplyExact(blockSize, last ? i : i + 1);
      ends[i] = sum;
    }
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException with file and line, when it is missing or of another form
   */
  static HistogramLengths read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(file + ": no such file", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": can't be read: " + FileProblem.of(e), e);
    }
    if (lines.isEmpty() || !lines.get(0).matches("BlockSize\t[1-9]\\d{0,6}\\s*")) {
      throw new IllegalArgumentException(
          file + ":1: must be BlockSize, a tab and a whole number of bytes");
    }
    var weights = new ArrayList<Long>();
    for (int line = 1; line < lines.size(); line++) {
      if (!lines.get(line).matches(weights.size() + "\t\\d{1,9}\\s*")) {
        throw new IllegalArgumentException(
            "%s:%d: must be %d, a tab and a whole weight"
                .formatted(file, line + 1, weights.size()));
      }
      weights.add(Long.parseLong(number(lines.get(line))));
    }
    if (weights.stream().mapToLong(w -> w).sum() == 0) {
      throw new IllegalArgumentException(file + ": no bucket has a weight");
    }
    try {
      return new HistogramLengths(Integer.parseInt(number(lines.get(0))), weights);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(file + ": lengths are above " + Integer.MAX_VALUE, e);
    }
  }

  private static String number(String line) {
    return line.substring(line.indexOf('\t') + 1).strip();
  }

  @Override
  public int of(double draw) {
    double weight = draw * ends[ends.length - 1];
    int bucket = 0;
    while (weight >= ends[bucket]) {
      bucket++;
    }
    return lengths[bucket];
  }

  @Override
  public double mean() {
    double sum = 0;
    long begin = 0;
    for (int i = 0; i < ends.length; i++) {
      sum += (double) (ends[i] - begin) * lengths[i];
      begin = ends[i];
    }
    return sum / begin;
  }
}
