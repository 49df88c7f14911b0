package io.trimtab.models.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.models.capacity.Commitment.State;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitmentTest {
  @Test
  void onlyWhatIsMissedHoldsOthersOff() {
    assertThat(
            Commitment.broken(
                List.of(
                    new Commitment("shop", State.KEPT, ""),
                    new Commitment("logs", State.MISSED, " since noon: throughput 1 MB/s < 2"),
                    new Commitment("bank", State.UNKNOWN, ""))))
        .containsExactly(
            "logs is missed since noon: throughput 1 MB/s < 2; nothing further is accepted until"
                + " it is kept");
    assertThat(Commitment.broken(List.of())).isEmpty();
  }
}
