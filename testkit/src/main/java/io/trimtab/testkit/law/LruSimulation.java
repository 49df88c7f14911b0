package io.trimtab.testkit.law;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A cache that drops what was used longest ago, driven by requests that are drawn. Units stand for
 * as many blocks of about the same popularity.
 */
public final class LruSimulation {
  private static final int DRAWS_PER_UNIT = 8;

  /** Hits by partition among its measured draws, and units resident at the end. */
  public record Result(double[] hitRatio, int[] resident) {}

  private LruSimulation() {}

  /**
   * Draws until the cache is warm, then as often again and counts.
   *
   * @param popularity of each unit, any scale
   * @param owner partition of each unit, from 0
   * @param partitions how many
   * @param capacity units that fit, ≥ 1
   */
  public static Result run(
      double[] popularity, int[] owner, int partitions, int capacity, SplittableRandom random) {
    int units = popularity.length;
    double[] upTo = new double[units];
    double sum = 0;
    for (int i = 0; i < units; i++) {
      sum += popularity[i];
      upTo[i] = sum;
    }
    Recency recency = new Recency(units);
    int[] asked = new int[partitions];
    int[] hit = new int[partitions];
    int warmUp = DRAWS_PER_UNIT * units;
    for (int draw = 0; draw < 2 * warmUp; draw++) {
      int at = Arrays.binarySearch(upTo, random.nextDouble() * sum);
      int unit = Math.min(units - 1, at < 0 ? -at - 1 : at);
      boolean found = recency.touch(unit, capacity);
      if (draw >= warmUp) {
        asked[owner[unit]]++;
        hit[owner[unit]] += found ? 1 : 0;
      }
    }
    double[] ratio = new double[partitions];
    int[] resident = new int[partitions];
    for (int i = 0; i < partitions; i++) {
      ratio[i] = asked[i] == 0 ? 0 : (double) hit[i] / asked[i];
    }
    for (int i = 0; i < units; i++) {
      resident[owner[i]] += recency.holds(i) ? 1 : 0;
    }
    return new Result(ratio, resident);
  }

  /** A doubly linked list in arrays, newest first; the last index is its head. */
  private static final class Recency {
    private final int[] next;
    private final int[] previous;
    private final int head;
    private int size;

    Recency(int units) {
      next = new int[units + 1];
      previous = new int[units + 1];
      Arrays.fill(next, -1);
      head = units;
      next[head] = head;
      previous[head] = head;
    }

    boolean holds(int unit) {
      return next[unit] >= 0;
    }

    boolean touch(int unit, int capacity) {
      boolean found = holds(unit);
      if (found) {
        unlink(unit);
      } else if (size == capacity) {
        unlink(previous[head]);
      }
      next[unit] = next[head];
      previous[unit] = head;
      previous[next[head]] = unit;
      next[head] = unit;
      size++;
      return found;
    }

    private void unlink(int unit) {
      next[previous[unit]] = next[unit];
      previous[next[unit]] = previous[unit];
      next[unit] = -1;
      size--;
    }
  }
}
