package io.trimtab.runtime.journal;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.SlowNode;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.ReplicaView;
import io.trimtab.runtime.ports.MemoryJournalStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Three nodes that rank each other's copies; a look every 30 s. */
class SlowWatchTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final NodeId SLOW = new NodeId("n2");
  private static final Settings SETTINGS =
      Settings.defaults().with(HealthSettings.builder().slowFor(Duration.ofSeconds(60)).build());

  private final List<String> told = new ArrayList<>();
  private final MemoryJournalStore store = new MemoryJournalStore();
  private final Journal journal = new Journal(store);
  private SlowWatch watch = new SlowWatch(SETTINGS, journal, told::add);
  private final long[] first = new long[3];
  private long candidate;
  private int members = 3;
  private Instant now = NOW;

  private ClusterSnapshot seen(String... gaps) {
    List<ReplicaView> views =
        IntStream.range(0, members)
            .mapToObj(
                i ->
                    new ReplicaView(
                        new NodeId("n" + i),
                        OptionalDouble.empty(),
                        OptionalLong.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.of(i == 2 ? 31 : 6),
                        OptionalDouble.empty(),
                        OptionalLong.of(candidate),
                        OptionalLong.of(first[i])))
            .toList();
    List<NodeState> nodes =
        IntStream.range(0, members)
            .mapToObj(
                i ->
                    new NodeState(
                            new NodeId("n" + i),
                            1,
                            true,
                            false,
                            Optional.empty(),
                            false,
                            NodeUsage.UNKNOWN,
                            NodeGauges.UNKNOWN)
                        .with(new CoordinatorView("trimtab", false, views)))
            .toList();
    return new ClusterSnapshot(
        now,
        "c",
        "test",
        Ownership.TOKENS,
        "1",
        3,
        nodes,
        List.of(),
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of(gaps));
  }

  private void look(long its, String... gaps) {
    now = now.plusSeconds(30);
    candidate += 900 + its;
    first[0] += 450;
    first[1] += 450;
    first[2] += its;
    watch.observe(seen(gaps), now);
  }

  private void becomesSlow() {
    look(90);
    look(90);
    look(90);
  }

  private String why() {
    return Why.explain(journal.entries(), Clock.fixed(now.plusSeconds(120), UTC));
  }

  @Test
  void aSlowNodeIsToldOnceAndSoIsItsEnd() {
    look(90);
    look(90);
    assertThat(told).isEmpty();
    look(90);
    look(90);
    String text =
        "n2 gets 20 % of the reads that its peers get, for 60 s: 31 ms a read against 6 ms";
    assertThat(told).containsExactly("slow node: " + text);
    assertThat(watch.now()).extracting(SlowNode::node).containsExactly(SLOW);
    assertThat(why())
        .contains("Slow node, as of 2 min ago: " + text + ".")
        .contains("trimtab why n2");

    look(400);
    look(400);
    assertThat(told)
        .hasSize(2)
        .last()
        .isEqualTo("no slow node any more: n2 gets 89 % of the reads that its peers get");
    assertThat(watch.now()).isEmpty();
    assertThat(why()).doesNotContain("low node");
    assertThat(new Journal(store).slow()).isEmpty();
  }

  @Test
  void theJournalsFigureIsRenewedEveryTenMinutes() {
    becomesSlow();
    for (int i = 0; i < 20; i++) {
      look(45);
    }
    assertThat(told).hasSize(1);
    assertThat(journal.entries()).hasSize(2);
    assertThat(Why.slow(journal.entries()))
        .singleElement()
        .satisfies(node -> assertThat(node.what()).contains("n2 gets 10 % ", "for 11 min"));
  }

  @Test
  void aPartialLookTellsNothing() {
    look(90);
    look(90);
    look(90, "node n0: no answer");
    assertThat(told).isEmpty();
    look(90);
    assertThat(told).hasSize(1);
    members = 2;
    look(0, "node n2: no answer");
    assertThat(told).as("it may be there all the same").hasSize(1);
  }

  @Test
  void aNodeThatHasLeftIsNotSlowAnyMore() {
    becomesSlow();
    members = 2;
    look(0);
    assertThat(told).last().isEqualTo("no slow node any more: n2 is no member of the cluster");
    assertThat(journal.slow()).isEmpty();
  }

  /** A dry run goes on with its journal; what is not known yet ends nothing. */
  @Test
  void whatWasToldBeforeIsNotToldAgain() {
    becomesSlow();
    watch = new SlowWatch(SETTINGS, journal, told::add);
    becomesSlow();
    assertThat(told).hasSize(1);
    assertThat(journal.slow()).containsOnlyKeys(SLOW);
    watch = new SlowWatch(SETTINGS, journal, told::add);
    look(400);
    assertThat(told).hasSize(1);
    look(400);
    assertThat(told).hasSize(2);
  }

  @Test
  void aNewControllerJudgesForItself() {
    becomesSlow();
    journal.append(new Entry.Took(now, 7, "a@b", "1", "met", "", "run"));
    assertThat(journal.slow()).isEmpty();
    assertThat(why()).doesNotContain("Slow node");
  }

  @Test
  void theReasonForDoingNothingGoesOn() {
    Entry.Held held = new Entry.Held(NOW, "policy met", "no need to act", "health.high");
    journal.hold(held);
    becomesSlow();
    journal.hold(new Entry.Held(now, held.by(), held.reason(), held.setting()));
    journal.close();
    assertThat(why()).contains("no need to act (policy met, 2 times since 2026-01-01T00:00:00Z)");
  }

  @Test
  void itsLinesAreReadBack() {
    becomesSlow();
    assertThat(store.lines())
        .singleElement()
        .asString()
        .startsWith("{\"type\":\"slow-node\",\"at\":\"2026-01-01T00:01:30Z\"")
        .contains("\"slow\":true");
    assertThat(new Journal(store).slow()).containsOnlyKeys(SLOW);
  }
}
