package io.trimtab.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CacheWarmupTest {
  /** Three looks are one decision's. */
  private static final ObserveSettings THREE =
      ObserveSettings.builder().period(Duration.ofSeconds(30)).samples(3).build();

  /** Two nodes, of which the first one's cache holds so much of 1,000. */
  private static History looks(long... held) {
    return looks(1_000, held);
  }

  private static History looks(int most, long[] held) {
    History history = History.EMPTY;
    for (int i = 0; i < held.length; i++) {
      List<NodeState> nodes = new ArrayList<>();
      for (long each : new long[] {held[i], most}) {
        NodeGauges gauges = new NodeGauges(1, 1, 1, 1, 1, each, most, 1, 1, 0, 0, 0, Map.of());
        nodes.add(
            new NodeState(
                new NodeId("n" + nodes.size() + ":1"),
                1,
                true,
                false,
                Optional.empty(),
                false,
                new NodeUsage(0.5, 0, 0, 0),
                gauges));
      }
      ClusterSnapshot next =
          new ClusterSnapshot(
              Instant.EPOCH.plusSeconds(30L * i),
              "c",
              "hbase",
              Ownership.ASSIGNED,
              "2.6.4",
              1,
              nodes,
              List.of(),
              0,
              List.of(),
              BalancerState.PAUSED,
              List.of());
      history = history.append(next, THREE);
    }
    return history;
  }

  @Test
  void cachesAreFullWhereTheyHoldNearlyAllOrGrowNoMore() {
    assertThat(CacheWarmup.full(looks(100, 500, 910))).isTrue();
    assertThat(CacheWarmup.full(looks(100, 400, 700))).isFalse();
    // Data that are smaller than the cache, and have all been read.
    assertThat(CacheWarmup.full(looks(400, 410, 415))).isTrue();
  }

  @Test
  void onlyTheLooksOfADecisionCount() {
    assertThat(looks(0, 300, 400, 410, 411).caches()).containsExactly(1_400L, 1_410L, 1_411L);
    assertThat(CacheWarmup.full(looks(0, 300, 400, 410, 411))).isTrue();
  }

  @Test
  void aCacheOfWhichNothingIsToldIsNotFull() {
    assertThat(CacheWarmup.full(History.EMPTY)).isFalse();
    assertThat(CacheWarmup.full(looks(0, new long[] {0, 0, 0}))).as("it is off").isFalse();
    assertThat(CacheWarmup.full(looks(990, -1, 990))).isFalse();
    assertThat(CacheWarmup.full(looks(-1, 990, 990, 990))).isTrue();
  }
}
