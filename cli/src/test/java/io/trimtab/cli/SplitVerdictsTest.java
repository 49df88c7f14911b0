package io.trimtab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.plugincore.SplitAdvice;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** The plug-in runs in another process and names its verdicts by words, which must be these. */
final class SplitVerdictsTest {
  private static final PartitionId PARTITION = new PartitionId("t", "p");

  @Test
  void everyVerdictOfThePluginIsKnown() {
    assertThat(SplitAdvice.Verdict.values())
        .extracting(said -> SplitHint.Verdict.of(said.toString()))
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.complementOf(EnumSet.of(SplitHint.Verdict.UNKNOWN)));
    assertThat(Arrays.stream(SplitHint.Verdict.values()).map(SplitHint.Verdict::word))
        .containsExactlyInAnyOrder(
            "split", "wait", "unsplittable-hot-key", "not-worth-it", "unknown");
  }

  @Test
  void aVerdictOfANewerPluginSplitsNothing() {
    var newer = SplitHint.Verdict.of("split-twice");
    assertThat(newer).isEqualTo(SplitHint.Verdict.UNKNOWN);
    assertThat(hint(newer).refusal()).contains("why");
  }

  @Test
  void onlyOneVerdictIsNoRefusal() {
    for (SplitHint.Verdict verdict : SplitHint.Verdict.values()) {
      assertThat(hint(verdict).refusal().isEmpty()).isEqualTo(verdict == SplitHint.Verdict.SPLIT);
    }
    assertThat(SplitHint.unknown(PARTITION).refusal())
        .contains("no plug-in follows its requests (trimtab plugin install hbase)");
  }

  private static SplitHint hint(SplitHint.Verdict verdict) {
    return new SplitHint(PARTITION, verdict, RowKey.EMPTY, Double.NaN, 1, 7, "why");
  }
}
