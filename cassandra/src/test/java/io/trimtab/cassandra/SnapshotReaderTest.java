package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SnapshotReaderTest {
  @Test
  void nothingIsDoneWithoutAMajorityOfTheRing() {
    assertThat(SnapshotReader.blockers(3, 3)).isEmpty();
    assertThat(SnapshotReader.blockers(2, 3)).isEmpty();
    assertThat(SnapshotReader.blockers(2, 4))
        .containsExactly("only 2 of 4 nodes of the ring are up, which is no majority");
    assertThat(SnapshotReader.blockers(0, 1)).hasSize(1);
  }
}
