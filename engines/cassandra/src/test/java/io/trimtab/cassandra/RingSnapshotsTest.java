package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RingSnapshotsTest {
  @Test
  void nothingIsDoneWithoutAMajorityOfTheRing() {
    assertThat(RingSnapshots.blockers(3, 3)).isEmpty();
    assertThat(RingSnapshots.blockers(2, 3)).isEmpty();
    assertThat(RingSnapshots.blockers(2, 4))
        .containsExactly("only 2 of 4 nodes of the ring are up, which is no majority");
    assertThat(RingSnapshots.blockers(0, 1)).hasSize(1);
  }
}
