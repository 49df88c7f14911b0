package io.trimtab.cassandraplugin;

import io.trimtab.plugincore.ranking.RankingKind;
import io.trimtab.plugincore.ranking.RankingSettings;
import io.trimtab.plugincore.ranking.ReplicaRanking;
import io.trimtab.plugincore.ranking.Told;
import io.trimtab.plugincore.ranking.Views;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
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

  /** Of the only coordinator in a JVM. */
  static final CoordinatorRanking INSTANCE =
      new CoordinatorRanking(
          System.getProperty(NAME, RankingKind.TRIMTAB.toString()),
          Boolean.getBoolean(LOCAL_FIRST));

  private final Peers peers = new Peers();
  private final AtomicLongArray chosen = new AtomicLongArray(Peers.MOST);
  private final LongAdder ranked = new LongAdder();
  private final LongAdder fallenBack = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final long seed = System.nanoTime();
  private volatile boolean localFirst;
  private int coordinators = 1;
  private int concurrency = 1;
  private volatile Current current;

  /** Null where replicas are not ranked. */
  private static final class Current {
    final RankingKind kind;
    final ReplicaRanking ranking;
    final Views views;
    final Hearsay hearsay;

    Current(RankingKind kind, RankingSettings settings, Peers peers) {
      this.kind = kind;
      views = new Views(Peers.MOST);
      hearsay = new Hearsay(peers, views);
      ranking = kind.make(settings, views);
    }
  }

  CoordinatorRanking(String name, boolean localFirst) {
    this.localFirst = localFirst;
    try {
      choose(name);
    } catch (IllegalArgumentException e) {
      // A node must start and serve.
      LOG.error("{}: {}; replicas are read in the order of the snitch", NAME, e.getMessage());
    }
  }

  /**
   * Ranks in another way from now on, and knows nothing of any replica at first.
   *
   * @throws IllegalArgumentException if there is no such ranking
   */
  synchronized void choose(String name) {
    if (OFF.equals(name)) {
      current = null;
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
    return new Current(
        kind, new RankingSettings(Peers.MOST, coordinators, concurrency, seed), peers);
  }

  /** All rankings, and what switches them off. */
  static String[] names() {
    return Stream.concat(
            Arrays.stream(RankingKind.values()).map(RankingKind::toString), Stream.of(OFF))
        .toArray(String[]::new);
  }

  /**
   * The cluster is of another size, or nodes read with more threads: what was known is forgotten.
   *
   * @param nodes that rank the same replicas, whether they live or not
   * @param threads with which a node reads
   */
  synchronized void sized(int nodes, int threads) {
    int some = Math.max(1, nodes);
    int each = Math.max(1, threads);
    if (some != coordinators || each != concurrency) {
      coordinators = some;
      concurrency = each;
      if (current != null) {
        current = made(current.kind);
      }
    }
  }

  boolean isOn() {
    return current != null;
  }

  String name() {
    Current its = current;
    return its == null ? OFF : its.kind.toString();
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

  /** Sorts replicas, best first. */
  void order(InetAddressAndPort self, int[] replicas) {
    Current its = current;
    if (its == null) {
      return;
    }
    its.ranking.order(replicas, replicas.length, System.nanoTime());
    if (localFirst) {
      first(replicas, peers.number(self));
    }
    ranked.increment();
    chosen.incrementAndGet(replicas[0]);
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

  void sent(int peer, long now) {
    Current its = current;
    if (its != null) {
      its.ranking.sent(peer, now);
    }
  }

  void received(int peer, long now, long took, Told told) {
    Current its = current;
    if (its != null) {
      its.ranking.received(peer, now, Math.max(1, took), told);
    }
  }

  void lost(int peer, long now, long after) {
    Current its = current;
    if (its != null) {
      its.ranking.lost(peer, now, after);
    }
  }

  /** What a message is to say of replicas; null if the ranking does not go by it. */
  byte[] hearsay(long now) {
    Current its = current;
    if (its == null || !its.kind.listens()) {
      return null;
    }
    byte[] said = its.hearsay.tell(now);
    return said.length == 0 ? null : said;
  }

  /** What a message has said. */
  void heard(byte[] said, long now, long travelled) {
    Current its = current;
    if (said != null && its != null && its.kind.listens()) {
      its.hearsay.hear(said, now, travelled);
    }
  }

  /** How this node is, as a replica, to be passed on. */
  void is(int self, long now, Told told) {
    Current its = current;
    if (its != null && its.kind.listens()) {
      its.views.learn(self, now, told.queued, told.recentService);
    }
  }

  /** The replica has answered that it can't. */
  void refused(int peer, long now) {
    Current its = current;
    if (its != null) {
      its.ranking.failed(peer, now);
    }
  }

  /** An order could not be made, or something else went wrong that must not harm a read. */
  void failed(Throwable why) {
    fellBack();
    failures.increment();
    if (failures.sum() == 1) {
      LOG.warn("replicas are read in the order of the snitch; more of these are only counted", why);
    }
  }

  void fellBack() {
    fallenBack.increment();
  }

  long ranked() {
    return ranked.sum();
  }

  long fallenBack() {
    return fallenBack.sum();
  }

  /** How often each replica came first. */
  Map<String, Long> chosen() {
    Map<String, Long> all = new TreeMap<>();
    for (int i = 0; i < peers.count(); i++) {
      InetAddressAndPort node = peers.node(i);
      if (node != null) {
        all.put(node.getHostAddressAndPort(), chosen.get(i));
      }
    }
    return all;
  }
}
