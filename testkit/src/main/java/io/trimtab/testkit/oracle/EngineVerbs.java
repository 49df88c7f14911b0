package io.trimtab.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What every engine must do whether it runs on real processes or in memory; each test begins with a
 * cluster of live nodes. Engines declare by capabilities what they support.
 */
public interface EngineVerbs {
  /** Of one call of an engine. */
  Duration CALL_LIMIT = Duration.ofSeconds(300);

  /** What not every engine has. */
  enum Capability {
    /** Partitions that can be taken to another node, split and merged. */
    PLACEMENT,
    /** Memory splits that change without a restart. */
    ONLINE_PROFILES,
    /** Caches and rates of a node that change while it runs. */
    NODE_SETTINGS
  }

  Set<Capability> can();

  Engine engine();

  /** The first snapshot without gaps and blockers, all partitions served, that is as expected. */
  ClusterSnapshot whole(Predicate<ClusterSnapshot> expected) throws EngineException;

  default boolean can(Capability capability) {
    return can().contains(capability);
  }

  /** Nodes with which each test begins, ≥ 3. */
  default int size() {
    return 3;
  }

  default ClusterSnapshot atRest() throws EngineException {
    return whole(s -> s.liveNodes().size() == size());
  }

  @Test
  default void theSnapshotReportsTheNodesAsTheyAre() throws EngineException {
    ClusterSnapshot snapshot = atRest();

    assertThat(snapshot.clusterId()).isNotBlank().isEqualTo(engine().snapshot().clusterId());
    assertThat(snapshot.version()).matches("\\d+\\.\\d+.*");
    assertThat(snapshot.ownership())
        .isEqualTo(can(Capability.PLACEMENT) ? Ownership.ASSIGNED : Ownership.TOKENS);
    assertThat(snapshot.nodes()).extracting(NodeState::id).isSorted();
    assertThat(snapshot.partitions()).extracting(PartitionState::id).isSorted();
    for (NodeState node : snapshot.nodes()) {
      assertThat(node.alive()).isTrue();
      assertThat(node.draining()).isFalse();
      assertThat(node.incarnation()).isPositive();
      assertThat(node.onlineProfile()).isEqualTo(can(Capability.ONLINE_PROFILES));
      assertThat(node.usage().server()).isBetween(0.0, 1.0);
      assertThat(node.gauges().heapUsedBytes()).isBetween(1L, node.gauges().heapMaxBytes());
      assertThat(node.gauges().memoryUsedBytes()).isPositive();
      assertThat(node.gauges().cacheUsedBytes()).isBetween(0L, node.gauges().cacheMaxBytes());
      assertThat(node.gauges().gcMillis()).isNotNegative();
      assertThat(node.gauges().times().requests()).isNotNegative();
      assertThat(node.gauges().times().refused()).isNotNegative();
    }
  }

  @Test
  default void thereIsOneControllerAtATime() throws EngineException {
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
  default void everyControllerHasAGreaterEpochAndOnlyTheNewestWrites() throws Exception {
    ControlLock first = engine().takeControl("first");
    byte[] large = new byte[2 << 20];
    new Random(1).nextBytes(large);
    first.write("contract", large);
    assertThat(engine().shared().read("contract").orElseThrow()).isEqualTo(large);
    assertThat(engine().shared().holder().orElseThrow().name()).startsWith("first (");
    first.close();
    assertThat(engine().shared().holder()).isEmpty();
    try (ControlLock second = engine().takeControl("second")) {
      assertThat(second.epoch()).isGreaterThan(first.epoch());
      second.write("contract", new byte[] {7});
      assertThatThrownBy(() -> first.write("contract", new byte[] {1}))
          .isInstanceOf(LostControlException.class);
      assertThat(first.held()).isFalse();
      assertThat(engine().shared().read("contract").orElseThrow()).containsExactly(7);
      second.write("contract", new byte[0]);
      assertThat(engine().shared().read("contract")).isEmpty();
    }
  }

  @Test
  default void ofContendersAtOnceOneWins() throws Exception {
    int contenders = 4;
    List<Callable<Optional<ControlLock>>> tries =
        Collections.nCopies(
            contenders,
            () -> {
              try {
                return Optional.of(engine().takeControl("contender"));
              } catch (ControlTakenException e) {
                return Optional.empty();
              }
            });
    ExecutorService threads = Executors.newFixedThreadPool(contenders);
    try {
      List<ControlLock> won = new ArrayList<>();
      for (Future<Optional<ControlLock>> end : threads.invokeAll(tries)) {
        end.get().ifPresent(won::add);
      }
      assertThat(won).hasSize(1);
      assertThat(won.get(0).held()).isTrue();
      won.get(0).close();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  default void aStopRequestReachesTheController() throws Exception {
    try (ControlLock lock = engine().takeControl("asked")) {
      Set<String> before = engine().shared().stopRequests();
      engine().shared().requestStop("the contract");
      for (int i = 0; before.containsAll(lock.stopRequests()); i++) {
        assertThat(i).as("tenths of a second").isLessThan(50);
        TimeUnit.MILLISECONDS.sleep(100);
      }
      assertThat(engine().shared().stopRequests()).isNotEqualTo(before);
    }
  }

  @Test
  default void whatItCantDoItRefusesInOneLine() throws EngineException {
    NodeId node = engine().snapshot().nodes().get(0).id();
    PartitionId nothing = new PartitionId("t", "p");
    List<ThrowingCallable> refused = new ArrayList<>();
    refused.add(() -> engine().move(nothing, node, CALL_LIMIT));
    refused.add(() -> engine().split(nothing, RowKey.of(new byte[] {1}), node, CALL_LIMIT));
    refused.add(() -> engine().merge(nothing, nothing, KeyRange.ALL, CALL_LIMIT));
    if (!can(Capability.PLACEMENT)) {
      refused.add(() -> engine().setDraining(node, true));
    }
    if (!can(Capability.ONLINE_PROFILES)) {
      refused.add(() -> engine().applyProfile(node, Profile.READ, CALL_LIMIT));
    }
    if (!can(Capability.NODE_SETTINGS)) {
      for (NodeSetting setting : NodeSetting.values()) {
        refused.add(() -> engine().set(node, setting, 16, CALL_LIMIT));
      }
    }
    NodeId nobody = new NodeId("127.99.99.99:1");
    refused.add(() -> engine().applyProfile(nobody, Profile.READ, CALL_LIMIT));
    refused.add(() -> engine().set(nobody, NodeSetting.KEY_CACHE, 1, CALL_LIMIT));
    refused.add(() -> engine().awaitNode(nobody, 0, Duration.ofSeconds(2)));
    for (ThrowingCallable each : refused) {
      assertThatThrownBy(each)
          .isInstanceOf(EngineException.class)
          .message()
          .isNotBlank()
          .doesNotContain("\n");
    }
    // Every engine can be asked to pause its balancer, and for hints that it may not have.
    engine().pauseBalancer(Duration.ofMinutes(2));
    assertThat(engine().snapshot().balancer()).isEqualTo(BalancerState.PAUSED);
    assertThat(engine().splitHints()).isNotNull();
    engine().setDraining(node, false);
  }

  @Test
  default void nodesHaveWhatWasSet() throws EngineException {
    NodeState before = atRest().nodes().get(1);
    if (!can(Capability.NODE_SETTINGS)) {
      assertThat(before.settings()).isEmpty();
      return;
    }
    assertThat(before.settings()).containsOnlyKeys(NodeSetting.values());
    for (NodeSetting setting : NodeSetting.values()) {
      int was = before.settings().get(setting);

      engine().set(before.id(), setting, was + 3, CALL_LIMIT);

      NodeState after = engine().snapshot().node(before.id()).orElseThrow();
      assertThat(after.settings()).containsEntry(setting, was + 3);
      assertThat(after.incarnation()).as("it was not restarted").isEqualTo(before.incarnation());
      engine().set(before.id(), setting, was, CALL_LIMIT);
    }
    assertThat(engine().snapshot().node(before.id()).orElseThrow().settings())
        .isEqualTo(before.settings());
    NodeId nobody = new NodeId("127.99.99.99:9042");
    assertThatThrownBy(() -> engine().set(nobody, NodeSetting.KEY_CACHE, 1, CALL_LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining(nobody.name());
  }
}
