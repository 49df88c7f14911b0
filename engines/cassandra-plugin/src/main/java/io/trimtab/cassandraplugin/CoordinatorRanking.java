package io.trimtab.cassandraplugin;

import io.trimtab.plugincore.ranking.RackPenalty;
import io.trimtab.plugincore.ranking.RankingKind;
import io.trimtab.plugincore.ranking.RankingSettings;
import io.trimtab.plugincore.ranking.ReplicaRanking;
import io.trimtab.plugincore.ranking.Told;
import io.trimtab.plugincore.ranking.Views;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How this node, as a coordinator, ranks the replicas of reads. */
final class CoordinatorRanking {
  private static final Logger LOG = LoggerFactory.getLogger(CoordinatorRanking.class);

  /** JVM property: the ranking at the start; {@value #OFF} for the stock order. */
  static final String NAME = "trimtab.ranking";

  static final String OFF = "off";

  /** JVM property: whether this node comes first where it is a replica itself. */
  static final String LOCAL_FIRST = "trimtab.localFirst";

  /** JVM property: the factor on expected times of replicas in other racks. */
  static final String RACK_PENALTY = "trimtab.rackPenalty";

  /** Of the only coordinator in a JVM. */
  static final CoordinatorRanking INSTANCE =
      new CoordinatorRanking(
          System.getProperty(NAME, RankingKind.TRIMTAB.toString()),
          JvmSwitch.given(LOCAL_FIRST, LOG::error));

  static {
    INSTANCE.penalize(
        RackPenalty.given(
            System.getProperty(RACK_PENALTY), why -> LOG.error("{}: {}", RACK_PENALTY, why)));
  }

  private final Peers peers = new Peers();
  private final AtomicLongArray chosen = new AtomicLongArray(Peers.MOST);
  private final AtomicLongArray candidates = new AtomicLongArray(Peers.MOST);
  private final LongAdder ranked = new LongAdder();
  private final LongAdder fallenBack = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder ownReads = new LongAdder();
  private final LongAdder askedReads = new LongAdder();
  private final long seed = System.nanoTime();
  private volatile boolean localFirst;
  private volatile IntSupplier queue = () -> 0;
  private int coordinators = 1;
  private RackPenalty penalty = RackPenalty.NONE;
  private String rack;
  private String[] racks = {};
  private volatile Current current = Current.NONE;
  private volatile IntConsumer partitions = first -> {};

  /** A ranking, and what nodes tell each other if it goes by that. */
  private static final class Current {
    static final Current NONE = new Current(Optional.empty(), new NoRanking(), Optional.empty());

    final Optional<RankingKind> kind;
    final ReplicaRanking ranking;
    final Optional<Hearsay> hearsay;

    Current(Optional<RankingKind> kind, ReplicaRanking ranking, Optional<Hearsay> hearsay) {
      this.kind = kind;
      this.ranking = ranking;
      this.hearsay = hearsay;
    }
  }

  /** Leaves every order as it is. */
  private static final class NoRanking implements ReplicaRanking {
    @Override
    public void received(int replica, long now, long took, Told told) {}

    @Override
    public void order(int[] replicas, int count, long now) {}
  }

  CoordinatorRanking(String name, boolean localFirst) {
    this(name, localFirst, LOG::error);
  }

  /**
   * @param problem gets a line if there is no such ranking: replicas are not ranked then
   */
  CoordinatorRanking(String name, boolean localFirst, Consumer<String> problem) {
    this.localFirst = localFirst;
    try {
      choose(name);
    } catch (IllegalArgumentException e) {
      // A node must start and serve.
      problem.accept(
          NAME + ": " + e.getMessage() + "; replicas are read in the order of the snitch");
    }
  }

  /**
   * Ranks in another way from now on, and knows nothing of any replica at first.
   *
   * @throws IllegalArgumentException if there is no such ranking
   */
  synchronized void choose(String name) {
    if (OFF.equals(name)) {
      current = Current.NONE;
      return;
    }
    Optional<RankingKind> kind = Optional.ofNullable(name).flatMap(RankingKind::named);
    if (kind.isEmpty()) {
      throw new IllegalArgumentException(
          "no ranking is called " + name + "; there are " + String.join(", ", names()));
    }
    current = made(kind.get());
  }

  private Current made(RankingKind kind) {
    Views views = new Views(Peers.MOST);
    ReplicaRanking ranking = kind.make(new RankingSettings(Peers.MOST, coordinators, seed), views);
    ranking.penalize(penalty.factors(rack, racks));
    return new Current(
        Optional.of(kind),
        ranking,
        kind.listens() ? Optional.of(new Hearsay(peers, views)) : Optional.empty());
  }

  /** All rankings, and what switches them off. */
  static String[] names() {
    return Stream.concat(
            Arrays.stream(RankingKind.values()).map(RankingKind::toString), Stream.of(OFF))
        .toArray(String[]::new);
  }

  /**
   * The cluster is of another size: what was known is forgotten.
   *
   * @param nodes that rank the same replicas, whether they live or not
   */
  synchronized void sized(int nodes) {
    int some = Math.max(1, nodes);
    if (some != coordinators) {
      coordinators = some;
      current.kind.ifPresent(kind -> current = made(kind));
    }
  }

  /**
   * In which racks nodes are.
   *
   * @param own this node's
   * @param byNumber each node's; null where there is none, or it is unknown
   */
  synchronized void placed(String own, String[] byNumber) {
    if (!own.equals(rack) || !Arrays.equals(byNumber, racks)) {
      rack = own;
      racks = byNumber.clone();
      penalize(penalty);
    }
  }

  /** What other racks cost from now on. */
  synchronized void penalize(RackPenalty now) {
    penalty = now;
    current.ranking.penalize(now.factors(rack, racks));
  }

  synchronized double rackPenalty() {
    return penalty.factor();
  }

  boolean isOn() {
    return current.kind.isPresent();
  }

  String name() {
    return current.kind.map(RankingKind::toString).orElse(OFF);
  }

  Peers peers() {
    return peers;
  }

  void localFirst(boolean first) {
    localFirst = first;
  }

  boolean localFirst() {
    return localFirst;
  }

  /**
   * @param here reads that wait or run on this node
   */
  void queue(IntSupplier here) {
    queue = here;
  }

  /** Sorts replicas, best first. */
  void order(InetAddressAndPort self, int[] replicas) {
    long now = System.nanoTime();
    int own = peers.number(self);
    Current its = current;
    if (own != Peers.NONE && its.hearsay.isPresent()) {
      its.hearsay.get().refresh(own, now, queue.getAsInt());
    }
    its.ranking.order(replicas, replicas.length, now);
    if (localFirst) {
      first(replicas, own);
    }
    ranked.increment();
    count(replicas, own);
  }

  /** Which of the others is preferred is told where the own copy comes first, too. */
  private void count(int[] replicas, int own) {
    chosen.incrementAndGet(replicas[0]);
    if (replicas[0] == own && replicas.length > 1) {
      chosen.incrementAndGet(replicas[1]);
    }
    for (int replica : replicas) {
      candidates.incrementAndGet(replica);
    }
  }

  /**
   * Who wants to know of each read of a partition.
   *
   * @param told gets the replica that it asks first
   */
  void onPartition(IntConsumer told) {
    partitions = told;
  }

  /** The read of a partition is about to ask this replica first. */
  void partition(int first) {
    partitions.accept(first);
  }

  private static void first(int[] replicas, int number) {
    for (int i = 1; i < replicas.length; i++) {
      if (replicas[i] == number) {
        System.arraycopy(replicas, 0, replicas, 1, i);
        replicas[0] = number;
        return;
      }
    }
  }

  /** What is to be told of requests and answers; one that learns nothing where it is off. */
  ReplicaRanking learner() {
    return current.ranking;
  }

  /** What messages carry; empty if the ranking does not go by it. */
  Optional<Hearsay> hearsay() {
    return current.hearsay;
  }

  /** Something went wrong that must not harm a read. */
  void failed(Throwable why) {
    failures.increment();
    if (failures.sum() == 1) {
      LOG.warn("ranking the replicas of reads: more of these are only counted", why);
    }
  }

  /** This coordinator reads a copy of its own, or asks another node. */
  void reads(boolean own) {
    (own ? ownReads : askedReads).increment();
  }

  long ownReads() {
    return ownReads.sum();
  }

  long askedReads() {
    return askedReads.sum();
  }

  /** A read's replicas stay in the order of the snitch. */
  void fellBack() {
    fallenBack.increment();
  }

  long ranked() {
    return ranked.sum();
  }

  long fallenBack() {
    return fallenBack.sum();
  }

  long failures() {
    return failures.sum();
  }

  /** How each node is seen that has a number. */
  List<ReplicaView> views() {
    long now = System.nanoTime();
    ReplicaRanking its = current.ranking;
    List<ReplicaView> all = new ArrayList<>();
    for (int i = 0; i < peers.count(); i++) {
      InetAddressAndPort node = peers.node(i);
      if (node != null) {
        all.add(
            new ReplicaView(
                node.getHostAddressAndPort(),
                its.explain(i, now),
                candidates.get(i),
                chosen.get(i)));
      }
    }
    return all;
  }
}
