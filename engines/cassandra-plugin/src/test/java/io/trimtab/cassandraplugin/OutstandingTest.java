package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutstandingTest {
  private final Outstanding outstanding = new Outstanding();
  private final List<Integer> lost = new ArrayList<>();

  private void lose(int peer, long after) {
    assertThat(after).isNotNegative();
    lost.add(peer);
  }

  @Test
  void anAnswerTellsOnceHowLongItTook() {
    outstanding.sent(7, 3, 1_000, this::lose);
    outstanding.sent(7, 4, 2_000, this::lose);

    assertThat(outstanding.took(7, 3, 5_000)).isEqualTo(4_000);
    assertThat(outstanding.took(7, 3, 6_000)).as("a second answer").isNegative();
    assertThat(outstanding.took(7, 4, 5_000)).isEqualTo(3_000);
    assertThat(outstanding.took(8, 4, 5_000)).as("never sent").isNegative();
    assertThat(lost).isEmpty();
  }

  @Test
  void whatIsOldIsLost() {
    outstanding.sent(1, 5, 0, this::lose);
    outstanding.sent(2, 6, 900, this::lose);

    outstanding.sweep(1_001, 1_000, this::lose);

    assertThat(lost).containsExactly(5);
    assertThat(outstanding.took(1, 5, 1_002)).isNegative();
    assertThat(outstanding.took(2, 6, 1_000)).isEqualTo(100);
  }

  /**
   * However many are never answered, memory does not grow, and each is told as lost or answered.
   */
  @Test
  void eachIsAnsweredOrLost() {
    int sent = 500_000;
    int answered = 0;
    for (int id = 1; id <= sent; id++) {
      outstanding.sent(id, id % 1024, id, this::lose);
      if (id % 3 == 0 && outstanding.took(id, id % 1024, id) >= 0) {
        answered++;
      }
    }
    outstanding.sweep(Long.MAX_VALUE, 0, this::lose);
    assertThat(answered).isEqualTo(sent / 3);
    assertThat(lost).hasSize(sent - answered);
  }
}
