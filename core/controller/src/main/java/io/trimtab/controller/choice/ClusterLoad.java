package io.trimtab.controller.choice;

import io.trimtab.controller.ahead.Foreseen;
import io.trimtab.controller.choice.predict.ColdCosts;
import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.choice.predict.Memory;
import io.trimtab.controller.choice.predict.SeenWaits;
import io.trimtab.controller.choice.predict.Strengths;
import io.trimtab.controller.choice.predict.UsageBasis;
import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.PartitionItems;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.controller.place.UsageSource;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.split.SplitPlanner;
import io.trimtab.controller.tenants.TableWorth;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * A cluster and its load in the numbers that candidates are compared by: usable nodes and
 * partitions by index. Immutable.
 */
final class ClusterLoad {
  /**
   * How much more or less than predicted a node's requests may cost; beyond it something else is
   * wrong.
   */
  private static final double CORRECTION_MAX = 3;

  /** Share of a node's blocks that are taken to be read from disk where it does not tell. */
  private static final double MISSES_USUAL = 0.1;

  private final DecisionContext context;
  private final Partitions partitions;
  private final List<NodeState> nodes;
  private final UsageBasis basis;
  private final Forecast none;
  private final Strengths strengths;

  /** By partition, what it is counted with, and what it is asked for now. */
  private final Demand[] demands;

  private final Demand[] demandsNow;

  /** By partition, the node that serves it; −1 for none of the usable ones. */
  private final int[] at;

  private final boolean[] stays;

  private final TableWorth worth;

  /** By node, whether it holds what must stay there. */
  private final boolean[] keeps;

  private final OffSlowNodes.Slowness slow;
  private final double[] observed;
  private final Memory[] memories;
  private final NodeGauges least;
  private final Map<PartitionId, SplitHint> hints;

  /** As it is: nothing more is counted with than there is now. */
  ClusterLoad(DecisionContext context) {
    this.context = context;
    Observation.Usable seen = context.seen();
    partitions = Classifier.classify(seen, context.state(), context.settings());
    nodes = UsableNodes.of(seen);
    observed = nodes.stream().mapToDouble(n -> seen.usage().get(n.id())).toArray();
    slow = new OffSlowNodes.Slowness(context, nodes);
    memories = nodes.stream().map(ClusterLoad::memory).toArray(Memory[]::new);
    least = UsableNodes.leastCache(nodes);
    Map<NodeId, Integer> index = new HashMap<>();
    nodes.forEach(n -> index.put(n.id(), index.size()));
    at = new int[partitions.size()];
    stays = new boolean[at.length];
    keeps = new boolean[nodes.size()];
    for (int p = 0; p < at.length; p++) {
      at[p] = partitions.state(p).node().map(n -> index.getOrDefault(n, -1)).orElse(-1);
      stays[p] = context.stays(partitions.state(p));
      if (at[p] >= 0) {
        keeps[at[p]] |= stays[p];
      }
    }
    hints = new HashMap<>();
    Map<PartitionId, SplitHint> all = new HashMap<>();
    seen.hints().forEach(h -> all.put(h.partition(), h));
    for (int p = 0; p < at.length; p++) {
      PartitionState state = partitions.state(p);
      Optional.ofNullable(all.get(state.id()))
          .filter(hint -> SplitPlanner.refusal(context, nodes, state, hint).isEmpty())
          .ifPresent(hint -> hints.put(state.id(), hint));
    }
    worth = new TableWorth(partitions, nodes.size());
    Map<PartitionId, UsagePacking.Item> items = PartitionItems.of(seen, context.settings().usage());
    UsageSource source = UsageSource.of(seen, nodes, items);
    Demand[] raw = raw(items);
    basis =
        source
            .estimate()
            .map(known -> new UsageBasis.Costs(known, source.origin(), source.text(), 1))
            .<UsageBasis>map(c -> c.isApart() ? c.seeing(seenWaits(c, raw)) : c)
            .orElseGet(() -> new UsageBasis.Requests(source.text()));
    none = basis.none();
    strengths = Strengths.of(nodes, basis.isApart());
    demandsNow = demands(raw);
    demands = demandsNow;
  }

  private ClusterLoad(ClusterLoad now, Demand[] demands) {
    context = now.context;
    partitions = now.partitions;
    nodes = now.nodes;
    basis = now.basis;
    none = now.none;
    strengths = now.strengths;
    this.demands = demands;
    demandsNow = now.demandsNow;
    at = now.at;
    stays = now.stays;
    worth = now.worth;
    keeps = now.keeps;
    slow = now.slow;
    observed = now.observed;
    memories = now.memories;
    least = now.least;
    hints = now.hints;
  }

  /** The same with what is foreseen. */
  ClusterLoad counting(Foreseen foreseen) {
    Demand[] more = demandsNow.clone();
    for (int p = 0; p < at.length; p++) {
      double factor = foreseen.factor(partitions.state(p).id().table());
      more[p] = factor == 1 ? more[p] : more[p].times(factor);
    }
    return new ClusterLoad(this, more);
  }

  /** What partitions ask for, before it is known what that costs. */
  private Demand[] raw(Map<PartitionId, UsagePacking.Item> items) {
    Demand[] raw = new Demand[at.length];
    for (int p = 0; p < at.length; p++) {
      UsagePacking.Item item = items.get(partitions.state(p).id());
      raw[p] = Demand.of(item.cache(), item.load(), partitions.state(p).sizeBytes());
    }
    return raw;
  }

  /** Which part of how busy disks are is predicted by what is known of waits. */
  private double seenWaits(UsageBasis.Costs costs, Demand[] raw) {
    Demand[] held = Demand.byNode(nodes.size(), at, p -> raw[p]);
    SeenWaits waits = new SeenWaits();
    for (int n = 0; n < observed.length; n++) {
      NodeState node = nodes.get(n);
      if (isCold(n)) {
        // Its disk is busy with what it will not read again.
        continue;
      }
      double cpu = context.seen().cpu().getOrDefault(node.id(), Double.NaN);
      double factor = costs.missFactor(held[n], memories[n]);
      double predicted = costs.forecast(held[n], memories[n], factor).disk();
      waits.add(node.usage().waitSource(), cpu, observed[n] - cpu, predicted);
    }
    return waits.share();
  }

  private Demand[] demands(Demand[] raw) {
    double[] requests = new double[nodes.size()];
    for (int p = 0; p < at.length; p++) {
      if (at[p] >= 0) {
        requests[at[p]] += partitions.load(p);
      }
    }
    Memory average =
        new Memory(
            Arrays.stream(memories).mapToDouble(Memory::cacheBytes).average().orElse(0),
            Arrays.stream(memories).mapToDouble(Memory::memstoreShare).average().orElse(0),
            false);
    Demand[] found = new Demand[at.length];
    for (int p = 0; p < at.length; p++) {
      if (basis instanceof UsageBasis.Requests) {
        found[p] = raw[p].costing(byRequests(p, requests), 0, 1);
      } else {
        Forecast alone = basis.forecast(raw[p], average, 1);
        double usage = alone.measured() - none.measured();
        found[p] = raw[p].costing(usage, usage - (alone.cpu() - none.cpu()), 1);
      }
    }
    Demand[] held = Demand.byNode(nodes.size(), at, p -> found[p]);
    slow.forgive(n -> requests[n] > 0 ? should(n, held[n]) / requests[n] : Double.NaN);
    double[] factors = new double[held.length];
    Arrays.setAll(factors, n -> correction(n, held[n]));
    ColdCosts.bound(factors, this::isCold);
    slow.leaveBehind(factors);
    for (int p = 0; p < at.length; p++) {
      found[p] = found[p].corrected(at[p] < 0 ? 1 : factors[at[p]]);
    }
    return found;
  }

  private double byRequests(int p, double[] requests) {
    return at[p] >= 0 && requests[at[p]] > 0
        ? observed[at[p]] * partitions.load(p) / requests[at[p]] / strengths.cpu(at[p])
        : 0;
  }

  /**
   * What a node's requests should cost. Where nothing is known of that, by what such requests
   * usually cost: what a slow node uses for them is what is in question.
   */
  private double should(int n, Demand held) {
    return basis instanceof UsageBasis.Requests
        ? UsageBasis.Requests.usual(held.load(), misses(n).orElse(MISSES_USUAL))
        : predicted(n, held);
  }

  /** What a node would use beyond idle if its requests cost what they should. */
  private double predicted(int n, Demand held) {
    return basis
            .forecast(held, memories[n], basis.missFactor(held, memories[n]))
            .costing(none, strengths.cpu(n), strengths.disk(n))
            .measurable()
        - none.measured();
  }

  /**
   * What a node's requests cost now, relative to the prediction. A saturated node is asked for more
   * than it serves; how much more it does not tell, so that more is assumed each time it is still
   * saturated after a plan.
   */
  private double correction(int n, Demand held) {
    double predicted = predicted(n, held);
    double now = observed[n] - none.measured();
    if (!(predicted > 0.01) || !(now > 0)) {
      return 1;
    }
    double factor = now / predicted;
    if (Saturation.isReached(observed[n])) {
      factor *= Saturation.asked(context.state().fullFor(nodes.get(n).id()));
    }
    // What is used too much now is so, whatever the prediction says.
    double most = observed[n] > settings().health().high() ? factor : CORRECTION_MAX;
    return Math.max(1 / CORRECTION_MAX, Math.min(most, factor));
  }

  /** Whether some node's usage does not tell how much it is asked for. */
  boolean isSaturated() {
    return IntStream.range(0, observed.length).anyMatch(this::isSaturated);
  }

  /** Whether a node's usage does not tell how much it is asked for. */
  boolean isSaturated(int n) {
    return Saturation.isReached(observed[n]);
  }

  /** Share of a node's CPU that is used now; NaN where it is not told apart. */
  double cpuNow(int n) {
    return context.seen().cpu().getOrDefault(nodes.get(n).id(), Double.NaN);
  }

  /** How busy a node's disk is now; NaN where it is not told apart. */
  double diskNow(int n) {
    double cpu = cpuNow(n);
    return SeenWaits.busy(nodes.get(n).usage().waitSource(), cpu, observed[n] - cpu);
  }

  /** Whether a node uses more for what it is asked for than it will. */
  boolean isCold(int n) {
    return context.seen().cold().contains(nodes.get(n).id());
  }

  DecisionContext context() {
    return context;
  }

  Settings settings() {
    return context.settings();
  }

  Partitions partitions() {
    return partitions;
  }

  /**
   * What a cluster of these nodes can be made of; block sizes stay as they are.
   *
   * @param those that there shall be
   */
  PlacementInput input(List<NodeId> those) {
    return new PlacementInput(
        context.seen().snapshot(),
        partitions,
        those,
        settings().place().withoutBlockSizes(),
        settings().tables(),
        context.seen().frozen());
  }

  /** Usable nodes, by index. */
  List<NodeState> nodes() {
    return nodes;
  }

  UsageBasis basis() {
    return basis;
  }

  /** What a usual node uses without load. */
  Forecast none() {
    return none;
  }

  Strengths strengths() {
    return strengths;
  }

  /** What a partition is counted with: as much of it as is foreseen. */
  Demand demand(int partition) {
    return demands[partition];
  }

  /** What a partition is asked for now. */
  Demand demandNow(int partition) {
    return demandsNow[partition];
  }

  /** The node that serves a partition; −1 for none of the usable ones. */
  int at(int partition) {
    return at[partition];
  }

  /** Whether plans leave a partition where it is. */
  boolean stays(int partition) {
    return stays[partition];
  }

  /** Locality below which a partition's files are far from its node. */
  double localityMin(int partition) {
    return settings().place().localityMin(partitions.accessClass(partition));
  }

  /** Whether a node holds nothing that must stay there, and so can be emptied. */
  boolean isFree(int node) {
    return !keeps[node];
  }

  /** Share of the cluster's worth that depends on a partition being served, in nodes. */
  double worth(int partition) {
    return worth.of(partitions, partition);
  }

  TableWorth tables() {
    return worth;
  }

  /** Share of the requests of a node that counts as lost over the horizon as it answers late. */
  double slowness(int node) {
    return slow.lost(node);
  }

  /** How many times as much as others a node uses for the same, as it is slow. */
  double excess(int node) {
    return slow.excess(node);
  }

  /** Share of the blocks that a node was asked for lately and had to read, if it tells. */
  OptionalDouble misses(int node) {
    Double share = context.seen().misses().get(nodes.get(node).id());
    return share == null ? OptionalDouble.empty() : OptionalDouble.of(share);
  }

  /** How a node's memory is split now. */
  Memory memory(int node) {
    return memories[node];
  }

  /**
   * How a node's memory would be split by a profile.
   *
   * @param node of a node to be added, too, which has the least cache of the others
   */
  Memory memory(int node, Profile profile) {
    NodeGauges gauges = node < nodes.size() ? nodes.get(node).gauges() : least;
    return memory(gauges, gauges.cacheBytes(profile), profile);
  }

  private static Memory memory(NodeState node) {
    Profile profile = node.profile().orElse(Profile.HOMOGENEOUS);
    return memory(node.gauges(), node.gauges().cacheMaxBytes(), profile);
  }

  /** A cache on the heap of a node to which partitions are assigned is HBase's own. */
  private static Memory memory(NodeGauges gauges, double cacheBytes, Profile profile) {
    return new Memory(cacheBytes, profile.memstoreFraction(), !gauges.cacheBesideHeap());
  }

  /** Where a partition's requests halve; empty if that is unknown, or it must not be split. */
  Optional<SplitHint> splitsAt(int partition) {
    return Optional.ofNullable(hints.get(partitions.state(partition).id()));
  }
}
