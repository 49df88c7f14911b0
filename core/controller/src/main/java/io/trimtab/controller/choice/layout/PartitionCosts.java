package io.trimtab.controller.choice.layout;

import io.trimtab.controller.choice.predict.ColdCosts;
import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.choice.predict.Memory;
import io.trimtab.controller.choice.predict.SeenWaits;
import io.trimtab.controller.choice.predict.Strengths;
import io.trimtab.controller.choice.predict.UsageBasis;
import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.maintenance.EmptiedNodes;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.PartitionItems;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.controller.place.UsageSource;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.UsageModel.Load;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** What partitions ask of the nodes that serve them, and what that costs there. Immutable. */
final class PartitionCosts {
  /**
   * How much more or less than predicted a node's requests may cost; beyond it something else is
   * wrong.
   */
  private static final double CORRECTION_MAX = 3;

  private final DecisionContext context;
  private final Partitions partitions;
  private final List<NodeState> nodes;
  private final int[] at;
  private final Memory[] memories;
  private final double[] observed;

  /** Whether there is, or can be, a node for what saturated ones may be asked for besides. */
  private final boolean room;

  private final UsageBasis basis;
  private final Forecast none;
  private final Strengths strengths;
  private final Demand[] demands;
  private final Memory average;
  private final double[] besides;

  /** Of each node, what is about to come to it. */
  private final double coming;

  /** Tables that are served much less than before the last plans. */
  private final Lacking lacking;

  /**
   * @param at by partition, the node that serves it; −1 for none of the usable ones
   * @param memories by node, how its memory is split now
   * @param slow is told which nodes are late for what they are asked, and what slow ones use more
   */
  PartitionCosts(
      DecisionContext context,
      Partitions partitions,
      List<NodeState> nodes,
      int[] at,
      Memory[] memories,
      Slowness slow) {
    this.context = context;
    this.partitions = partitions;
    this.nodes = nodes;
    this.at = at;
    this.memories = memories;
    Observation.Usable seen = context.seen();
    observed = nodes.stream().mapToDouble(n -> seen.usage().get(n.id())).toArray();
    room =
        context.most().nodes() > nodes.size()
            || Arrays.stream(observed).average().orElse(0) < context.settings().usage().target();
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
    average =
        new Memory(
            Arrays.stream(memories).mapToDouble(Memory::cacheBytes).average().orElse(0),
            Arrays.stream(memories).mapToDouble(Memory::memstoreShare).average().orElse(0),
            false);
    lacking = new Lacking(context.lacking(), partitions, at, this::isFull);
    besides = new double[nodes.size()];
    demands = demands(raw, slow);
    coming = nodes.isEmpty() ? 0 : leaving() / nodes.size();
  }

  /**
   * What nodes that are being emptied do, which is about to come to the others; where to is not
   * known, so that each is counted with its part of it. Not by what is compared with measurements:
   * when it comes is not known either.
   */
  private double leaving() {
    return EmptiedNodes.of(context.seen().snapshot())
        .mapToDouble(node -> context.seen().usage().getOrDefault(node, 0.0) - none.measured())
        .filter(used -> used > 0)
        .sum();
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

  private Demand[] demands(Demand[] raw, Slowness slow) {
    double[] requests = new double[nodes.size()];
    for (int p = 0; p < at.length; p++) {
      if (at[p] >= 0) {
        requests[at[p]] += partitions.load(p);
      }
    }
    Demand[] found = new Demand[at.length];
    for (int p = 0; p < at.length; p++) {
      found[p] =
          basis instanceof UsageBasis.Requests
              ? raw[p].costing(byRequests(p, requests), 0, 1)
              : costing(raw[p]);
    }
    Demand[] held = Demand.byNode(nodes.size(), at, p -> found[p]);
    slow.forgive(n -> requests[n] > 0 ? should(n, held[n]) / requests[n] : Double.NaN);
    double[] predicted = new double[held.length];
    Arrays.setAll(predicted, n -> predicted(n, held[n]));
    double[] factors = new double[held.length];
    Arrays.setAll(factors, n -> correction(n, predicted[n]));
    Arrays.setAll(besides, n -> isCold(n) ? 0 : besides(n, predicted[n], factors[n]));
    ColdCosts.bound(factors, this::isCold);
    slow.leaveBehind(factors);
    for (int p = 0; p < at.length; p++) {
      found[p] = found[p].corrected(at[p] < 0 ? 1 : factors[at[p]]);
    }
    return found;
  }

  /** What it costs alone on an average node. */
  private Demand costing(Demand raw) {
    Forecast alone = basis.forecast(raw, average, 1);
    double usage = alone.measured() - none.measured();
    return raw.costing(usage, usage - (alone.cpu() - none.cpu()), 1);
  }

  /**
   * What reads ask for of which nothing is known but how many they are: their blocks are cached as
   * all that is asked for on their node.
   *
   * @param rate requests a second
   */
  Demand reads(double rate) {
    Load load = Load.withoutScans(1, rate, 0, 0);
    Demand raw = Demand.of(CacheLoad.NONE, load, 0);
    return basis instanceof UsageBasis.Requests
        ? raw.costing(UsageBasis.Requests.usual(load, UsageBasis.Requests.MISSES), 0, 1)
        : costing(raw);
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
        ? UsageBasis.Requests.usual(held.load(), misses(n).orElse(UsageBasis.Requests.MISSES))
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
   * saturated after a plan, or as much as its tables lack of what they were served before the last
   * plans. Not the former where all nodes together are used above the target and there will be no
   * more of them: to clients that wait for answers any plan would look as if it had done too
   * little, and they would pay for the next one.
   */
  private double correction(int n, double predicted) {
    double now = observed[n] - none.measured();
    if (!(predicted > 0.01) || !(now > 0)) {
      return 1;
    }
    double factor = now / predicted;
    double vain =
        room && Saturation.isReached(observed[n])
            ? Saturation.asked(context.state().fullFor(nodes.get(n).id()))
            : 1;
    factor *= Math.max(vain, lacking.most(n));
    // What is used too much now is so, whatever the prediction says.
    double most = observed[n] > context.settings().health().high() ? factor : CORRECTION_MAX;
    return Math.max(1 / CORRECTION_MAX, Math.min(most, factor));
  }

  /** Whether a node does not tell how much it is asked for, though its cache is warm. */
  private boolean isFull(int n) {
    return Saturation.isReached(observed[n]) && !isCold(n);
  }

  /** Which tables are served less on full nodes than before the last plans. */
  Lacking lacking() {
    return lacking;
  }

  /**
   * What a node uses that its requests can't: where they are next to none, or would have to cost
   * more than anything that is believed.
   *
   * @param factor what they are believed to cost, relative to the prediction
   */
  private double besides(int n, double predicted, double factor) {
    return Math.max(0, observed[n] - none.measured() - factor * predicted);
  }

  /** Of each node, its part of what is leaving others. */
  double coming() {
    return coming;
  }

  /** The same of a node by index; 0 of one that a plan adds. */
  double besides(int node) {
    return node < besides.length ? besides[node] : 0;
  }

  /** Whether a node uses more for what it is asked for than it will. */
  boolean isCold(int node) {
    return context.seen().cold().contains(nodes.get(node).id());
  }

  /** Share of the blocks that a node was asked for lately and had to read, if it tells. */
  OptionalDouble misses(int node) {
    Double share = context.seen().misses().get(nodes.get(node).id());
    return share == null ? OptionalDouble.empty() : OptionalDouble.of(share);
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

  /** By partition, what it is asked for now; not to be changed. */
  Demand[] demands() {
    return demands;
  }
}
