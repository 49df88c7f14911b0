package io.trimtab.controller.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.agreement.Compliance.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitmentTest {
  @Test
  void onlyWhatIsMissedHoldsOthersOff() {
    assertThat(
            Commitment.broken(
                List.of(
                    new Commitment("shop", Verdict.KEPT, ""),
                    new Commitment("logs", Verdict.MISSED, " since noon: throughput 1 MB/s < 2"),
                    new Commitment("bank", Verdict.UNKNOWN, ""))))
        .containsExactly(
            "logs is missed since noon: throughput 1 MB/s < 2; nothing further is accepted until"
                + " it is kept");
    assertThat(Commitment.broken(List.of())).isEmpty();
  }
}
