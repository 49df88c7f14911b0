package io.trimtab.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.RequestTimes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServedTimesTest {
  private static NodeState node(int number, long incarnation, RequestTimes times) {
    return new NodeState(
        new NodeId("n" + number),
        incarnation,
        true,
        false,
        Optional.empty(),
        false,
        NodeUsage.UNKNOWN,
        NodeGauges.UNKNOWN.with(times));
  }

  private static ClusterSnapshot of(NodeState... nodes) {
    return new ClusterSnapshot(
        Instant.EPOCH,
        "c",
        "test",
        Ownership.ASSIGNED,
        "1",
        1,
        List.of(nodes),
        List.of(),
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of());
  }

  private static RequestTimes times(long requests, double p99Ms, long refused) {
    return new RequestTimes(requests, p99Ms, refused);
  }

  @Test
  void nodesCountByTheirRequests() {
    ServedTimes served =
        ServedTimes.between(
            of(node(1, 1, times(100, 7, 0)), node(2, 1, times(100, 7, 5))),
            of(node(1, 1, times(1_000, 10, 0)), node(2, 1, times(400, 50, 17))));

    assertThat(served.p99Ms()).isCloseTo(20, within(1e-9));
    assertThat(served.refused()).isCloseTo(12.0 / 1_212, within(1e-9));
    assertThat(served.clientsMs()).isNaN();
  }

  @Test
  void aNodeThatWasRestartedOrTellsNothingIsLeftOut() {
    ServedTimes served =
        ServedTimes.between(
            of(
                node(1, 1, times(100, 7, 0)),
                node(2, 1, times(100, 7, 5)),
                node(3, 1, times(100, 7, 5))),
            of(
                node(1, 1, times(1_000, 10, 0)),
                node(2, 2, times(9_000, 500, 900)),
                node(3, 1, RequestTimes.UNKNOWN),
                node(4, 1, times(9_000, 500, 900))));

    assertThat(served.p99Ms()).isCloseTo(10, within(1e-9));
    assertThat(served.refused()).isZero();
  }

  @Test
  void ofFewRequestsNothingIsTold() {
    assertThat(
            ServedTimes.between(
                    of(node(1, 1, times(100, 7, 0))), of(node(1, 1, times(400, 90, 20))))
                .known())
        .isFalse();
  }

  @Test
  void theWorstSampleCountsUpToTwiceTheMedian() {
    List<ServedTimes> samples = new ArrayList<>();
    for (double ms : new double[] {10, 12, 11, 15}) {
      samples.add(new ServedTimes(ms, 0.01, Double.NaN));
    }
    assertThat(ServedTimes.worst(samples).p99Ms()).isEqualTo(15);
    samples.add(new ServedTimes(900, 0.01, Double.NaN));
    assertThat(ServedTimes.worst(samples).p99Ms()).isEqualTo(24);
    assertThat(ServedTimes.worst(samples).refused()).isEqualTo(0.01);
    assertThat(ServedTimes.worst(samples).clientsMs()).isNaN();
    assertThat(ServedTimes.worst(List.of()).known()).isFalse();
  }

  @Test
  void theLastSamplesAreKept() {
    List<ServedTimes> samples = List.of();
    for (int i = 1; i <= 30; i++) {
      samples = ServedTimes.append(samples, new ServedTimes(i, 0, Double.NaN));
      samples = ServedTimes.append(samples, ServedTimes.UNKNOWN);
    }
    assertThat(samples).hasSize(24);
    assertThat(samples.get(0).p99Ms()).isEqualTo(7);
  }
}
