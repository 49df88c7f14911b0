package io.trimtab.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What every engine must do, whatever it runs on; each test begins with a cluster of three nodes
 * that is asked for something. Engines say what they can by flags.
 */
public abstract class EngineBehaviour {
  protected static final Duration LIMIT = Duration.ofSeconds(300);

  /** What not every engine has. */
  public enum Capability {
    /** Partitions that can be taken to another node, split and merged. */
    PLACEMENT,
    /** Memory splits that change without a restart. */
    ONLINE_PROFILES,
    /** Caches and rates of a node that change while it runs. */
    NODE_SETTINGS
  }

  protected abstract Set<Capability> can();

  protected abstract Engine engine();

  protected abstract NodeProvider provider();

  /** Lets time pass while clients go on asking. */
  protected abstract void pass(Duration time);

  protected abstract void kill(NodeId node);

  /** Starts the process of a node that was killed. */
  protected abstract void start(NodeId node);

  private boolean can(Capability capability) {
    return can().contains(capability);
  }

  /** The first whole snapshot as wanted, looked for at most five minutes. */
  protected ClusterSnapshot whole(Predicate<ClusterSnapshot> wanted) throws EngineException {
    ClusterSnapshot now = engine().snapshot();
    for (int i = 0; i < 600; i++) {
      if (now.gaps().isEmpty()
          && now.partitionsInTransition() == 0
          && now.blockers().isEmpty()
          && now.partitions().stream().allMatch(p -> p.node().isPresent())
          && wanted.test(now)) {
        return now;
      }
      pass(Duration.ofMillis(500));
      now = engine().snapshot();
    }
    throw new AssertionError("not as wanted after five minutes: " + now);
  }

  private ClusterSnapshot three() throws EngineException {
    return whole(s -> s.liveNodes().size() == 3);
  }

  @Test
  void theSnapshotTellsTheNodesAsTheyAre() throws EngineException {
    ClusterSnapshot snapshot = three();

    assertThat(snapshot.clusterId()).isNotBlank().isEqualTo(engine().snapshot().clusterId());
    assertThat(snapshot.version()).matches("\\d+\\.\\d+.*");
    assertThat(snapshot.ownership())
        .isEqualTo(can(Capability.PLACEMENT) ? Ownership.ASSIGNED : Ownership.TOKENS);
    assertThat(snapshot.nodes()).extracting(NodeState::id).isSorted();
    assertThat(snapshot.partitions()).extracting(PartitionState::id).isSorted();
    for (NodeState node : snapshot.nodes()) {
      assertThat(node.draining()).isFalse();
      assertThat(node.incarnation()).isPositive();
      assertThat(node.onlineProfile()).isEqualTo(can(Capability.ONLINE_PROFILES));
      assertThat(node.usage().server()).isBetween(0.0, 1.0);
      assertThat(node.gauges().heapUsedBytes()).isBetween(1L, node.gauges().heapMaxBytes());
      assertThat(node.gauges().cacheUsedBytes()).isBetween(0L, node.gauges().cacheMaxBytes());
    }
  }

  @Test
  void requestsAreCounted() throws EngineException {
    ClusterSnapshot before = three();
    pass(Duration.ofSeconds(10));
    ClusterSnapshot after = whole(s -> sum(s, PartitionCounters::pointReads) > 0);

    assertThat(after.takenAt()).isAfter(before.takenAt());
    assertThat(sum(after, PartitionCounters::pointReads))
        .isGreaterThan(sum(before, PartitionCounters::pointReads));
    assertThat(sum(after, PartitionCounters::writes))
        .isGreaterThan(sum(before, PartitionCounters::writes));
  }

  private static long sum(ClusterSnapshot s, ToLongFunction<PartitionCounters> what) {
    return s.partitions().stream().map(PartitionState::counters).mapToLong(what).sum();
  }

  @Test
  void thereIsOneControllerAtATime() throws EngineException {
    try (ControlLock lock = engine().takeControl("first")) {
      assertThat(lock.held()).isTrue();
      assertThatThrownBy(() -> engine().takeControl("second"))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("another controller is in charge")
          .hasMessageContaining("first (");
      assertThat(lock.held()).isTrue();
    }
    try (ControlLock lock = engine().takeControl("second")) {
      assertThat(lock.held()).isTrue();
    }
  }

  @Test
  void whatItCantDoItRefusesInOneLine() throws EngineException {
    NodeId node = engine().snapshot().nodes().get(0).id();
    PartitionId nothing = new PartitionId("t", "p");
    List<ThrowingCallable> refused = new ArrayList<>();
    refused.add(() -> engine().move(nothing, node, LIMIT));
    refused.add(() -> engine().split(nothing, RowKey.of(new byte[] {1}), node, LIMIT));
    refused.add(() -> engine().merge(nothing, nothing, KeyRange.ALL, LIMIT));
    if (!can(Capability.PLACEMENT)) {
      refused.add(() -> engine().setDraining(node, true));
    }
    if (!can(Capability.ONLINE_PROFILES)) {
      refused.add(() -> engine().applyProfile(node, Profile.READ, LIMIT));
    }
    if (!can(Capability.NODE_SETTINGS)) {
      for (NodeSetting setting : NodeSetting.values()) {
        refused.add(() -> engine().set(node, setting, 16, LIMIT));
      }
    }
    NodeId nobody = new NodeId("127.99.99.99:1");
    refused.add(() -> engine().applyProfile(nobody, Profile.READ, LIMIT));
    refused.add(() -> engine().set(nobody, NodeSetting.KEY_CACHE, 1, LIMIT));
    refused.add(() -> engine().awaitNode(nobody, 0, Duration.ofSeconds(2)));
    for (ThrowingCallable each : refused) {
      assertThatThrownBy(each)
          .isInstanceOf(EngineException.class)
          .message()
          .isNotBlank()
          .doesNotContain("\n");
    }
    engine().setBalancer(BalancerState.PAUSED);
    assertThat(engine().snapshot().balancer()).isEqualTo(BalancerState.PAUSED);
    assertThat(engine().splitHints()).isNotNull();
    engine().setDraining(node, false);
  }

  @Test
  void nodesHaveWhatWasSet() throws EngineException {
    NodeState before = three().nodes().get(1);
    if (!can(Capability.NODE_SETTINGS)) {
      assertThat(before.settings()).isEmpty();
      return;
    }
    assertThat(before.settings()).containsOnlyKeys(NodeSetting.values());
    for (NodeSetting setting : NodeSetting.values()) {
      int was = before.settings().get(setting);
      engine().set(before.id(), setting, was + 3, LIMIT);
      NodeState after = engine().snapshot().node(before.id()).orElseThrow();
      assertThat(after.settings()).containsEntry(setting, was + 3);
      assertThat(after.incarnation()).as("it was not restarted").isEqualTo(before.incarnation());
    }
  }

  @Test
  void aProfileIsAppliedOnlineOrFoundByTheNextStart() throws EngineException {
    NodeState before = three().nodes().get(0);
    if (can(Capability.ONLINE_PROFILES)) {
      engine().applyProfile(before.id(), Profile.WRITE, LIMIT);
      engine().applyProfile(before.id(), Profile.WRITE, LIMIT);
      NodeState after = engine().snapshot().node(before.id()).orElseThrow();
      assertThat(after.incarnation()).isEqualTo(before.incarnation());
      assertThat(after.profile().orElseThrow().sameCache(Profile.WRITE)).isTrue();
    }
    provider().persist(before.id(), Profile.READ);
    provider().restart(before.id(), LIMIT);
    engine().awaitNode(before.id(), before.incarnation(), LIMIT);
    NodeState after = engine().snapshot().node(before.id()).orElseThrow();
    assertThat(after.profile().orElseThrow().sameMemory(Profile.READ)).isTrue();
    assertThat(after.incarnation()).isNotEqualTo(before.incarnation());
  }

  @Test
  void aPartitionIsMovedSplitAndMergedAndEachAgainChangesNothing() throws EngineException {
    if (!can(Capability.PLACEMENT)) {
      return;
    }
    engine().setBalancer(BalancerState.PAUSED);
    ClusterSnapshot before = three();
    PartitionState p = before.partitions().get(0);
    NodeId to = other(before, p.node().orElseThrow());
    for (int i = 0; i < 2; i++) {
      engine().move(p.id(), to, LIMIT);
      assertThat(engine().snapshot().partition(p.id()).orElseThrow().node()).contains(to);
    }
    RowKey key = new RowKey("0001");
    for (int i = 0; i < 2; i++) {
      engine().split(p.id(), key, p.node().orElseThrow(), LIMIT);
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
      engine().merge(halves.get(0).id(), halves.get(1).id(), p.range(), LIMIT);
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
    ClusterSnapshot before = three();
    NodeState victim = before.nodes().get(2);
    kill(victim.id());
    whole(s -> s.node(victim.id()).filter(n -> !n.alive()).isPresent());
    assertThat(engine().snapshot().liveNodes()).hasSize(2);

    start(victim.id());
    engine().awaitNode(victim.id(), victim.incarnation(), LIMIT);
    three();
  }

  @Test
  void aNodeComesAndAnotherGoes() throws EngineException {
    ClusterSnapshot before = three();
    NodeId added = provider().add("contract/1", Profile.HOMOGENEOUS, List.of(), LIMIT);
    assertThat(provider().add("contract/1", Profile.HOMOGENEOUS, List.of(), LIMIT))
        .as("the same request again")
        .isEqualTo(added);
    engine().awaitNode(added, 0, LIMIT);
    whole(s -> s.liveNodes().size() == 4);
    for (NodeState old : before.nodes()) {
      engine().cleanup(old.id(), LIMIT);
    }

    NodeId leaving = before.nodes().get(0).id();
    if (can(Capability.PLACEMENT)) {
      engine().setDraining(leaving, true);
      for (PartitionState p : engine().snapshot().partitions()) {
        if (p.node().filter(leaving::equals).isPresent()) {
          engine().move(p.id(), added, LIMIT);
        }
      }
    }
    engine().vacate(leaving, LIMIT);
    engine().vacate(leaving, LIMIT);
    provider().remove(leaving, LIMIT);
    provider().remove(leaving, LIMIT);

    ClusterSnapshot after = three();
    assertThat(after.nodes()).extracting(NodeState::id).contains(added).doesNotContain(leaving);
  }
}
