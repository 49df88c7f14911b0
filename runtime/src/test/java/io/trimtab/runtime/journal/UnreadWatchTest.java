package io.trimtab.runtime.journal;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.runtime.ports.MemoryJournalStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnreadWatchTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final NodeId NODE = new NodeId("n1:1");
  private static final String WHY = "node n1:1 has not answered in 15 s";

  private final List<String> told = new ArrayList<>();
  private final MemoryJournalStore store = new MemoryJournalStore();
  private final Journal journal = new Journal(store);
  private final UnreadWatch watch = new UnreadWatch(journal, told::add);

  private void look(NodeState... nodes) {
    look(List.of(), nodes);
  }

  private void look(List<String> gaps, NodeState... nodes) {
    watch.observe(
        new ClusterSnapshot(
            NOW,
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
            gaps),
        NOW);
  }

  private static NodeState node(boolean alive) {
    return new NodeState(
        NODE, 1, alive, false, Optional.empty(), false, NodeUsage.UNKNOWN, NodeGauges.UNKNOWN);
  }

  private static NodeState unread() {
    return node(true).with(NodeRead.failed(WHY));
  }

  @Test
  void aNodeThatCantBeReadIsToldOnceAndOnceWhenItCanAgain() {
    look(unread());
    look(unread());
    assertThat(told)
        .containsExactly(
            "unreadable node: n1:1 can't be read, and nothing is planned with it: " + WHY);
    assertThat(new Journal(store).unread()).containsOnlyKeys(NODE);
    look(node(true));
    assertThat(told)
        .hasSize(2)
        .last()
        .isEqualTo("no unreadable node any more: n1:1 can be read again");
    assertThat(journal.unread()).isEmpty();
  }

  @Test
  void deadIsAnotherThing() {
    look(unread());
    look(node(false));
    assertThat(told).last().isEqualTo("no unreadable node any more: n1:1 is dead");
  }

  @Test
  void aClusterThatTellsNoNodesSaysNothingOfThem() {
    look(unread());
    look();
    assertThat(told).hasSize(1);
  }

  /** As while HBase's master is away: of sixty nodes there would be sixty such sentences. */
  @Test
  void nodesThatNobodyCouldAskAreNotTold() {
    String away = "the master does not answer";
    look(List.of(away, WHY), unread());
    assertThat(told).isEmpty();
    look(List.of(WHY), unread());
    look(List.of(away, WHY), unread());
    assertThat(told).hasSize(1);
    assertThat(journal.unread()).containsOnlyKeys(NODE);
  }

  @Test
  void whyTellsIt() {
    look(unread());
    assertThat(Why.explain(journal.entries(), Clock.fixed(NOW, UTC)))
        .contains("Unreadable node, since 0 s ago: n1:1 can't be read")
        .contains(WHY)
        .contains("health.unreadGrowth")
        .contains("guard.badNodesMax");
  }
}
