package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.plugincore.ranking.Told;
import org.junit.jupiter.api.Test;

class ReplicaLoadTest {
  private static final long MS = 1_000_000;

  private final ReplicaLoad load = new ReplicaLoad(() -> 3, 8);
  private final Told told = new Told();

  private void answers(long begun, long now) {
    Served served = new Served();
    served.begin(begun, begun);
    load.tell(served, now, told);
  }

  @Test
  void readsThatAPauseHeldUpCountAsOne() {
    for (int i = 0; i < 100; i++) {
      answers(i * 20 * MS, i * 20 * MS + MS / 2);
    }
    assertThat(told.recentService).isBetween(MS * 4 / 10, MS * 6 / 10);
    for (int i = 0; i < 3; i++) {
      answers(2_000 * MS, 2_050 * MS + i * MS / 5);
    }
    assertThat(told.service).isGreaterThan(49 * MS);
    assertThat(told.recentService).isLessThan(2 * MS);
    assertThat(told.queued).as("but for the one that is answered").isEqualTo(2);
  }
}
