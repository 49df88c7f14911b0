package io.trimtab.runtime.journal;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.RequestTimes;
import io.trimtab.runtime.ports.MemoryJournalStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Three RegionServers, of which nobody chooses among replicas; a look every 30 s. */
class SlowPeersToldTest {
  private static final NodeId SLOW = new NodeId("n2:1");
  private static final Settings SETTINGS =
      Settings.defaults().with(HealthSettings.builder().slowFor(Duration.ofSeconds(60)).build());

  private final List<String> told = new ArrayList<>();
  private final MemoryJournalStore store = new MemoryJournalStore();
  private final Journal journal = new Journal(store);
  private final SlowWatch watch = new SlowWatch(SETTINGS, journal, told::add);
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private void look(double ms) {
    now = now.plusSeconds(30);
    List<NodeState> nodes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RequestTimes times = new RequestTimes(100 * now.getEpochSecond(), i == 2 ? ms : 7, 0);
      nodes.add(
          new NodeState(
              new NodeId("n" + i + ":1"),
              1,
              true,
              false,
              Optional.empty(),
              false,
              NodeUsage.UNKNOWN,
              NodeGauges.UNKNOWN.with(times)));
    }
    ClusterSnapshot seen =
        new ClusterSnapshot(
            now,
            "c",
            "hbase",
            Ownership.ASSIGNED,
            "1",
            1,
            nodes,
            List.of(),
            0,
            List.of(),
            BalancerState.PAUSED,
            List.of());
    watch.observe(seen, now);
  }

  private String why() {
    return Why.explain(journal.entries(), Clock.fixed(now, UTC));
  }

  @Test
  void aServerThatIsSlowerThanItsPeersIsToldOnceAndSoIsItsEnd() {
    for (int i = 0; i < 4; i++) {
      look(70);
    }
    String text =
        "n2:1 is slower than its peers, for 60 s: 99th percentile of requests 70 ms, peers 7 ms";
    assertThat(told).containsExactly("slow node: " + text);
    assertThat(watch.now()).as("no policy hears of it").isEmpty();
    assertThat(new Journal(store).slow().get(SLOW).byPeers()).isTrue();
    assertThat(why())
        .contains("Slow node, as of 30 s ago: " + text)
        .contains("policy: autopilot moves partitions off it if its answers are late")
        .doesNotContain("Only policy: autopilot");

    look(8);
    assertThat(told).last().isEqualTo("no slow node any more: n2:1 is no slower than its peers");
    assertThat(why()).doesNotContain("low node");
  }
}
