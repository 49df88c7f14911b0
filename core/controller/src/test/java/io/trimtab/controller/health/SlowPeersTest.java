package io.trimtab.controller.health;

import static io.trimtab.controller.health.UnreadCluster.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.RequestTimes;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Four nodes that serve alike, looked at every 30 s; node 2 may be slower. */
class SlowPeersTest {
  private static final Duration GAP_MAX = Duration.ofSeconds(60);
  private static final HealthSettings MINUTE =
      HealthSettings.builder().slowFor(Duration.ofSeconds(60)).build();

  private SlowPeers peers = SlowPeers.NONE;
  private int seconds;

  private static NodeState node(NodeState node, long requests, double ms) {
    return node.with(node.usage(), NodeGauges.UNKNOWN.with(new RequestTimes(requests, ms, 0)));
  }

  private ClusterSnapshot seen(UnaryOperator<NodeState> second, Integer... unread) {
    seconds += 30;
    ClusterSnapshot all = UnreadCluster.of(Ownership.ASSIGNED, 4, 0.5, unread);
    List<NodeState> nodes = new ArrayList<>();
    for (NodeState node : all.nodes()) {
      NodeState plain = node.readable() ? node(node, 100L * seconds, 8) : node;
      nodes.add(node.id().equals(id(2)) ? second.apply(plain) : plain);
    }
    return all.with(nodes, all.partitions(), all.gaps())
        .at(RandomCluster.NOW.plusSeconds(seconds), OptionalLong.empty());
  }

  private void look(int times, UnaryOperator<NodeState> second, Integer... unread) {
    for (int i = 0; i < times; i++) {
      peers = peers.append(seen(second, unread), MINUTE, GAP_MAX);
    }
  }

  private UnaryOperator<NodeState> taking(double ms) {
    return plain -> node(plain, plain.gauges().times().requests(), ms);
  }

  @Test
  void aNodeWhoseRequestsTakeLongIsSlowAfterAWhile() {
    look(2, taking(90));
    assertThat(peers.now(MINUTE)).as("not long enough").isEmpty();
    look(1, taking(90));

    assertThat(peers.now(MINUTE))
        .singleElement()
        .satisfies(
            slow -> {
              assertThat(slow.node()).isEqualTo(id(2));
              assertThat(slow.text())
                  .isEqualTo(
                      "n2:1 is slower than its peers, for 60 s: 99th percentile of requests 90 ms,"
                          + " peers 8 ms");
              assertThat(slow.answers()).isEqualTo(90.0 / 8);
            });
    assertThat(peers.fair(id(1))).isTrue();
    assertThat(peers.fair(id(2))).isFalse();
  }

  @Test
  void oneLookAtWhichItIsNotSlowEndsIt() {
    look(3, taking(90));
    look(1, taking(9));
    assertThat(peers.now(MINUTE)).isEmpty();
    assertThat(peers.fair(id(2))).isTrue();
    look(2, taking(90));
    assertThat(peers.now(MINUTE)).isEmpty();
  }

  @Test
  void aNodeThatServesMuchMoreIsLoadedAndNotSlow() {
    look(5, plain -> node(plain, 3 * plain.gauges().times().requests(), 90));
    assertThat(peers.now(MINUTE)).isEmpty();
  }

  @Test
  void differencesOfMillisecondsMeanNothing() {
    look(5, taking(14));
    assertThat(peers.now(MINUTE)).isEmpty();
  }

  @Test
  void queuesAndDisksAreComparedToo() {
    look(
        3,
        plain ->
            plain.with(
                new NodeUsage(0.1, 0, 0.9, 0),
                new NodeGauges(-1, -1, -1, -1, -1, -1, -1, -1, -1, 40, 3, -1, Map.of())));
    assertThat(peers.now(MINUTE).get(0).signals())
        .as("nobody's queue is known beside its own")
        .containsExactly("I/O wait 90 %, peers 0 %");
    assertThat(peers.now(MINUTE).get(0).answers()).as("as fast as its peers").isEqualTo(1);
  }

  /** A busy disk says nothing beside how long others' CPUs wait. */
  @Test
  void aBusyDiskIsComparedWithDisksOnly() {
    NodeUsage busy =
        new NodeUsage(0.1, 0, 0, 0, WaitSource.UNKNOWN, NodeLimits.UNKNOWN, OptionalDouble.of(0.9));
    look(3, plain -> node(plain.with(busy, plain.gauges()), plain.gauges().times().requests(), 8));
    assertThat(peers.now(MINUTE)).isEmpty();
  }

  /** A node that its partitions have left must not get them back for that. */
  @Test
  void oneThatServesTooLittleToTellStaysLate() {
    look(3, taking(90));
    UnaryOperator<NodeState> idle = plain -> node(plain, 9_000 + (seconds - 90) / 6, 2);
    look(100, idle);
    assertThat(peers.now(MINUTE)).extracting(SlowPeer::answers).containsExactly(90.0 / 8);
    assertThat(peers.fair(id(2))).isFalse();

    look(30, idle);
    assertThat(peers.now(MINUTE)).as("after an hour nobody knows").isEmpty();
  }

  @Test
  void fewRequestsMakeNobodySlow() {
    look(5, plain -> node(plain, 9_000 + seconds / 6, 90));
    assertThat(peers.now(MINUTE)).isEmpty();
  }

  @Test
  void theLeastThatAllLooksHaveToldCounts() {
    look(2, taking(90));
    look(1, taking(40));
    look(2, taking(120));
    assertThat(peers.now(MINUTE)).extracting(SlowPeer::answers).containsExactly(5.0);
  }

  /** It may serve many times as much as the others. */
  @Test
  void oneWhoseRequestsNobodyCountsIsNotKnownToBeLate() {
    look(5, plain -> node(plain, -1, 90));
    assertThat(peers.now(MINUTE)).extracting(SlowPeer::answers).containsExactly(1.0);
  }

  @Test
  void aNodeWhoseDiskHasLongBeenBusyIsLateFromWhenUsersWait() {
    look(10, waiting(8));
    look(1, waiting(90));
    assertThat(peers.now(MINUTE)).extracting(SlowPeer::answers).containsExactly(1.0);
    look(2, waiting(90));
    assertThat(peers.now(MINUTE)).extracting(SlowPeer::answers).containsExactly(90.0 / 8);
    look(1, waiting(8));
    assertThat(peers.now(MINUTE)).extracting(SlowPeer::answers).containsExactly(1.0);
  }

  private static UnaryOperator<NodeState> waiting(double ms) {
    return plain ->
        node(
            plain.with(new NodeUsage(0.1, 0, 0.9, 0), plain.gauges()),
            plain.gauges().times().requests(),
            ms);
  }

  @Test
  void peersThatCouldNotBeReadDoNotCount() {
    look(3, taking(90), 0);
    assertThat(peers.now(MINUTE)).extracting(SlowPeer::node).containsExactly(id(2));
    peers = SlowPeers.NONE;
    look(3, taking(90), 0, 1);
    assertThat(peers.now(MINUTE)).as("one peer says nothing").isEmpty();
  }

  @Test
  void afterALongGapNothingFromBeforeCounts() {
    look(2, taking(90));
    seconds += 600;
    look(1, taking(90));
    assertThat(peers.now(MINUTE)).isEmpty();
  }

  @Test
  void whereCoordinatorsChooseAmongReplicasTheyKnowBetter() {
    look(5, plain -> taking(90).apply(plain).with(new CoordinatorView("c3", false, List.of())));
    assertThat(peers.now(MINUTE)).isEmpty();
    assertThat(peers.fair(id(1))).isFalse();
  }
}
