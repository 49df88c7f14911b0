package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeGauges;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeProfileTest {
  private static final long HEAP = 1_000L << 20;

  private static NodeGauges gauges(double cache, double memtables) {
    return new NodeGauges(
        -1,
        -1,
        HEAP,
        -1,
        -1,
        -1,
        (long) (cache * HEAP),
        -1,
        (long) (memtables * HEAP),
        -1,
        -1,
        -1,
        Map.of());
  }

  @Test
  void aStandardProfileIsKnownByItsMemory() {
    assertThat(NodeProfile.of(gauges(0.547, 0.10))).contains(Profile.READ);
    assertThat(NodeProfile.of(gauges(0.10, 0.55))).contains(Profile.WRITE);
    // As a serial collector's JVM tells it, which keeps one survivor space free.
    assertThat(NodeProfile.of(gauges(0.1002, 0.5608))).contains(Profile.WRITE);
    Profile between = NodeProfile.of(gauges(0.45, 0.56)).orElseThrow();
    // The cache of one, the memtables of another.
    assertThat(between.sameCache(Profile.READ_WRITE)).isTrue();
    Profile other = NodeProfile.of(gauges(0.03, 0.25)).orElseThrow();
    assertThat(other.name()).isEqualTo("CUSTOM");
    assertThat(other.cacheFraction()).isBetween(0.0299, 0.0301);
  }

  @Test
  void whatIsOffOrUnknownIsNoProfile() {
    assertThat(NodeProfile.of(gauges(0, 0.25))).isEmpty();
    assertThat(NodeProfile.of(gauges(0.1, 0))).isEmpty();
    assertThat(NodeProfile.of(gauges(0.8, 0.25))).as("more than profiles may have").isEmpty();
    assertThat(NodeProfile.of(NodeGauges.UNKNOWN)).isEmpty();
  }

  @Test
  void threadsArePartedAsMemoryIs() {
    assertThat(NodeProfile.readers(Profile.READ, 64)).isEqualTo(54);
    assertThat(NodeProfile.readers(Profile.WRITE, 64)).isEqualTo(10);
    assertThat(NodeProfile.readers(Profile.READ_WRITE, 16)).isEqualTo(11);
    assertThat(NodeProfile.readers(Profile.WRITE, 8)).as("never fewer than two").isEqualTo(2);
    assertThat(NodeProfile.readers(Profile.READ, 4)).isEqualTo(2);
  }

  @Test
  void whatMemtablesMayTakeIsReadFromTheNodesSettings() {
    assertThat(MemtableSpace.parse("51MiB", HEAP)).isEqualTo(51L << 20);
    assertThat(MemtableSpace.parse("2GiB", HEAP)).isEqualTo(2L << 30);
    assertThat(MemtableSpace.parse("7", HEAP)).isEqualTo(7);
    assertThat(MemtableSpace.parse(null, HEAP)).isEqualTo(HEAP / 4);
    assertThat(MemtableSpace.parse("null", HEAP)).isEqualTo(HEAP / 4);
    assertThat(MemtableSpace.parse("much", HEAP)).isEqualTo(-1);
  }
}
