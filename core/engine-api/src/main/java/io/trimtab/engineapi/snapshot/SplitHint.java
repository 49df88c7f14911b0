package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Where the requests of a partition halve, as the node that serves it has seen them. The one
 * verdict on a split that the controller's side knows; plug-ins send its words.
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

  /** Of a partition whose requests nothing follows. */
  public static SplitHint unknown(PartitionId partition) {
    return new SplitHint(
        partition,
        Verdict.UNKNOWN,
        RowKey.EMPTY,
        Double.NaN,
        Double.NaN,
        0,
        "no plug-in follows its requests (trimtab plugin install hbase)");
  }

  /** Why the partition should not be split as advised; empty where it should. */
  public Optional<String> refusal() {
    return switch (verdict) {
      case SPLIT -> Optional.empty();
      case WAIT, UNSPLITTABLE_HOT_KEY, NOT_WORTH_IT, UNKNOWN -> Optional.of(reason);
    };
  }

  /** What the node advises. */
  public enum Verdict {
    SPLIT,
    /** Too few requests so far. */
    WAIT,
    /** One key has more than half of the requests. */
    UNSPLITTABLE_HOT_KEY,
    NOT_WORTH_IT,
    /** Nothing follows the requests, or what does has advice that this version does not know. */
    UNKNOWN;

    /** In lower case, with hyphens. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@link #UNKNOWN} for a word of a plug-in that is newer than this. */
    public static Verdict of(String word) {
      return Arrays.stream(values()).filter(v -> v.word().equals(word)).findFirst().orElse(UNKNOWN);
    }
  }
}
