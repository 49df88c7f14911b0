package io.trimtab.controller.choice.layout;

import io.trimtab.controller.ahead.Foreseen;
import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.choice.predict.Memory;
import io.trimtab.controller.choice.predict.Strengths;
import io.trimtab.controller.choice.predict.UsageBasis;
import io.trimtab.controller.maintenance.EmptiedNodes;
import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.split.SplitPlanner;
import io.trimtab.controller.tenants.TableLevels;
import io.trimtab.controller.tenants.TableWorth;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.models.outlook.Outlook;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A cluster and its load in the numbers that candidates are compared by: usable nodes and
 * partitions by index. Immutable.
 */
public final class ClusterLoad {
  /** Share of a node's requests that is lost as it is slow, from which on it is avoided. */
  private static final double AVOIDED = 0.02;

  private final DecisionContext context;
  private final Partitions partitions;
  private final List<NodeState> nodes;
  private final PartitionCosts costs;

  /** By partition, what it is counted with. */
  private final Demand[] demands;

  /** By partition, the node that serves it; −1 for none of the usable ones. */
  private final int[] at;

  private final boolean[] stays;

  private final TableWorth worth;

  /** By node, whether it holds what must stay there. */
  private final boolean[] keeps;

  private final Slowness slow;
  private final Memory[] memories;
  private final NodeGauges least;
  private final Map<PartitionId, SplitHint> hints;

  /** As it is: nothing more is counted with than there is now. */
  public ClusterLoad(DecisionContext context) {
    this.context = context;
    Observation.Usable seen = context.seen();
    partitions = Classifier.classify(seen, context.state(), context.settings());
    nodes = UsableNodes.of(seen);
    slow = new Slowness(context, nodes);
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
    worth = new TableWorth(partitions, partitions.loads(), nodes.size());
    costs = new PartitionCosts(context, partitions, nodes, at, memories, slow);
    demands = costs.demands();
  }

  private ClusterLoad(ClusterLoad now, Demand[] demands, TableWorth worth) {
    context = now.context;
    partitions = now.partitions;
    nodes = now.nodes;
    costs = now.costs;
    this.demands = demands;
    at = now.at;
    stays = now.stays;
    this.worth = worth;
    keeps = now.keeps;
    slow = now.slow;
    memories = now.memories;
    least = now.least;
    hints = now.hints;
  }

  /**
   * The same with what is foreseen. A table that next to nobody asks for now is expected to be
   * asked for evenly, by reads.
   */
  public ClusterLoad counting(Foreseen foreseen) {
    Demand[] more = costs.demands().clone();
    double[] loads = partitions.loads();
    double[] idleTables = idle(foreseen);
    Demand[] reads = Arrays.stream(idleTables).mapToObj(costs::reads).toArray(Demand[]::new);
    for (int p = 0; p < at.length; p++) {
      double idle = idleTables[partitions.table(p)];
      double factor = idle > 0 ? 1 : foreseen.factor(partitions.state(p).id().table());
      more[p] = factor == 1 ? more[p] : more[p].times(factor);
      more[p] = idle > 0 ? more[p].plus(reads[partitions.table(p)]) : more[p];
      loads[p] += idle;
    }
    return new ClusterLoad(this, more, new TableWorth(partitions, loads, nodes.size()));
  }

  /** By table, what each partition of one will be asked for that hardly is now; 0 of others. */
  private double[] idle(Foreseen foreseen) {
    double[] now = new double[partitions.tables()];
    int[] count = new int[now.length];
    String[] names = new String[now.length];
    for (int p = 0; p < at.length; p++) {
      int table = partitions.table(p);
      now[table] += partitions.load(p);
      count[table]++;
      names[table] = partitions.state(p).id().table();
    }
    double[] each = new double[now.length];
    for (int table = 0; table < now.length; table++) {
      double more = foreseen.rate(names[table], now[table]) - now[table];
      each[table] = now[table] < Outlook.NOTHING ? more / count[table] : 0;
    }
    return each;
  }

  /** Whether a node uses more for what it is asked for than it will. */
  public boolean isCold(int node) {
    return costs.isCold(node);
  }

  /** What the decision is made from: what is seen, kept and set. */
  public DecisionContext context() {
    return context;
  }

  /** The settings of the decision. */
  public Settings settings() {
    return context.settings();
  }

  /** All partitions, by index. */
  public Partitions partitions() {
    return partitions;
  }

  /**
   * What a cluster of these nodes can be made of; block sizes stay as they are.
   *
   * @param those that there shall be
   */
  public PlacementInput input(List<NodeId> those) {
    return new PlacementInput(
        context.seen().snapshot(),
        partitions,
        those,
        settings().place().withoutBlockSizes(),
        settings().tables(),
        context.seen().frozen());
  }

  /** Usable nodes, by index. */
  public List<NodeState> nodes() {
    return nodes;
  }

  /** What the usage of nodes is predicted from. */
  public UsageBasis basis() {
    return costs.basis();
  }

  /** What a usual node uses without load. */
  public Forecast none() {
    return costs.none();
  }

  /** How much of each node the same load uses, relative to a usual one. */
  public Strengths strengths() {
    return costs.strengths();
  }

  /** What a partition is counted with: as much of it as is foreseen. */
  public Demand demand(int partition) {
    return demands[partition];
  }

  /** What a partition is asked for now. */
  Demand demandNow(int partition) {
    return costs.demands()[partition];
  }

  /** The node that serves a partition; −1 for none of the usable ones. */
  public int at(int partition) {
    return at[partition];
  }

  /** Whether plans leave a partition where it is. */
  public boolean stays(int partition) {
    return stays[partition];
  }

  /** Locality below which a partition's files are far from its node. */
  public double localityMin(int partition) {
    return settings().place().localityMin(partitions.accessClass(partition));
  }

  /** Whether a node holds nothing that must stay there, and so can be emptied. */
  public boolean isFree(int node) {
    return !keeps[node];
  }

  /** Whether a node takes another profile without a restart. */
  public boolean isOnline(int node) {
    return nodes.get(node).onlineProfile() && settings().place().way() == Action.ApplyMode.ONLINE;
  }

  /** Share of the cluster's worth that depends on a partition being served, in nodes. */
  double worth(int partition) {
    return worth.of(partition);
  }

  /** What it is worth that the partitions of each table are served. */
  public TableWorth tables() {
    return worth;
  }

  /** Share of the requests of a node that counts as lost over the horizon as it answers late. */
  public double slowness(int node) {
    return slow.lost(node);
  }

  /** Whether a node has been slow for long, so that nothing goes there while there are others. */
  public boolean isSlow(int node) {
    return slowness(node) >= AVOIDED;
  }

  /** How many times as much as others a node uses for the same, as it is slow. */
  double excess(int node) {
    return slow.excess(node);
  }

  /**
   * What a node uses that none of its requests explains, as by a job beside the database: it stays,
   * whatever is moved. 0 of a node that a plan adds.
   */
  double besides(int node) {
    return costs.besides(node);
  }

  /** A node's part of what nodes do that are being emptied; 0 of a node that a plan adds. */
  double coming(int node) {
    return node < nodes.size() ? costs.coming() : 0;
  }

  /** Share of the blocks that a node was asked for lately and had to read, if it tells. */
  public OptionalDouble misses(int node) {
    return costs.misses(node);
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
  public Memory memory(int node, Profile profile) {
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

  /** What nodes are taken to be asked for beyond what they serve, to end a text. */
  public String more() {
    return TableLevels.told(costs.lacking().tables())
        + EmptiedNodes.first(context.seen().snapshot())
            .map(clause -> "; " + clause + ": its load is expected on the others, in equal parts")
            .orElse("");
  }

  /** Where a partition's requests halve; empty if that is unknown, or it must not be split. */
  public Optional<SplitHint> splitsAt(int partition) {
    return Optional.ofNullable(hints.get(partitions.state(partition).id()));
  }
}
