package io.trimtab.runtime.journal;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.runtime.ports.MemoryJournalStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitWatchTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final List<String> told = new ArrayList<>();
  private final MemoryJournalStore store = new MemoryJournalStore();
  private final Journal journal = new Journal(store);
  private WaitWatch watch = new WaitWatch(journal, told::add);

  private void look(NodeUsage usage) {
    NodeState node =
        new NodeState(
            new NodeId("n1:1"), 1, true, false, Optional.empty(), false, usage, NodeGauges.UNKNOWN);
    watch.observe(
        new ClusterSnapshot(
            NOW,
            "c",
            "test",
            Ownership.ASSIGNED,
            "1",
            1,
            List.of(node),
            List.of(),
            0,
            List.of(),
            BalancerState.PAUSED,
            List.of()),
        NOW);
  }

  private static NodeUsage from(WaitSource source) {
    return new NodeUsage(0.1, 0, 0, 0, source);
  }

  private String why() {
    return Why.explain(journal.entries(), Clock.fixed(NOW, UTC));
  }

  @Test
  void theSourceIsToldOnceAndAgainWhenItChanges() {
    look(NodeUsage.UNKNOWN);
    assertThat(told).isEmpty();
    look(from(WaitSource.DELAY_ACCOUNTING));
    look(from(WaitSource.DELAY_ACCOUNTING));
    String measured =
        "Server usage is CPU + I/O wait, I/O wait from the block-I/O delay of the node's tasks";
    assertThat(told).containsExactly(measured);

    look(NodeUsage.UNKNOWN);
    look(from(WaitSource.READS_BY_LIMIT));
    assertThat(told)
        .hasSize(2)
        .last()
        .isEqualTo(
            "Server usage is CPU + I/O wait, I/O wait from reads ÷ read limit, a fallback that"
                + " measures no wait");
  }

  @Test
  void everyExplanationNamesIt() {
    journal.hold(new Entry.Held(NOW, "met", "no node is overloaded", "health.high"));
    assertThat(why()).doesNotContain("Server usage is");

    look(from(WaitSource.DELAY_ACCOUNTING));
    assertThat(why())
        .contains("no node is overloaded")
        .endsWith("I/O wait from the block-I/O delay of the node's tasks.");
    // It is no decision: the reason still holds, and is repeated.
    journal.hold(new Entry.Held(NOW, "met", "no node is overloaded", "health.high"));
    assertThat(journal.entries().stream().filter(e -> e instanceof Entry.Held)).hasSize(1);
  }

  @Test
  void anotherControllerTellsItAnew() {
    look(from(WaitSource.MACHINE));
    watch = new WaitWatch(journal, told::add);
    look(from(WaitSource.MACHINE));
    assertThat(told).hasSize(2);
    assertThat(journal.entries()).hasSize(1);

    journal.append(new Entry.Took(NOW, 1, "me", "1", "met", "", "run"));
    look(from(WaitSource.MACHINE));
    assertThat(journal.entries()).hasSize(3);
    assertThat(new Journal(store).waits()).isPresent();
  }
}
