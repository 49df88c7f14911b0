package io.trimtab.controller.guard;

import io.trimtab.controller.guard.MachineMap.Machine;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.models.capacity.MachineBudget.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is used of machines that several clusters share, as one of these clusters is told it. A plan
 * of that cluster may not bring a machine above what it has. Pure.
 *
 * @param own the cluster that decides
 * @param nodes on each machine, by its name
 */
public record SharedMachines(String own, MachineMap map, Map<String, List<Node>> nodes) {
  /** Of a cluster that shares none. */
  public static final SharedMachines NONE = new SharedMachines("", MachineMap.NONE, Map.of());

  /**
   * A share of what a machine has. A plan that adds less is not about it, and is not refused for a
   * machine that is full already: predictions are off by as much.
   */
  private static final double LEAST = 0.01;

  /** Usage that was seen longer ago is told with its time. */
  private static final Duration RECENT = Duration.ofMinutes(5);

  /** Sums of decimal fractions of cores are not exact. */
  private static final double ROUNDING = 1e-9;

  /**
   * A node on a machine.
   *
   * @param size what a node of its type needs
   * @param cores that it uses, or will use, at most its own; all of its own if it was given NaN,
   *     because nothing is known
   * @param seen when it was seen that it uses them; empty if nothing is known
   */
  public record Node(String cluster, NodeId id, Size size, double cores, Optional<Instant> seen) {
    public Node {
      cores = Double.isFinite(cores) ? Math.max(0, Math.min(cores, size.cores())) : size.cores();
    }

    private Node using(double other) {
      return new Node(cluster, id, size, other, seen);
    }
  }

  /** What a machine may have too little of. */
  private enum Resource {
    CORES("cores", Node::cores, Size::cores),
    MEMORY(
        "GiB of memory",
        node -> gibibytes(node.size().memoryBytes()),
        size -> gibibytes(size.memoryBytes())),
    DISK(
        "GiB of disk",
        node -> gibibytes(node.size().diskBytes()),
        size -> gibibytes(size.diskBytes()));

    private final String unit;
    private final ToDoubleFunction<Node> used;
    private final ToDoubleFunction<Size> whole;

    Resource(String unit, ToDoubleFunction<Node> used, ToDoubleFunction<Size> whole) {
      this.unit = unit;
      this.used = used;
      this.whole = whole;
    }

    private static double gibibytes(long bytes) {
      return bytes / (double) (1L << 30);
    }

    private double sum(List<Node> nodes) {
      return nodes.stream().mapToDouble(used).sum();
    }
  }

  public boolean isEmpty() {
    return map.isEmpty();
  }

  /**
   * The cluster's own nodes when a plan is done, by the name of their machine; those of which the
   * plan leaves it open on which machine they come, on each on which they may.
   *
   * @param predicted usage of the nodes after the plan; empty if none is predicted
   */
  public Map<String, List<Node>> after(
      Plan plan, Observation.Usable seen, Optional<UsagePrediction> predicted) {
    Set<NodeId> leaving =
        plan.actions(Action.RemoveNode.class).stream()
            .map(Action.RemoveNode::node)
            .collect(Collectors.toSet());
    Map<String, List<Node>> then = new TreeMap<>();
    for (Machine machine : map.machines()) {
      List<Node> there = new ArrayList<>();
      for (Node node : own(machine)) {
        if (!leaving.contains(node.id())) {
          there.add(node.using(coresThen(node, plan, seen, predicted)));
        }
      }
      then.put(machine.name(), there);
    }
    List<Action.AddNode> joining = plan.actions(Action.AddNode.class);
    for (int i = 0; i < joining.size(); i++) {
      NodeId id = joining.get(i).placeholder();
      NodeId expected = places(seen).node(i).orElse(id);
      for (Machine machine : machinesOf(i, seen)) {
        Size size = map.size(own, expected, machine);
        double cores = size.cores() * cpuShare(seen) * usage(id, predicted).orElse(Double.NaN);
        List<Node> there = then.get(machine.name());
        // By the name that it will have, so that it is not counted twice once it is seen; a dead
        // one whose place it takes has the same.
        there.removeIf(node -> node.id().equals(expected));
        there.add(new Node(own, expected, size, cores, Optional.of(seen.snapshot().takenAt())));
      }
    }
    return then;
  }

  /**
   * Why a plan may not begin; empty if it may.
   *
   * @param predicted as for {@link #after}
   */
  public Optional<Guard.Verdict.Refuse> refuses(
      Plan plan, Observation.Usable seen, Optional<UsagePrediction> predicted, Instant now) {
    Map<String, List<Node>> then = after(plan, seen, predicted);
    for (Machine machine : map.machines()) {
      List<Node> others =
          there(machine).stream().filter(node -> !node.cluster().equals(own)).toList();
      List<Node> before = both(others, nowUsing(machine, seen));
      List<Node> after = both(others, then.get(machine.name()));
      for (Resource resource : Resource.values()) {
        double has = resource.whole.applyAsDouble(machine.has());
        double sum = resource.sum(after);
        if (sum > has * (1 + ROUNDING) && sum > resource.sum(before) + LEAST * has) {
          String reason =
              String.format(
                  Locale.ROOT,
                  "the plan would bring machine %s to %.1f of its %.1f %s: %s%s",
                  machine.name(),
                  sum,
                  has,
                  resource.unit,
                  parts(resource, before, after, now),
                  unsure(machine, plan, seen));
          return Optional.of(new Guard.Verdict.Refuse(reason, "machines." + machine.name()));
        }
      }
    }
    return Optional.empty();
  }

  /** By cluster, the own one first. */
  private String parts(Resource resource, List<Node> before, List<Node> after, Instant now) {
    Map<String, List<Node>> clusters = new TreeMap<>();
    after.forEach(
        node -> clusters.computeIfAbsent(node.cluster(), name -> new ArrayList<>()).add(node));
    List<Node> ownThen = clusters.remove(own);
    List<String> parts = new ArrayList<>();
    if (ownThen != null) {
      List<Node> ownNow = before.stream().filter(node -> node.cluster().equals(own)).toList();
      parts.add(
          String.format(
              Locale.ROOT, "%s %.1f, now %.1f", own, resource.sum(ownThen), resource.sum(ownNow)));
    }
    clusters.forEach(
        (cluster, theirs) ->
            parts.add(
                String.format(Locale.ROOT, "%s %.1f", cluster, resource.sum(theirs))
                    + (resource == Resource.CORES ? age(theirs, now) : "")));
    return String.join("; ", parts);
  }

  private static String age(List<Node> nodes, Instant now) {
    if (nodes.stream().anyMatch(node -> node.seen().isEmpty())) {
      return ", counted whole as it was not seen yet";
    }
    return nodes.stream()
        .flatMap(node -> node.seen().stream())
        .min(Instant::compareTo)
        .filter(at -> at.isBefore(now.minus(RECENT)))
        .map(at -> ", last seen at " + at)
        .orElse("");
  }

  private String unsure(Machine machine, Plan plan, Observation.Usable seen) {
    boolean joins = !plan.actions(Action.AddNode.class).isEmpty();
    return joins && !places(seen).told() && own(machine).isEmpty()
        ? "; the node provider does not tell where a new node will be, and it may be there"
        : "";
  }

  private static NodeCapacity.Places places(Observation.Usable seen) {
    return seen.offer().map(NodeCapacity::places).orElse(NodeCapacity.Places.UNTOLD);
  }

  /**
   * Machines on which a new node may come. Where it is not told, any that has no node of the
   * cluster: a cluster has one on each, since copies of data on one machine are lost together. So
   * none but the first is counted there.
   *
   * @param index among the plan's new nodes
   */
  private List<Machine> machinesOf(int index, Observation.Usable seen) {
    NodeCapacity.Places places = places(seen);
    if (places.told()) {
      return places.node(index).flatMap(node -> map.machineOf(own, node)).stream().toList();
    }
    return index > 0
        ? List.of()
        : map.machines().stream().filter(machine -> own(machine).isEmpty()).toList();
  }

  private List<Node> there(Machine machine) {
    return nodes.getOrDefault(machine.name(), List.of());
  }

  private List<Node> own(Machine machine) {
    return there(machine).stream().filter(node -> node.cluster().equals(own)).toList();
  }

  private List<Node> nowUsing(Machine machine, Observation.Usable seen) {
    return own(machine).stream().map(node -> node.using(coresNow(node, seen))).toList();
  }

  private static List<Node> both(List<Node> some, List<Node> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private static double coresNow(Node node, Observation.Usable seen) {
    double cpu = seen.cpu().getOrDefault(node.id(), Double.NaN);
    return Double.isFinite(cpu) ? cpu * limit(node, seen) : node.cores();
  }

  private static double coresThen(
      Node node, Plan plan, Observation.Usable seen, Optional<UsagePrediction> predicted) {
    double now = coresNow(node, seen);
    Optional<Double> usage = usage(node.id(), predicted);
    if (usage.isPresent()) {
      double then = usage.get() * cpuShare(node.id(), seen) * limit(node, seen);
      // Where the plan brings nothing, more than now is an error of the prediction.
      return mayGain(node.id(), plan) || mayCostMore(node.id(), plan) ? then : Math.min(now, then);
    }
    return predicted.isEmpty() && mayGain(node.id(), plan) ? Double.NaN : now;
  }

  /** No more than a node can use: the rest of its load is not served. */
  private static Optional<Double> usage(NodeId node, Optional<UsagePrediction> predicted) {
    return predicted
        .flatMap(usage -> Optional.ofNullable(usage.usage().get(node)))
        .map(usage -> Math.min(1, usage));
  }

  /** Whether a plan may bring load to a node. */
  private static boolean mayGain(NodeId node, Plan plan) {
    return !plan.actions(Action.RemoveNode.class).isEmpty()
        || plan.actions(Action.Move.class).stream().anyMatch(move -> move.to().equals(node))
        || plan.actions(Action.Split.class).stream()
            .anyMatch(split -> split.rightTo().equals(node));
  }

  /** Whether what a node has may cost it more after a plan; merged partitions are on one node. */
  private static boolean mayCostMore(NodeId node, Plan plan) {
    return !plan.actions(Action.Merge.class).isEmpty()
        || !plan.actions(Action.SetBlockSize.class).isEmpty()
        || plan.actions(Action.Reconfigure.class).stream()
            .anyMatch(change -> change.node().equals(node));
  }

  /** Cores that the shares are of which a node tells. */
  private static double limit(Node node, Observation.Usable seen) {
    return seen.snapshot()
        .node(node.id())
        .map(state -> state.usage().limits().cores())
        .filter(Double::isFinite)
        .orElse(node.size().cores());
  }

  /** The part of a node's usage that is CPU; the rest is I/O wait. 1 if it is not known. */
  private static double cpuShare(NodeId node, Observation.Usable seen) {
    return share(
        seen.cpu().getOrDefault(node, Double.NaN), seen.usage().getOrDefault(node, Double.NaN));
  }

  /** The same of all nodes together. */
  private static double cpuShare(Observation.Usable seen) {
    return share(sum(seen.cpu()), sum(seen.usage()));
  }

  private static double share(double cpu, double usage) {
    double share = cpu / usage;
    return Double.isFinite(share) ? Math.max(0, Math.min(1, share)) : 1;
  }

  private static double sum(Map<NodeId, Double> shares) {
    return shares.values().stream().mapToDouble(share -> share).sum();
  }
}
