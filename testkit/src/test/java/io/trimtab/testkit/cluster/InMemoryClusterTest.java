package io.trimtab.testkit.cluster;

import static io.trimtab.testkit.cluster.SmallCluster.after;
import static io.trimtab.testkit.cluster.SmallCluster.assigned;
import static io.trimtab.testkit.cluster.SmallCluster.first;
import static io.trimtab.testkit.cluster.SmallCluster.node;
import static io.trimtab.testkit.cluster.SmallCluster.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.testkit.Seeds;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.oracle.StateOracle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class InMemoryClusterTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration PERIOD = Duration.ofSeconds(30);

  /** Moves, a restart, a death, an addition; all that a history has. */
  private static List<ClusterSnapshot> history(ClusterSpec spec) throws EngineException {
    InMemoryCluster cluster = new InMemoryCluster(spec);
    cluster.faults().on(Verb.SNAPSHOT, 3, Kind.GAP).on(Verb.ADD, 1, Kind.SLOW);
    Engine engine = cluster.engine();
    List<ClusterSnapshot> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      cluster.clock().advance(PERIOD);
      all.add(engine.snapshot());
      List<NodeState> live = engine.snapshot().liveNodes();
      if (i == 5) {
        cluster.provider().add("a", Profile.READ, List.of(), LIMIT);
      } else if (i == 15 && live.size() > 1) {
        cluster.kill(live.get(0).id());
      } else if (i == 25) {
        cluster.provider().restart(live.get(live.size() - 1).id(), LIMIT);
      }
    }
    return all;
  }

  @Test
  void theSameSeedGivesTheSameSnapshots() {
    Seeds.forEach(
        20,
        seed ->
            assertThat(history(RandomClusters.spec(seed).withSpare(2)).toString())
                .isEqualTo(history(RandomClusters.spec(seed).withSpare(2)).toString()));
  }

  @Test
  void countersFollowTheScriptAndStartAgainAfterAMove() throws EngineException {
    InMemoryCluster cluster =
        assigned(
            2,
            read(2, 1_000_000, 100)
                .with(LoadScript.steps(Access.reads(100), Duration.ofMinutes(1), 1, 3)));
    assertThat(after(cluster, Duration.ofMinutes(1)).partitions())
        .allSatisfy(
            p -> assertThat(p.counters().orElseThrow().pointReads()).isBetween(2_950L, 3_050L));
    assertThat(after(cluster, Duration.ofMinutes(1)).partitions())
        .allSatisfy(
            p -> assertThat(p.counters().orElseThrow().pointReads()).isBetween(11_800L, 12_050L));

    PartitionState p = first(cluster);
    NodeId to = p.node().orElseThrow().equals(node(1)) ? node(2) : node(1);
    cluster.engine().move(p.id(), to, LIMIT);
    assertThat(first(cluster).counters().orElseThrow().pointReads()).isZero();
    assertThat(first(cluster).locality()).isZero();
    cluster.engine().compact(p.id(), LIMIT);
    assertThat(first(cluster).locality()).isOne();
  }

  @Test
  void verbsTakeVirtualTime() throws EngineException {
    InMemoryCluster cluster = assigned(2, read(2, 400_000_000, 1));
    Instant before = cluster.clock().instant();
    PartitionId p = first(cluster).id();
    cluster.engine().move(p, node(2), LIMIT);
    cluster.engine().move(p, node(2), LIMIT);
    assertThat(Duration.between(before, cluster.clock().instant()))
        .isEqualTo(Duration.ofMillis(500));
    before = cluster.clock().instant();
    cluster.engine().compact(p, LIMIT);
    assertThat(Duration.between(before, cluster.clock().instant()))
        .isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void verbsFailHangComeLateAndTakeLonger() throws EngineException {
    InMemoryCluster cluster = assigned(2, read(4, 1_000_000, 1));
    Engine engine = cluster.engine();
    PartitionId p = first(cluster).id();
    NodeId from = first(cluster).node().orElseThrow();
    Duration limit = Duration.ofSeconds(10);
    cluster
        .faults()
        .on(Verb.MOVE, 1, Kind.FAIL)
        .on(Verb.MOVE, 2, Kind.HANG)
        .on(Verb.MOVE, 3, Kind.LATE, Duration.ofSeconds(5))
        .on(Verb.MOVE, 4, Kind.SLOW, Duration.ofSeconds(4));
    assertThatThrownBy(() -> engine.move(p, node(2), limit)).hasMessageContaining("scripted");
    assertThat(engine.snapshot().partitionsInTransition()).isZero();

    Instant before = cluster.clock().instant();
    assertThatThrownBy(() -> engine.move(p, node(2), limit)).hasMessageContaining("within 10.0 s");
    assertThat(cluster.clock().instant()).isEqualTo(before.plus(limit));
    assertThat(first(cluster).node()).contains(from);

    assertThatThrownBy(() -> engine.move(p, node(2), limit)).hasMessageContaining("within 10.0 s");
    assertThat(engine.snapshot().partitionsInTransition()).isOne();
    assertThat(first(cluster).node()).isEmpty();
    assertThat(after(cluster, Duration.ofSeconds(5)).partitions().get(0).node()).contains(node(2));

    before = cluster.clock().instant();
    engine.move(p, node(1), limit);
    assertThat(cluster.clock().instant()).isEqualTo(before.plus(Duration.ofMillis(4_500)));
    assertThat(cluster.faults().calls(Verb.MOVE)).isEqualTo(4);
  }

  @Test
  void anInterruptEndsTheWaitAndNothingIsLeftInTransition() throws EngineException {
    VirtualClock clock = new VirtualClock();
    InMemoryCluster cluster =
        new InMemoryCluster(
            ClusterSpec.assigned(1, 2, read(2, 1_000_000, 1)),
            clock,
            time -> {
              throw new InterruptedException();
            });
    PartitionState p = first(cluster);
    assertThatThrownBy(() -> cluster.engine().move(p.id(), node(2), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(cluster.engine().snapshot().partitionsInTransition()).isZero();
    assertThat(first(cluster).node()).isEqualTo(p.node());
  }

  @Test
  void faultsOfOneNodeLeaveTheOthersAlone() throws EngineException {
    InMemoryCluster cluster = assigned(2, read(1, 1_000_000, 1));
    cluster.faults().always(Verb.APPLY_PROFILE, node(2), Kind.FAIL);
    cluster.engine().applyProfile(node(1), Profile.READ, LIMIT);
    assertThatThrownBy(() -> cluster.engine().applyProfile(node(2), Profile.READ, LIMIT))
        .isInstanceOf(EngineException.class);
    cluster.faults().clear();
    cluster.engine().applyProfile(node(2), Profile.READ, LIMIT);
  }

  @Test
  void snapshotsHaveGapsNaNsAndGoStale() throws EngineException {
    InMemoryCluster cluster = assigned(2, read(2, 1_000_000, 1));
    cluster
        .faults()
        .on(Verb.SNAPSHOT, node(2), 1, Kind.GAP)
        .on(Verb.SNAPSHOT, node(2), 2, Kind.NAN)
        .on(Verb.SNAPSHOT, 4, Kind.STALE)
        .on(Verb.SNAPSHOT, 5, Kind.FAIL);
    ClusterSnapshot gap = after(cluster, PERIOD);
    assertThat(gap.gaps().get(0)).contains(node(2).name());
    assertThat(gap.unreadNodes()).extracting(n -> n.id()).containsExactly(node(2));
    assertThat(gap.clusterGaps()).isEmpty();
    ClusterSnapshot unknown = after(cluster, PERIOD);
    assertThat(unknown.gaps()).isEmpty();
    assertThat(unknown.nodes().get(0).usage().server()).isNotNaN();
    assertThat(unknown.nodes().get(1).usage().server()).isNaN();
    ClusterSnapshot good = after(cluster, PERIOD);
    assertThat(after(cluster, PERIOD)).isSameAs(good);
    assertThatThrownBy(() -> cluster.engine().snapshot()).isInstanceOf(EngineException.class);
    assertThat(cluster.engine().snapshot().gaps()).isEmpty();
  }

  @Test
  void aDeadNodesPartitionsAreServedByOthersAfterAWhile() throws EngineException {
    InMemoryCluster cluster = assigned(3, read(9, 1_000_000, 90));
    cluster.killAfter(node(3), Duration.ofSeconds(10));
    ClusterSnapshot dying = after(cluster, Duration.ofSeconds(20));
    assertThat(dying.partitionsInTransition()).isEqualTo(3);
    assertThat(dying.node(node(3)).orElseThrow().alive()).isFalse();
    ClusterSnapshot later = after(cluster, Duration.ofSeconds(30));
    assertThat(later.partitionsInTransition()).isZero();
    assertThat(StateOracle.served(later)).isEmpty();
  }

  @Test
  void aMoveToANodeThatDiesMeanwhileFailsAndNothingIsLost() throws EngineException {
    InMemoryCluster cluster = assigned(3, read(3, 1_000_000, 1));
    cluster.killAfter(node(2), Duration.ofMillis(100));
    PartitionId p = first(cluster).id();
    assertThatThrownBy(() -> cluster.engine().move(p, node(2), LIMIT))
        .hasMessageContaining(node(2).name());
    assertThat(StateOracle.served(after(cluster, Duration.ofMinutes(2)))).isEmpty();
  }

  @Test
  void theNativeBalancerMovesOnlyWhileItIsOn() throws EngineException {
    InMemoryCluster cluster = assigned(2, read(8, 1_000_000, 1));
    for (PartitionState p : cluster.engine().snapshot().partitions()) {
      cluster.engine().move(p.id(), node(1), LIMIT);
    }
    assertThat(on(after(cluster, Duration.ofHours(1)))).containsEntry(node(1), 8L);
    cluster.engine().setBalancer(new BalancerState(true, false));
    assertThat(on(after(cluster, Duration.ofHours(1)))).containsEntry(node(1), 4L);
  }

  private static Map<NodeId, Long> on(ClusterSnapshot s) {
    return s.partitions().stream()
        .collect(Collectors.groupingBy(p -> p.node().orElseThrow(), Collectors.counting()));
  }

  @Test
  void splitHintsHalveTheRequests() throws EngineException {
    InMemoryCluster cluster =
        assigned(2, read(1, 100_000_000, 100).with(KeyDistribution.hot(0.8, 0.1, seconds -> 0.2)));
    assertThat(cluster.engine().splitHints().get(0).verdict()).isEqualTo(SplitHint.Verdict.WAIT);
    cluster.clock().advance(Duration.ofMinutes(5));
    SplitHint hint = cluster.engine().splitHints().get(0);
    assertThat(hint.verdict()).isEqualTo(SplitHint.Verdict.SPLIT);
    cluster.engine().split(hint.partition(), hint.key(), node(2), LIMIT);
    List<PartitionState> halves = after(cluster, Duration.ofMinutes(1)).partitions();
    double left = halves.get(0).counters().orElseThrow().pointReads();
    double right = halves.get(1).counters().orElseThrow().pointReads();
    assertThat(left / (left + right)).isCloseTo(hint.leftShare(), within(0.02));
    assertThat(left / (left + right)).isCloseTo(0.5, within(0.02));
  }

  @Test
  void hotKeysMoveWithTime() throws EngineException {
    InMemoryCluster cluster =
        assigned(
            2,
            read(2, 1_000_000, 100)
                .with(KeyDistribution.hot(1, 0.1, seconds -> seconds < 601 ? 0.1 : 0.8)));
    ClusterSnapshot early = after(cluster, Duration.ofMinutes(10));
    ClusterSnapshot late = after(cluster, Duration.ofMinutes(10));
    assertThat(early.partitions().get(1).counters().orElseThrow().pointReads()).isZero();
    assertThat(late.partitions().get(0).counters()).isEqualTo(early.partitions().get(0).counters());
    assertThat(late.partitions().get(1).counters().orElseThrow().pointReads()).isPositive();
  }

  @Test
  void histogramsCountWhatIsAskedForFromTheFirstCallOn() throws EngineException {
    InMemoryCluster cluster = assigned(1, read(1, 64_000_000, 100).withSkew(0.5));
    cluster.clock().advance(Duration.ofMinutes(5));
    assertThat(cluster.engine().histograms().get(0).bins()).allMatch(b -> b.count() == 0);
    cluster.clock().advance(Duration.ofMinutes(1));
    var histogram = cluster.engine().histograms().get(0);
    double all = histogram.bins().stream().mapToDouble(b -> b.count() * b.blocks()).sum();
    double blocks = histogram.bins().stream().mapToDouble(b -> b.blocks()).sum();
    assertThat(all).isCloseTo(6_000, within(10.0));
    assertThat(blocks * histogram.blockBytes()).isCloseTo(64_000_000, within(1.0));
    assertThat(histogram.bins().get(0).count())
        .isGreaterThan(histogram.bins().get(histogram.bins().size() - 1).count());
  }

  @Test
  void whereChanceCountsBlocksAskedForAlikeDiffer() throws EngineException {
    // One request for each of 1,000 blocks, on average.
    ClusterSpec spec = ClusterSpec.assigned(1, 1, read(1, 65_536_000, 10));
    var even = counted(spec);
    var drawn = counted(spec.withChance(true));

    assertThat(even).allSatisfy(bin -> assertThat(bin.count()).isCloseTo(1, within(0.01)));
    assertThat(blocks(drawn, 0)).isCloseTo(368, within(2.0));
    assertThat(blocks(drawn, 2)).isCloseTo(184, within(2.0));
  }

  private static List<BlockHistogram.Bin> counted(ClusterSpec spec) throws EngineException {
    InMemoryCluster cluster = new InMemoryCluster(spec);
    cluster.engine().histograms();
    cluster.clock().advance(Duration.ofSeconds(100));
    return cluster.engine().histograms().get(0).bins();
  }

  private static double blocks(List<BlockHistogram.Bin> bins, double count) {
    return bins.stream().filter(b -> b.count() == count).mapToDouble(b -> b.blocks()).sum();
  }

  @Test
  void controlIsLostOnDemand() throws EngineException {
    InMemoryCluster cluster = assigned(1, read(1, 1, 1));
    ControlLock lock = cluster.engine().takeControl("a");
    cluster.control().lose();
    assertThat(lock.held()).isFalse();
    try (ControlLock other = cluster.engine().takeControl("b")) {
      lock.close();
      assertThat(other.held()).as("closing what is lost frees nothing").isTrue();
    }
  }

  @Test
  void machinesAreCounted() throws EngineException {
    InMemoryCluster cluster =
        new InMemoryCluster(ClusterSpec.assigned(1, 2, read(1, 1, 1)).withSpare(1));
    assertThat(cluster.provider().spare()).isOne();
    NodeId added = cluster.provider().add("a", Profile.READ, List.of(), LIMIT);
    assertThat(cluster.provider().spare()).isZero();
    assertThatThrownBy(() -> cluster.provider().add("b", Profile.READ, List.of(), LIMIT))
        .hasMessageContaining("no machine is left");
    cluster.provider().remove(added, LIMIT);
    assertThat(cluster.provider().spare()).isOne();
  }
}
