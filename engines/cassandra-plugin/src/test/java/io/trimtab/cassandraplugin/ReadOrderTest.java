package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.plugincore.ranking.RackPenalty;
import io.trimtab.plugincore.ranking.RankingKind;
import io.trimtab.plugincore.ranking.Told;
import io.trimtab.plugincore.ranking.Views;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.AbstractEndpointSnitch;
import org.apache.cassandra.locator.EndpointsForRange;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReadOrderTest {
  private static final String REQUESTS = "Native-Transport-Requests-1";

  /** Each thread in which Cassandra 5.0 orders replicas for something else than a client's read. */
  private static final List<String> OTHERS =
      List.of(
          // Sources of a node that joins or takes a dead one's place (RangeStreamer).
          "main",
          // Of rebuild and move (RangeStreamer, RangeRelocator), and of what a move leaves.
          "RMI TCP Connection(12)-127.0.0.1",
          // Of what is missing after a node was removed (StorageService.getNewSourceReplicas).
          "GossipStage:1",
          // Where a node that leaves sends its hints (getPreferredHintsStreamTarget).
          "HintsDispatcher:1",
          // Reads that Cassandra does for itself: roles, batches, counters, views, repair.
          "Native-Transport-Auth-Requests-1",
          "BatchlogTasks:1",
          "CounterMutationStage-1",
          "MutationStage-1",
          "ReadRepairStage-1",
          "ViewMutationStage-1");

  private static final Range<Token> RANGE = new Range<>(new LongToken(0), new LongToken(1000));

  private final Map<InetAddressAndPort, String> centres = new HashMap<>();

  /**
   * Own data centre first, then by name of data centre; the order is otherwise that of Cassandra.
   */
  private final AbstractEndpointSnitch topology =
      new AbstractEndpointSnitch() {
        @Override
        public int compareEndpoints(InetAddressAndPort self, Replica one, Replica other) {
          return Boolean.compare(
              getDatacenter(other.endpoint()).equals("here"),
              getDatacenter(one.endpoint()).equals("here"));
        }

        @Override
        public String getRack(InetAddressAndPort endpoint) {
          return "rack";
        }

        @Override
        public String getDatacenter(InetAddressAndPort endpoint) {
          return centres.get(endpoint);
        }
      };

  private InetAddressAndPort node(int number, String centre) {
    try {
      byte[] address = {10, 0, (byte) (number / 256), (byte) number};
      InetAddressAndPort node =
          InetAddressAndPort.getByAddressOverrideDefaults(InetAddress.getByAddress(address), 7000);
      centres.put(node, centre);
      return node;
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static EndpointsForRange replicas(List<InetAddressAndPort> nodes) {
    EndpointsForRange.Builder builder = EndpointsForRange.builder(RANGE, nodes.size());
    nodes.forEach(node -> builder.add(Replica.fullReplica(node, RANGE)));
    return builder.build();
  }

  private EndpointsForRange ordered(
      CoordinatorRanking ranking, InetAddressAndPort self, EndpointsForRange replicas) {
    return new TrimtabSnitch(topology, ranking, () -> {}).sortedByProximity(self, replicas);
  }

  private static <T> T by(String thread, Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    Thread its = new Thread(task, thread);
    its.start();
    its.join();
    return task.get();
  }

  private static List<InetAddressAndPort> nodes(EndpointsForRange replicas) {
    return replicas.stream().map(Replica::endpoint).collect(Collectors.toList());
  }

  /** Whatever is known: nothing is dropped, doubled or added, and data centres stay in order. */
  @ParameterizedTest
  @EnumSource(RankingKind.class)
  void anOrderIsAPermutationWithinEachDataCentre(RankingKind kind) throws Exception {
    Random random = new Random(kind.ordinal());
    CoordinatorRanking ranking = new CoordinatorRanking(kind.toString(), false);
    InetAddressAndPort self = node(0, "here");
    for (int round = 0; round < 2_000; round++) {
      List<InetAddressAndPort> nodes = new ArrayList<>();
      int count = 1 + random.nextInt(7);
      while (nodes.size() < count) {
        int number = random.nextInt(20);
        InetAddressAndPort node = node(number, number < 10 ? "here" : number < 15 ? "a" : "b");
        if (!nodes.contains(node)) {
          nodes.add(node);
        }
      }
      ranking.localFirst(random.nextBoolean());
      ranking.penalize(new RackPenalty(1 + random.nextInt(3) * random.nextDouble() * 400));
      String[] racks = new String[20];
      Arrays.setAll(racks, i -> random.nextInt(4) == 0 ? null : "r" + random.nextInt(3));
      ranking.placed("r0", racks);
      nodes.forEach(node -> heard(ranking, node, random));
      EndpointsForRange given = replicas(nodes);
      List<InetAddressAndPort> stock = nodes(topology.sortedByProximity(self, given));

      List<InetAddressAndPort> order = by(REQUESTS, () -> nodes(ordered(ranking, self, given)));

      assertThat(order).containsExactlyInAnyOrderElementsOf(stock);
      assertThat(order.stream().map(centres::get))
          .containsExactlyElementsOf(stock.stream().map(centres::get).collect(Collectors.toList()));
      int near = (int) stock.stream().filter(node -> centres.get(node).equals("here")).count();
      assertThat(order.subList(near, count)).isEqualTo(stock.subList(near, count));
      if (ranking.localFirst() && order.contains(self)) {
        assertThat(order.get(0)).isEqualTo(self);
      }
    }
    assertThat(ranking.fallenBack()).isZero();
    assertThat(ranking.ranked()).isPositive();
  }

  private static void heard(CoordinatorRanking ranking, InetAddressAndPort node, Random random) {
    int peer = ranking.peers().number(node);
    long now = System.nanoTime();
    Told told = new Told();
    told.queued = random.nextInt(100) - 1;
    told.service = random.nextInt(50_000_000);
    told.recentService = random.nextInt(50_000_000);
    ranking.learner().sent(peer, now);
    if (random.nextInt(4) == 0) {
      ranking.learner().lost(peer, now, 1_000);
    } else {
      ranking.learner().received(peer, now, 1 + random.nextInt(100_000_000), told);
    }
  }

  @Test
  void whatIsNoReadKeepsTheStockOrder() throws Exception {
    CoordinatorRanking ranking = new CoordinatorRanking("random", false);
    InetAddressAndPort self = node(0, "here");
    EndpointsForRange given =
        replicas(List.of(node(3, "here"), node(1, "here"), self, node(2, "here")));

    for (String thread : OTHERS) {
      assertThat(by(thread, () -> nodes(ordered(ranking, self, given))))
          .as(thread)
          .isEqualTo(nodes(given));
    }
    ranking.choose("off");
    assertThat(by(REQUESTS, () -> nodes(ordered(ranking, self, given)))).isEqualTo(nodes(given));
    assertThat(ranking.ranked()).isZero();
  }

  /** A node of another rack comes first only where it is faster by the factor. */
  @Test
  void aRackIsAPenaltyAndNoClass() throws Exception {
    CoordinatorRanking ranking = new CoordinatorRanking("c3", false);
    InetAddressAndPort self = node(0, "here");
    InetAddressAndPort near = node(1, "here");
    InetAddressAndPort far = node(2, "here");
    for (InetAddressAndPort node : List.of(near, far)) {
      int peer = ranking.peers().number(node);
      ranking.learner().sent(peer, 0);
      ranking.learner().received(peer, 1, node == near ? 3_000 : 2_000, new Told());
    }
    EndpointsForRange given = replicas(List.of(near, far));
    Callable<InetAddressAndPort> first = () -> nodes(ordered(ranking, self, given)).get(0);

    ranking.placed("a", new String[] {"a", "b"});
    assertThat(by(REQUESTS, first)).as("racks make no difference by default").isEqualTo(far);
    ranking.penalize(new RackPenalty(1.6));
    assertThat(by(REQUESTS, first)).isEqualTo(near);
    ranking.penalize(new RackPenalty(1.4));
    assertThat(by(REQUESTS, first)).isEqualTo(far);
    ranking.penalize(new RackPenalty(1.6));
    ranking.placed("b", new String[] {"a", "b"});
    assertThat(by(REQUESTS, first)).as("where this node is").isEqualTo(far);
    ranking.placed("c", new String[] {"a", "b"});
    assertThat(by(REQUESTS, first)).as("both in other racks").isEqualTo(far);
    assertThat(ranking.rackPenalty()).isEqualTo(1.6);
  }

  /** Another ranking, or one that begins anew, knows the racks at once. */
  @Test
  void racksOutliveTheRanking() throws Exception {
    CoordinatorRanking ranking = new CoordinatorRanking("least-outstanding", false);
    InetAddressAndPort self = node(0, "here");
    EndpointsForRange given = replicas(List.of(node(2, "here"), node(1, "here")));
    nodes(given).forEach(node -> ranking.peers().number(node));
    ranking.placed("a", new String[] {"b", "a"});
    ranking.penalize(new RackPenalty(2));

    for (int coordinators = 1; coordinators < 20; coordinators++) {
      ranking.sized(coordinators);
      for (int read = 0; read < 5; read++) {
        assertThat(by(REQUESTS, () -> nodes(ordered(ranking, self, given))))
            .containsExactly(node(1, "here"), node(2, "here"));
      }
    }
  }

  /** One whose disk stands still answers nothing, and yet others must hear of its queue. */
  @Test
  void aNodeTellsOfItsQueueBeforeItHasAnswered() throws Exception {
    CoordinatorRanking ranking = new CoordinatorRanking("trimtab", false);
    int[] waiting = {0};
    ranking.queue(() -> waiting[0]);
    InetAddressAndPort self = node(0, "here");
    EndpointsForRange given = replicas(List.of(node(1, "here"), self));
    waiting[0] = 40;
    by(REQUESTS, () -> ordered(ranking, self, given));

    Views views = new Views(2);
    Hearsay other = new Hearsay(ranking.peers(), views);
    long[] entries = new long[2];
    other.hear(ranking.hearsay().orElseThrow().tell(System.nanoTime()), System.nanoTime(), 0);
    assertThat(views.tell(System.nanoTime(), entries)).isEqualTo(1);
    assertThat(entries[0] >>> 24 & 0xFFF).isEqualTo(40);
  }

  /** Cassandra looks for its own dynamic snitch before it orders nodes for a batch log. */
  @Test
  void nodesOfABatchLogAreNotOrdered() {
    DatabaseDescriptor.setEndpointSnitch(
        new TrimtabSnitch(topology, new CoordinatorRanking("random", false), () -> {}));
    assertThat(DatabaseDescriptor.isDynamicEndpointSnitch()).isFalse();
  }

  /** As for a counter without a copy here: the way is the snitch's to choose. */
  @Test
  void dataCentresThatAreFarAreNotRanked() throws Exception {
    CoordinatorRanking ranking = new CoordinatorRanking("random", false);
    EndpointsForRange given = replicas(List.of(node(11, "a"), node(12, "a"), node(13, "a")));
    InetAddressAndPort self = node(0, "here");
    for (int i = 0; i < 50; i++) {
      assertThat(by(REQUESTS, () -> nodes(ordered(ranking, self, given)))).isEqualTo(nodes(given));
    }
  }

  @Test
  void moreNodesThanCanBeNumberedKeepTheStockOrder() throws Exception {
    CoordinatorRanking ranking = new CoordinatorRanking("random", false);
    for (int i = 0; i < Peers.MOST; i++) {
      ranking.peers().number(node(1000 + i, "here"));
    }
    InetAddressAndPort self = node(0, "here");
    EndpointsForRange given = replicas(List.of(node(1, "here"), node(2, "here")));

    assertThat(by(REQUESTS, () -> nodes(ordered(ranking, self, given)))).isEqualTo(nodes(given));
    assertThat(ranking.fallenBack()).isEqualTo(1);
    assertThat(ranking.peers().count()).isEqualTo(Peers.MOST);
  }

  @Test
  void theFirstReplicaOfAPartitionIsToldButNotOfARange() throws Exception {
    InetAddressAndPort self = node(1, "here");
    EndpointsForRange range = replicas(List.of(self, node(2, "here")));
    CoordinatorRanking ranking = new CoordinatorRanking("random", false);
    List<Integer> first = new ArrayList<>();
    ranking.onPartition(first::add);
    TrimtabSnitch snitch = new TrimtabSnitch(topology, ranking, () -> {});

    by(REQUESTS, () -> snitch.sortedByProximity(self, range));
    assertThat(first).isEmpty();
    for (int i = 0; i < 10; i++) {
      EndpointsForToken sorted =
          by(REQUESTS, () -> snitch.sortedByProximity(self, range.forToken(new LongToken(5))));
      assertThat(first).hasSize(i + 1).last().isEqualTo(ranking.peers().number(sorted.endpoint(0)));
    }
  }

  @Test
  void anUnknownRankingIsToldAndOff() {
    List<String> told = new ArrayList<>();
    CoordinatorRanking ranking = new CoordinatorRanking("nearest", false, told::add);
    assertThat(told)
        .singleElement()
        .asString()
        .startsWith("trimtab.ranking: no ranking is called nearest; there are random, ")
        .endsWith("; replicas are read in the order of the snitch");
    assertThat(ranking.isOn()).isFalse();
    assertThat(ranking.name()).isEqualTo("off");
  }
}
