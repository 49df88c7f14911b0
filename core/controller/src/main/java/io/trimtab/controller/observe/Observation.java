package io.trimtab.controller.observe;

import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.UsageModel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
   * @param outlooks how much more each table will be asked for within the horizon of decisions;
   *     none for a table of which nothing is foreseen
   * @param busy nodes that do work beside serving, as of this snapshot and those before
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
      Optional<LearnedCosts> learned,
      Map<String, Outlook> outlooks,
      BusyNodes busy)
      implements Observation {
    public Usable {
      services = List.copyOf(services);
      slow = List.copyOf(slow);
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
          Map.of(),
          BusyNodes.NONE.append(snapshot));
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

    public Usable withServices(List<Service> kept) {
      return but(copy -> copy.services = kept);
    }

    public Usable with(Frozen left) {
      return but(copy -> copy.frozen = left);
    }

    public Usable withSlow(List<SlowNode> nodes) {
      return but(copy -> copy.slow = nodes);
    }

    public Usable with(BusyNodes nodes) {
      return but(copy -> copy.busy = nodes);
    }

    public Usable with(Optional<LearnedCosts> costs, Map<String, Outlook> foreseen) {
      return but(
          copy -> {
            copy.learned = costs;
            copy.outlooks = Map.copyOf(foreseen);
          });
    }

    private Usable but(Consumer<Copy> change) {
      Copy copy = new Copy(this);
      change.accept(copy);
      return new Usable(
          snapshot,
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
          copy.outlooks,
          copy.busy);
    }

    /** What may be other in a copy. */
    private static final class Copy {
      private List<SplitHint> hints;
      private List<BlockHistogram> blocks;
      private Optional<UsageModel> model;
      private List<Service> services;
      private Frozen frozen;
      private List<SlowNode> slow;
      private Optional<LearnedCosts> learned;
      private Map<String, Outlook> outlooks;
      private BusyNodes busy;

      Copy(Usable same) {
        hints = same.hints;
        blocks = same.blocks;
        model = same.model;
        services = same.services;
        frozen = same.frozen;
        slow = same.slow;
        learned = same.learned;
        outlooks = same.outlooks;
        busy = same.busy;
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
    if (!last.gaps().isEmpty()) {
      return new Unusable("the snapshot is partial: " + last.gaps().get(0), "");
    }
    if (history.samples() < settings.samples()) {
      return new Unusable(
          "only %d of %d samples since the start or the last action"
              .formatted(history.samples(), settings.samples()),
          "observe.samples");
    }
    long seen = last.partitions().stream().filter(p -> history.rates().containsKey(p.id())).count();
    int all = last.partitions().size();
    if (all > 0 && seen < settings.coverageMin() * all) {
      return new Unusable(
          "rates are known for only %d of %d partitions".formatted(seen, all),
          "observe.coverageMin");
    }
    for (NodeState node : last.liveNodes()) {
      if (!Double.isFinite(history.usage().getOrDefault(node.id(), Double.NaN))) {
        return new Unusable("the server usage of node " + node.id() + " is unknown", "");
      }
    }
    for (PartitionState partition : last.partitions()) {
      if (!(partition.locality() >= 0 && partition.locality() <= 1)) {
        return new Unusable("the locality of partition " + partition.id() + " is unknown", "");
      }
    }
    return new Usable(last, history.rates(), history.usage(), history.cpu(), List.of());
  }
}
