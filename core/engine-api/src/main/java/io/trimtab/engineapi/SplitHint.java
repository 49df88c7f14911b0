package io.trimtab.engineapi;

import java.util.Locale;

/**
 * Where the requests of a partition halve, as the node that serves it has seen them.
 *
 * @param key first key of the right half, or the hot key; empty where there is none
 * @param leftShare share of the requests left of the key, in [0, 1]; NaN where there is no key
 * @param bound how far the share may be from the truth, at 95 %, in [0, 1]
 * @param requests that this rests on
 * @param reason one sentence
 */
public record SplitHint(
    PartitionId partition,
    Verdict verdict,
    RowKey key,
    double leftShare,
    double bound,
    long requests,
    String reason) {

  /** What the node advises. */
  public enum Verdict {
    SPLIT,
    /** Too few requests so far. */
    WAIT,
    /** One key has more than half of the requests. */
    UNSPLITTABLE_HOT_KEY,
    NOT_WORTH_IT;

    /** In lower case, with hyphens. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Verdict of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
  }
}
