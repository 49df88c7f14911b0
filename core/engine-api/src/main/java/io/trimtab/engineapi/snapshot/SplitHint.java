package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The key at which the requests of a partition halve, as estimated by the node that serves it. The
 * controller's only type for a verdict on a split; plug-ins send the verdict as a word.
 *
 * @param key first key of the right half, or the hot key; empty if there is none
 * @param leftShare share of the requests left of the key, in [0, 1]; NaN if there is no key
 * @param bound error bound of the share at 95 % confidence, in [0, 1]
 * @param requests number of requests that the estimate is based on
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

  /** The hint for a partition whose requests are not observed. */
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

  /** Why the partition should not be split as advised; empty if it should. */
  public Optional<String> refusal() {
    return switch (verdict) {
      case SPLIT -> Optional.empty();
      case WAIT, UNSPLITTABLE_HOT_KEY, NOT_WORTH_IT, UNKNOWN -> Optional.of(reason);
    };
  }

  /** The node's advice. */
  public enum Verdict {
    SPLIT,
    /** Too few requests so far. */
    WAIT,
    /** One key has more than half of the requests. */
    UNSPLITTABLE_HOT_KEY,
    NOT_WORTH_IT,
    /** Requests are not observed, or the plug-in's advice is not known to this version. */
    UNKNOWN;

    /** The name in lower case, with hyphens. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The verdict with this word; {@link #UNKNOWN} for a word of a newer plug-in. */
    public static Verdict of(String word) {
      return Arrays.stream(values()).filter(v -> v.word().equals(word)).findFirst().orElse(UNKNOWN);
    }
  }
}
