package io.trimtab.engineapi.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageReadingsTest {
  private static final NodeId NODE = new NodeId("n1:1");

  private static UsageReading at(int second, double userS) {
    return new UsageReading(second * 1_000_000_000L, userS, 0, 1, DiskWait.NONE, 0, "kernel");
  }

  /** Idle for 20 s, then busy for 10: who asks every 30 s sees a third, whoever else asks. */
  @Test
  void nobodyShortensAnothersInterval() {
    UsageReadings loop = new UsageReadings();
    UsageReadings other = new UsageReadings();
    loop.next(NODE, 1, at(0, 0));
    other.next(NODE, 1, at(19, 0));
    assertThat(other.next(NODE, 1, at(20, 0)).orElseThrow().cpuUser()).isZero();

    double seen = loop.next(NODE, 1, at(30, 10)).orElseThrow().cpuUser();

    assertThat(seen).isEqualTo(1 / 3.0);
    assertThat(other.next(NODE, 1, at(30, 10)).orElseThrow().cpuUser()).isEqualTo(1);
  }

  @Test
  void aNewProcessBeginsANewSeries() {
    UsageReadings readings = new UsageReadings();
    assertThat(readings.next(NODE, 1, at(0, 5))).isEmpty();
    assertThat(readings.next(NODE, 2, at(10, 9))).isEmpty();
    assertThat(readings.next(NODE, 2, at(20, 14)).orElseThrow().cpuUser()).isEqualTo(0.5);
    readings.keep(List.of());
    assertThat(readings.next(NODE, 2, at(30, 15))).isEmpty();
  }
}
