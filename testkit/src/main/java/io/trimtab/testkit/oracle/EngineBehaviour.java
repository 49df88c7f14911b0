package io.trimtab.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/**
 * What every engine must do, whatever it runs on; each test begins with a cluster of three nodes
 * that is requested something. Engines say what they can by flags.
 */
public abstract class EngineBehaviour implements EngineVerbs {
  protected abstract NodeProvider provider();

  /** Lets time pass while clients go on asking. */
  protected abstract void pass(Duration time);

  protected abstract void kill(NodeId node);

  /** Starts the process of a node that was killed. */
  protected abstract void start(NodeId node);

  /** Waits for at most five minutes of the cluster's time. */
  @Override
  public ClusterSnapshot whole(Predicate<ClusterSnapshot> expected) throws EngineException {
    ClusterSnapshot now = engine().snapshot();
    for (int i = 0; i < 600; i++) {
      if (now.gaps().isEmpty()
          && now.partitionsInTransition() == 0
          && now.blockers().isEmpty()
          && now.partitions().stream().allMatch(p -> p.node().isPresent())
          && expected.test(now)) {
        return now;
      }
      pass(Duration.ofMillis(500));
      now = engine().snapshot();
    }
    throw new AssertionError("not as expected after five minutes: " + now);
  }

  @Test
  void requestsAreCounted() throws EngineException {
    ClusterSnapshot before = atRest();
    pass(Duration.ofSeconds(10));
    ClusterSnapshot after = whole(s -> sum(s, PartitionCounters::pointReads) > 0);

    assertThat(after.takenAt()).isAfter(before.takenAt());
    assertThat(sum(after, PartitionCounters::pointReads))
        .isGreaterThan(sum(before, PartitionCounters::pointReads));
    assertThat(sum(after, PartitionCounters::writes))
        .isGreaterThan(sum(before, PartitionCounters::writes));
  }

  private static long sum(ClusterSnapshot s, ToLongFunction<PartitionCounters> what) {
    return s.partitions().stream().flatMap(p -> p.counters().stream()).mapToLong(what).sum();
  }

  @Test
  void aProfileIsAppliedOnlineOrFoundByTheNextStart() throws EngineException {
    NodeState before = atRest().nodes().get(0);
    if (can(Capability.ONLINE_PROFILES)) {
      engine().applyProfile(before.id(), Profile.WRITE, CALL_LIMIT);
      engine().applyProfile(before.id(), Profile.WRITE, CALL_LIMIT);
      NodeState after = engine().snapshot().node(before.id()).orElseThrow();
      assertThat(after.incarnation()).isEqualTo(before.incarnation());
      assertThat(after.profile().orElseThrow().sameCache(Profile.WRITE)).isTrue();
    }
    provider().persist(before.id(), Profile.READ);
    provider().restart(before.id(), CALL_LIMIT);
    engine().awaitNode(before.id(), before.incarnation(), CALL_LIMIT);
    NodeState after = engine().snapshot().node(before.id()).orElseThrow();
    assertThat(after.profile().orElseThrow().sameMemory(Profile.READ)).isTrue();
    assertThat(after.incarnation()).isNotEqualTo(before.incarnation());
  }

  @Test
  void aPartitionIsMovedSplitAndMergedAndEachAgainChangesNothing() throws EngineException {
    if (!can(Capability.PLACEMENT)) {
      return;
    }
    engine().pauseBalancer(CALL_LIMIT);
    ClusterSnapshot before = atRest();
    PartitionState p = before.partitions().get(0);
    NodeId to = other(before, p.node().orElseThrow());
    for (int i = 0; i < 2; i++) {
      engine().move(p.id(), to, CALL_LIMIT);
      assertThat(engine().snapshot().partition(p.id()).orElseThrow().node()).contains(to);
    }
    RowKey key = new RowKey("0001");
    for (int i = 0; i < 2; i++) {
      engine().split(p.id(), key, p.node().orElseThrow(), CALL_LIMIT);
      assertThat(engine().snapshot().partitions()).hasSize(before.partitions().size() + 1);
    }
    List<PartitionState> halves =
        engine().snapshot().partitions().stream()
            .filter(h -> h.range().end().equals(key) || h.range().start().equals(key))
            .sorted(java.util.Comparator.comparing(h -> h.range().start()))
            .toList();
    assertThat(halves.get(0).node()).contains(to);
    assertThat(halves.get(1).node()).isEqualTo(p.node());
    for (int i = 0; i < 2; i++) {
      engine().merge(halves.get(0).id(), halves.get(1).id(), p.range(), CALL_LIMIT);
      assertThat(engine().snapshot().partitions())
          .hasSameSizeAs(before.partitions())
          .extracting(PartitionState::range)
          .contains(p.range());
    }
    assertThat(PlanVerifier.tidied(engine().snapshot(), engine().snapshot())).isEmpty();
  }

  private static NodeId other(ClusterSnapshot s, NodeId than) {
    return s.nodes().stream()
        .map(NodeState::id)
        .filter(n -> !n.equals(than))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aKilledNodeIsDeadItsDataAreServedAndItComesBack() throws EngineException {
    ClusterSnapshot before = atRest();
    NodeState victim = before.nodes().get(2);
    kill(victim.id());
    whole(s -> s.node(victim.id()).filter(n -> !n.alive()).isPresent());
    assertThat(engine().snapshot().liveNodes()).hasSize(2);

    start(victim.id());
    engine().awaitNode(victim.id(), victim.incarnation(), CALL_LIMIT);
    atRest();
  }

  @Test
  void aNodeComesAndAnotherGoes() throws EngineException {
    ClusterSnapshot before = atRest();
    NodeId added = provider().add("contract/1", Profile.HOMOGENEOUS, List.of(), CALL_LIMIT);
    assertThat(provider().add("contract/1", Profile.HOMOGENEOUS, List.of(), CALL_LIMIT))
        .as("the same request again")
        .isEqualTo(added);
    engine().awaitNode(added, 0, CALL_LIMIT);
    whole(s -> s.liveNodes().size() == 4);
    for (NodeState old : before.nodes()) {
      engine().cleanup(old.id(), CALL_LIMIT);
    }

    NodeId leaving = before.nodes().get(0).id();
    if (can(Capability.PLACEMENT)) {
      engine().setDraining(leaving, true);
      for (PartitionState p : engine().snapshot().partitions()) {
        if (p.node().filter(leaving::equals).isPresent()) {
          engine().move(p.id(), added, CALL_LIMIT);
        }
      }
    }
    engine().vacate(leaving, CALL_LIMIT);
    engine().vacate(leaving, CALL_LIMIT);
    provider().remove(leaving, CALL_LIMIT);
    provider().remove(leaving, CALL_LIMIT);

    ClusterSnapshot after = atRest();
    assertThat(after.nodes()).extracting(NodeState::id).contains(added).doesNotContain(leaving);
  }
}
