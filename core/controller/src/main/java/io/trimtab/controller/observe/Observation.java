package io.trimtab.controller.observe;

import io.trimtab.controller.ahead.Ahead;
import io.trimtab.controller.guard.SharedMachines;
import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.models.usage.LearnedNodes;
import io.trimtab.models.usage.UsageModel;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The result of judging a history: usable for a decision, or the reason why it is not. */
public sealed interface Observation {

  /**
   * An observation that is usable for a decision.
   *
   * @param hints keys that halve the requests; none for partitions that are not observed
   * @param blocks block access counts; none for partitions that are not observed
   * @param model usage model; empty if none was given
   * @param services the agreements and their checks; none if none was given
   * @param frozen what plans must leave as it is
   * @param slow nodes that coordinators avoid: a reason to drain or replace one
   * @param learned what requests cost here, as far as the cluster's own nodes have shown
   * @param ahead what is expected of the load
   * @param busy nodes that do work beside serving, as of this snapshot and those before
   * @param offer what can be added, at which price and in which time, and which nodes can be given
   *     back; empty if nobody can start nodes
   * @param slowPeers nodes that are slower than their peers, where no coordinator chooses among
   *     replicas: a reason to move partitions off them
   * @param misses share of the blocks that a node was asked for lately and had to read; none for a
   *     node that does not tell
   * @param cold nodes that use more for what they are asked for than they will
   * @param unread live nodes that are no part of this, as they could not be read
   * @param machines what is used of machines that other clusters have nodes on, too
   */
  record Usable(
      ClusterSnapshot snapshot,
      Map<PartitionId, Rates> rates,
      Map<NodeId, Double> usage,
      Map<NodeId, Double> cpu,
      List<SplitHint> hints,
      List<BlockHistogram> blocks,
      Optional<UsageModel> model,
      List<Service> services,
      Frozen frozen,
      List<SlowNode> slow,
      Optional<LearnedNodes> learned,
      Ahead ahead,
      BusyNodes busy,
      Optional<NodeCapacity> offer,
      List<SlowPeer> slowPeers,
      Map<NodeId, Double> misses,
      Set<NodeId> cold,
      int unread,
      SharedMachines machines)
      implements Observation {
    public Usable {
      services = List.copyOf(services);
      slow = List.copyOf(slow);
      slowPeers = List.copyOf(slowPeers);
      misses = Map.copyOf(misses);
      cold = Set.copyOf(cold);
    }

    public Usable(
        ClusterSnapshot snapshot,
        Map<PartitionId, Rates> rates,
        Map<NodeId, Double> usage,
        Map<NodeId, Double> cpu,
        List<SplitHint> hints) {
      this(
          snapshot,
          rates,
          usage,
          cpu,
          hints,
          List.of(),
          Optional.empty(),
          List.of(),
          Frozen.NONE,
          List.of(),
          Optional.empty(),
          Ahead.NONE,
          BusyNodes.NONE.append(snapshot),
          Optional.empty(),
          List.of(),
          Map.of(),
          Set.of(),
          0,
          SharedMachines.NONE);
    }

    public Usable with(List<SplitHint> known) {
      return but(copy -> copy.hints = List.copyOf(known));
    }

    public Usable withBlocks(List<BlockHistogram> counted) {
      return but(copy -> copy.blocks = List.copyOf(counted));
    }

    public Usable with(List<BlockHistogram> counted, UsageModel known) {
      return but(
          copy -> {
            copy.blocks = List.copyOf(counted);
            copy.model = Optional.of(known);
          });
    }

    /** The same as if no usage model had been given. */
    public Usable withoutModel() {
      return but(copy -> copy.model = Optional.empty());
    }

    public Usable withServices(List<Service> kept) {
      return but(copy -> copy.services = kept);
    }

    public Usable with(Frozen left) {
      return but(copy -> copy.frozen = left);
    }

    public Usable withSlow(List<SlowNode> nodes) {
      return but(copy -> copy.slow = nodes);
    }

    public Usable withSlowPeers(List<SlowPeer> nodes) {
      return but(copy -> copy.slowPeers = nodes);
    }

    public Usable with(BusyNodes nodes) {
      return but(copy -> copy.busy = nodes);
    }

    public Usable withOffer(Optional<NodeCapacity> made) {
      return but(copy -> copy.offer = made);
    }

    public Usable with(Optional<LearnedNodes> costs) {
      return but(copy -> copy.learned = costs);
    }

    public Usable with(Ahead expected) {
      return but(copy -> copy.ahead = expected);
    }

    /** The same where it is known which share of their blocks nodes had to read lately. */
    public Usable withMisses(Map<NodeId, Double> shares) {
      return but(copy -> copy.misses = shares);
    }

    /** The same where some nodes use more than they will. */
    public Usable withCold(Set<NodeId> those) {
      return but(copy -> copy.cold = those);
    }

    /** The same of a part of the cluster. */
    public Usable on(ClusterSnapshot part) {
      return but(copy -> copy.snapshot = part);
    }

    /**
     * The same, with so many live nodes that are no part of the snapshot, as of {@link #unread}.
     */
    public Usable withUnread(int others) {
      return but(copy -> copy.unread = others);
    }

    /** The same where it is known what is used of machines that are shared. */
    public Usable withMachines(SharedMachines shared) {
      return but(copy -> copy.machines = shared);
    }

    private Usable but(Consumer<Copy> change) {
      Copy copy = new Copy(this);
      change.accept(copy);
      return new Usable(
          copy.snapshot,
          rates,
          usage,
          cpu,
          copy.hints,
          copy.blocks,
          copy.model,
          copy.services,
          copy.frozen,
          copy.slow,
          copy.learned,
          copy.ahead,
          copy.busy,
          copy.offer,
          copy.slowPeers,
          copy.misses,
          copy.cold,
          copy.unread,
          copy.machines);
    }

    /** What may be other in a copy. */
    private static final class Copy {
      private ClusterSnapshot snapshot;
      private List<SplitHint> hints;
      private List<BlockHistogram> blocks;
      private Optional<UsageModel> model;
      private List<Service> services;
      private Frozen frozen;
      private List<SlowNode> slow;
      private Optional<LearnedNodes> learned;
      private Ahead ahead;
      private BusyNodes busy;
      private Optional<NodeCapacity> offer;
      private List<SlowPeer> slowPeers;
      private Map<NodeId, Double> misses;
      private Set<NodeId> cold;
      private int unread;
      private SharedMachines machines;

      Copy(Usable same) {
        snapshot = same.snapshot;
        hints = same.hints;
        blocks = same.blocks;
        model = same.model;
        services = same.services;
        frozen = same.frozen;
        slow = same.slow;
        learned = same.learned;
        ahead = same.ahead;
        busy = same.busy;
        offer = same.offer;
        slowPeers = same.slowPeers;
        misses = same.misses;
        cold = same.cold;
        unread = same.unread;
        machines = same.machines;
      }
    }

    public Rates rates(PartitionId id) {
      return rates.getOrDefault(id, Rates.ZERO);
    }
  }

  /**
   * An observation that is not usable.
   *
   * @param reason one sentence
   * @param setting the key that controls it; empty if there is none
   */
  record Unusable(String reason, String setting) implements Observation {}

  /**
   * Judges a history (algorithms as in Cruz 2016, §3.2.1; the reasons for not deciding are
   * additions).
   */
  static Observation of(History history, Instant now, ObserveSettings settings) {
    if (history.last().isEmpty()) {
      return new Unusable("nothing has been observed yet", "observe.period");
    }
    ClusterSnapshot last = history.last().get();
    Duration age = Duration.between(last.takenAt(), now);
    Duration stale = settings.stale();
    if (age.compareTo(stale) > 0) {
      return new Unusable(
          "the last snapshot is " + age.toSeconds() + " s old, more than " + stale.toSeconds(),
          "observe.period");
    }
    if (!last.clusterGaps().isEmpty()) {
      return new Unusable("the snapshot is partial: " + last.clusterGaps().get(0), "");
    }
    if (history.samples() < settings.samples()) {
      return new Unusable(
          "only %d of %d samples since the start or the last action"
              .formatted(history.samples(), settings.samples()),
          "observe.samples");
    }
    Optional<Unusable> unknown = uncovered(history, last, settings).or(() -> unused(history, last));
    if (unknown.isPresent()) {
      return unknown.get();
    }
    for (PartitionState partition : last.partitions()) {
      if (!(partition.locality() >= 0 && partition.locality() <= 1)) {
        return new Unusable("the locality of partition " + partition.id() + " is unknown", "");
      }
    }
    return new Usable(last, history.rates(), history.usage(), history.cpu(), List.of())
        .withMisses(history.misses())
        .withCold(history.cold().now());
  }

  /** Of partitions on nodes that could be read, since nothing is planned with the others. */
  private static Optional<Unusable> uncovered(
      History history, ClusterSnapshot last, ObserveSettings settings) {
    Set<NodeId> unread = new HashSet<>();
    last.unreadNodes().forEach(node -> unread.add(node.id()));
    long all = 0;
    long seen = 0;
    for (PartitionState partition : last.partitions()) {
      if (partition.node().filter(unread::contains).isEmpty()) {
        all++;
        seen += history.rates().containsKey(partition.id()) ? 1 : 0;
      }
    }
    return all > 0 && seen < settings.coverageMin() * all
        ? Optional.of(
            new Unusable(
                "rates are known for only %d of %d partitions".formatted(seen, all),
                "observe.coverageMin"))
        : Optional.empty();
  }

  /** The first node that could be read and does not tell what it uses. */
  private static Optional<Unusable> unused(History history, ClusterSnapshot last) {
    for (NodeState node : last.liveNodes()) {
      double usage = history.usage().getOrDefault(node.id(), Double.NaN);
      if (node.readable() && !Double.isFinite(usage)) {
        boolean onlyWait = Double.isFinite(node.usage().cpu()) && !node.usage().known();
        String missing =
            node.read().missing().isEmpty() ? "" : ": " + String.join("; ", node.read().missing());
        return Optional.of(
            onlyWait
                ? new Unusable(
                    "the I/O wait of node %s is not known%s"
                        .formatted(
                            node.id(), missing.isEmpty() ? ": its JVM does not tell it" : missing),
                    "metrics.sources")
                : new Unusable(
                    "the server usage of node %s is unknown%s".formatted(node.id(), missing),
                    missing.isEmpty() ? "" : "metrics.sources"));
      }
    }
    return Optional.empty();
  }
}
