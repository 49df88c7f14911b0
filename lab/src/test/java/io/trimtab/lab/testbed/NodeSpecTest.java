package io.trimtab.lab.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.Profile;
import org.junit.jupiter.api.Test;

class NodeSpecTest {
  private static final NodeSpec HBASE = TestbedSettings.modelled().node();
  private static final NodeSpec CASSANDRA = CassandraTestbed.NODE;

  @Test
  void theDefaultNodesAreThoseOfTheRecordedModels() {
    assertThat(TestbedSettings.of(HBASE)).isEqualTo(TestbedSettings.modelled());
    assertThat(HBASE.profile()).isEqualTo(Profile.READ);
    assertThat(HBASE.memory()).isEqualTo(Bytes.parse("840m"));
    assertThat(CASSANDRA.memory()).isEqualTo(Bytes.parse("992m"));
    assertThat(CASSANDRA.cacheSize()).isEqualTo(Bytes.parse("176m"));
  }

  /** Cassandra's row cache is not part of its heap. */
  @Test
  void theMemoryLimitFollowsTheHeapAndACacheBesideIt() {
    assertThat(HBASE.with(Bytes.parse("2g"), 0.3).memory()).isEqualTo(Bytes.parse("2488m"));
    assertThat(CASSANDRA.with(Bytes.parse("640m"), 0.55).memory()).isEqualTo(Bytes.parse("1488m"));
    assertThat(CASSANDRA.with(Bytes.parse("320m"), 0.25).memory()).isEqualTo(Bytes.parse("896m"));
  }

  @Test
  void aProfileSharesTheSamePartOfTheHeap() {
    Profile half = HBASE.with(HBASE.heap(), 0.40).profile();
    assertThat(half.cacheFraction()).isEqualTo(0.40);
    assertThat(half.memstoreFraction()).isBetween(0.249, 0.251);
    Profile most = HBASE.with(HBASE.heap(), 0.70).profile();
    assertThat(most.memstoreFraction()).isEqualTo(0.10);
  }

  @Test
  void moreCoresAreAskedByMoreThreads() {
    assertThat(TestbedSettings.of(HBASE.with(6, 400)).threads()).isEqualTo(64);
    assertThat(TestbedSettings.of(HBASE.with(6, 400)).readIops()).isEqualTo(400);
    assertThat(TestbedSettings.of(HBASE.with(0.35, 0)).threads()).isEqualTo(16);
  }
}
