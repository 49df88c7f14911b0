package io.trimtab.controller.choice;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.PartitionItems;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.usage.UsagePredictor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

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

  /** Usage from which on a node tells no more how much it is asked for. */
  private static final double SATURATED = 0.97;

  /** Standard deviation of a prediction from which on it is none. */
  private static final double DEVIATION_MAX = 0.1;

  /** What a saturated node is asked for, as a multiple of what it serves. */
  private static final double UNSERVED = 1.2;

  /** Plans in a row for which more and more is assumed; the first assumes what is observed. */
  static final int SATURATED_MAX = 4;

  private final DecisionContext context;
  private final Partitions partitions;
  private final List<NodeState> nodes;
  private final UsageBasis basis;
  private final Demand[] demands;

  /** By partition, the node that serves it; −1 for none of the usable ones. */
  private final int[] at;

  private final boolean[] stays;

  /**
   * By partition: its table's share of the cluster's worth times its share of the table's requests.
   */
  private final double[] worth;

  private final double[] observed;
  private final Memory[] memories;
  private final double heapBytes;
  private final Map<PartitionId, SplitHint> hints = new HashMap<>();

  /**
   * @param foreseen how much more of each table's requests is counted with than there are now
   */
  ClusterLoad(DecisionContext context, ToDoubleFunction<Outlook> foreseen) {
    this.context = context;
    Observation.Usable seen = context.seen();
    partitions = Classifier.classify(seen, context.state(), context.settings());
    nodes = UsableNodes.of(seen);
    observed = nodes.stream().mapToDouble(n -> seen.usage().get(n.id())).toArray();
    memories = nodes.stream().map(ClusterLoad::memory).toArray(Memory[]::new);
    heapBytes = nodes.stream().mapToDouble(n -> n.gauges().heapMaxBytes()).min().orElse(0);
    Map<NodeId, Integer> index = new HashMap<>();
    nodes.forEach(n -> index.put(n.id(), index.size()));
    at = new int[partitions.size()];
    stays = new boolean[at.length];
    for (int p = 0; p < at.length; p++) {
      at[p] = partitions.state(p).node().map(n -> index.getOrDefault(n, -1)).orElse(-1);
      stays[p] = context.stays(partitions.state(p));
    }
    seen.hints().forEach(h -> hints.put(h.partition(), h));
    worth = worth();
    Map<PartitionId, UsagePacking.Item> items = PartitionItems.of(seen, context.settings().usage());
    basis = basis(seen, items);
    demands = demands(items);
    for (int p = 0; p < at.length; p++) {
      Outlook outlook = seen.outlooks().get(partitions.state(p).id().table());
      double factor = outlook == null ? 1 : Math.max(1, foreseen.applyAsDouble(outlook));
      demands[p] = factor == 1 ? demands[p] : demands[p].times(factor);
    }
  }

  /** A built model first, then what was learned, as far as that is enough; else requests alone. */
  private UsageBasis basis(Observation.Usable seen, Map<PartitionId, UsagePacking.Item> items) {
    boolean blocks = !seen.blocks().isEmpty() && PartitionItems.unknown(seen).isEmpty();
    boolean caches = nodes.stream().allMatch(n -> n.gauges().cacheMaxBytes() > 0);
    if (blocks && caches) {
      Optional<UsageBasis> built =
          seen.model()
              .map(model -> new UsageBasis.Costs(new UsagePredictor(model), "the built model"));
      Optional<UsageBasis> learned =
          seen.learned().map(costs -> new UsageBasis.Costs(costs, "what requests cost so far"));
      Optional<UsageBasis> known =
          built.filter(b -> knows(b, items)).or(() -> learned.filter(b -> knows(b, items)));
      if (known.isPresent()) {
        return known.get();
      }
    }
    return new UsageBasis.Requests(0);
  }

  /** Whether it says what each node's present load costs, well enough. */
  private boolean knows(UsageBasis costs, Map<PartitionId, UsagePacking.Item> items) {
    Demand[] held = new Demand[nodes.size()];
    Arrays.fill(held, Demand.NONE);
    for (int p = 0; p < at.length; p++) {
      if (at[p] >= 0) {
        UsagePacking.Item item = items.get(partitions.state(p).id());
        held[at[p]] = held[at[p]].plus(new Demand(item.cache(), item.load(), 0, 0, 0));
      }
    }
    try {
      for (int n = 0; n < held.length; n++) {
        if (costs.forecast(held[n], memories[n]).deviation() > DEVIATION_MAX) {
          return false;
        }
      }
      return true;
    } catch (IllegalArgumentException e) {
      // A kind of request that the model was not built for.
      return false;
    }
  }

  /**
   * Half by tables, which count alike however many requests they have, so that a small tenant's
   * loss is a loss, too; half by requests, so that many small ones do not outweigh a large one.
   */
  private double[] worth() {
    double[] requests = new double[partitions.tables()];
    for (int p = 0; p < at.length; p++) {
      requests[partitions.table(p)] += partitions.load(p);
    }
    long asked = Arrays.stream(requests).filter(r -> r > 0).count();
    double sum = Arrays.stream(requests).sum();
    double[] share = new double[at.length];
    for (int p = 0; p < at.length; p++) {
      double all = requests[partitions.table(p)];
      double byTable = all > 0 ? partitions.load(p) / all / asked : 0;
      double byRequests = sum > 0 ? partitions.load(p) / sum : 0;
      share[p] = nodes.size() * (byTable + byRequests) / 2;
    }
    return share;
  }

  private Demand[] demands(Map<PartitionId, UsagePacking.Item> items) {
    double[] requests = new double[nodes.size()];
    for (int p = 0; p < at.length; p++) {
      if (at[p] >= 0) {
        requests[at[p]] += partitions.load(p);
      }
    }
    Memory average =
        new Memory(
            Arrays.stream(memories).mapToDouble(Memory::cacheBytes).average().orElse(0),
            Arrays.stream(memories).mapToDouble(Memory::memstoreShare).average().orElse(0));
    Demand[] found = new Demand[at.length];
    Demand[] held = new Demand[nodes.size()];
    Arrays.fill(held, Demand.NONE);
    for (int p = 0; p < at.length; p++) {
      UsagePacking.Item item = items.get(partitions.state(p).id());
      Demand raw = new Demand(item.cache(), item.load(), 0, 0, partitions.state(p).sizeBytes());
      double alone =
          basis instanceof UsageBasis.Requests
              ? byRequests(p, requests)
              : basis.forecast(raw, average).usage() - basis.idle();
      found[p] = new Demand(raw.cache(), raw.load(), alone, alone, raw.bytes());
      if (at[p] >= 0) {
        held[at[p]] = held[at[p]].plus(found[p]);
      }
    }
    double[] factor = new double[held.length];
    for (int n = 0; n < held.length; n++) {
      factor[n] = correction(n, held[n]);
    }
    for (int p = 0; p < at.length; p++) {
      double by = at[p] < 0 ? 1 : factor[at[p]];
      Demand d = found[p];
      found[p] = new Demand(d.cache(), d.load(), d.alone(), by * d.alone(), d.bytes());
    }
    return found;
  }

  private double byRequests(int p, double[] requests) {
    return at[p] >= 0 && requests[at[p]] > 0
        ? observed[at[p]] * partitions.load(p) / requests[at[p]]
        : 0;
  }

  /**
   * What a node's requests cost now, relative to the prediction. A saturated node is asked for more
   * than it serves; how much more it does not tell, so that more is assumed each time it is still
   * saturated after a plan.
   */
  private double correction(int n, Demand held) {
    double predicted = basis.forecast(held, memories[n]).usage() - basis.idle();
    double now = observed[n] - basis.idle();
    if (!(predicted > 0.01) || !(now > 0)) {
      return 1;
    }
    double factor = now / predicted;
    if (observed[n] >= SATURATED) {
      factor *= Math.pow(UNSERVED, Math.min(SATURATED_MAX, state().step()) - 1.0);
    }
    // What is used too much now is so, whatever the prediction says.
    double most = observed[n] > settings().health().high() ? factor : CORRECTION_MAX;
    return Math.max(1 / CORRECTION_MAX, Math.min(most, factor));
  }

  DecisionContext context() {
    return context;
  }

  Settings settings() {
    return context.settings();
  }

  PolicyState state() {
    return context.state();
  }

  Partitions partitions() {
    return partitions;
  }

  /** Usable nodes, by index. */
  List<NodeState> nodes() {
    return nodes;
  }

  UsageBasis basis() {
    return basis;
  }

  Demand demand(int partition) {
    return demands[partition];
  }

  /** The node that serves a partition; −1 for none of the usable ones. */
  int at(int partition) {
    return at[partition];
  }

  /** Whether plans leave a partition where it is. */
  boolean stays(int partition) {
    return stays[partition];
  }

  /** Whether a node holds nothing that must stay there, and so can be emptied. */
  boolean isFree(int node) {
    for (int p = 0; p < at.length; p++) {
      if (at[p] == node && stays[p]) {
        return false;
      }
    }
    return true;
  }

  /** Share of the cluster's worth that depends on a partition being served, in nodes. */
  double worth(int partition) {
    return worth[partition];
  }

  /** Whether a node is used so much that it does not tell how much it is asked for. */
  boolean anySaturated() {
    return Arrays.stream(observed).anyMatch(usage -> usage >= SATURATED);
  }

  /** How a node's memory is split now. */
  Memory memory(int node) {
    return memories[node];
  }

  /**
   * How a node's memory would be split by a profile.
   *
   * @param node of a node to be added, too, which has the least heap of the others
   */
  Memory memory(int node, Profile profile) {
    double heap = node < nodes.size() ? nodes.get(node).gauges().heapMaxBytes() : heapBytes;
    return new Memory(profile.cacheFraction() * heap, profile.memstoreFraction());
  }

  private static Memory memory(NodeState node) {
    Profile profile = node.profile().orElse(Profile.HOMOGENEOUS);
    return new Memory(node.gauges().cacheMaxBytes(), profile.memstoreFraction());
  }

  Optional<SplitHint> hint(int partition) {
    return Optional.ofNullable(hints.get(partitions.state(partition).id()));
  }
}
