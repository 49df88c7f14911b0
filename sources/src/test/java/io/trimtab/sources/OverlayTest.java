package io.trimtab.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OverlayTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration STALE = Duration.ofMinutes(2);
  private static final NodeId NODE = new NodeId("a:1");

  /** As only a JVM tells it. */
  private static final NodeUsage OF_JVM = new NodeUsage(0.3, 0, Double.NaN, 1, WaitSource.NONE);

  private static final NodeReadings WHOLE =
      NodeReadings.NONE
          .with(Metric.CPU_USER, 0.4, NOW)
          .with(Metric.CPU_SYSTEM, 0.1, NOW)
          .with(Metric.CPU_IO_WAIT, 0.2, NOW)
          .with(Metric.DISK_SIZE, 1000, NOW)
          .with(Metric.DISK_FREE, 400, NOW)
          .with(Metric.DISK_BUSY, 0.6, NOW)
          .with(Metric.P99_MS, 12, NOW);

  private static ClusterSnapshot seen(NodeUsage usage) {
    NodeGauges gauges = NodeGauges.UNKNOWN.with(new DiskSpace(-1, -1, 300));
    return new ClusterSnapshot(
        NOW,
        "c",
        "cassandra",
        Ownership.TOKENS,
        "5",
        1,
        List.of(new NodeState(NODE, 1, true, false, Optional.empty(), true, usage, gauges)),
        List.of(),
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of());
  }

  private static Told prom(NodeReadings readings) {
    return new Told("prom", Map.of(NODE, readings), Optional.empty());
  }

  private static NodeState node(NodeUsage usage, Told... order) {
    return Overlay.on(seen(usage), List.of(order), NOW, STALE).nodes().get(0);
  }

  @Test
  void ofARemoteNodeASourceTellsAllOfTheUsage() {
    NodeUsage usage = node(OF_JVM, Told.ofNative(), prom(WHOLE)).usage();
    assertThat(usage.known()).isTrue();
    assertThat(usage.cpuUser()).as("of the machine, as the wait is").isEqualTo(0.4);
    assertThat(usage.ioWait()).isEqualTo(0.2);
    assertThat(usage.waitSource()).isEqualTo(WaitSource.MACHINE);
    assertThat(usage.diskBusy()).hasValue(0.6);
  }

  @Test
  void theFirstInTheOrderCounts() {
    NodeUsage measured = new NodeUsage(0.7, 0.1, 0.1, 1, WaitSource.PRESSURE);
    assertThat(node(measured, Told.ofNative(), prom(WHOLE)).usage().cpuUser()).isEqualTo(0.7);
    assertThat(node(measured, prom(WHOLE), Told.ofNative()).usage().cpuUser()).isEqualTo(0.4);
  }

  @Test
  void disksAndTimesAreFilledAndWhatIsStoredIsTheDatabases() {
    NodeGauges gauges = node(OF_JVM, Told.ofNative(), prom(WHOLE)).gauges();
    assertThat(gauges.disk()).isEqualTo(new DiskSpace(1000, 600, 300));
    assertThat(gauges.times().p99Ms()).isEqualTo(12);
    assertThat(gauges.memoryUsedBytes()).as("nobody tells it").isEqualTo(-1);
  }

  @Test
  void aStaleReadingIsUnknownAndToldAsSuch() {
    NodeReadings old =
        NodeReadings.NONE
            .with(Metric.CPU_USER, 0.4, NOW.minus(STALE))
            .with(Metric.CPU_SYSTEM, 0.1, NOW.minus(STALE))
            .with(Metric.CPU_IO_WAIT, 0.2, NOW.minus(STALE));
    NodeState node = node(OF_JVM, Told.ofNative(), prom(old));
    assertThat(node.usage().known()).isFalse();
    assertThat(node.usage().ioWait()).isNaN();
    assertThat(node.read().missing())
        .containsExactly("prom's newest cpu.ioWait is 120 s old, or the clocks differ by that");
  }

  @Test
  void whyAValueIsMissingIsTold() {
    Told failed = new Told("prom", Map.of(), Optional.of("prom at x: refused"));
    assertThat(node(OF_JVM, Told.ofNative(), failed).read().missing())
        .containsExactly("prom at x: refused");
    Told silent = new Told("prom", Map.of(), Optional.empty());
    assertThat(node(OF_JVM, Told.ofNative(), silent).read().missing())
        .containsExactly("prom tells nothing of this node");
    assertThat(node(OF_JVM, Told.ofNative(), prom(NodeReadings.NONE)).read().missing())
        .containsExactly("prom does not tell its cpu.ioWait");
  }

  @Test
  void withoutSourcesNothingChanges() {
    assertThat(node(OF_JVM, Told.ofNative())).isEqualTo(seen(OF_JVM).nodes().get(0));
  }

  @Test
  void aValueOutOfItsRangeIsNone() {
    assertThat(NodeReadings.NONE.with(Metric.CPU_USER, 40, NOW).values()).isEmpty();
    assertThat(NodeReadings.NONE.with(Metric.CPU_USER, -0.1, NOW).values()).isEmpty();
    assertThat(NodeReadings.NONE.with(Metric.CPU_USER, Double.NaN, NOW).values()).isEmpty();
    assertThat(NodeReadings.NONE.with(Metric.CPU_USER, 1.01, NOW).values().get(Metric.CPU_USER))
        .extracting(reading -> reading.value())
        .isEqualTo(1.0);
  }
}
