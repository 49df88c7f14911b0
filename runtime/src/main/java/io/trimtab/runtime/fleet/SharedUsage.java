package io.trimtab.runtime.fleet;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.guard.MachineMap;
import io.trimtab.controller.guard.SharedMachines;
import io.trimtab.controller.guard.SharedMachines.Node;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decider;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.capacity.MachineBudget.Size;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the clusters of a fleet use of the machines that they share, as each was seen last, and what
 * plans that are carried out will use. Thread-safe: each cluster has a thread of its own.
 */
public final class SharedUsage {
  /** Of a cluster that shares nothing. */
  public static final Member NOBODY = new SharedUsage(MachineMap.NONE).member("");

  /** The first look after a plan tells of usage that is partly of the time before its end. */
  private static final int LOOKS = 2;

  private final MachineMap map;

  /** By cluster and node. */
  private final Map<String, SortedMap<NodeId, Last>> seen = new TreeMap<>();

  /** Clusters whose nodes are all known. */
  private final Set<String> known = new HashSet<>();

  private final Map<String, Claim> claims = new TreeMap<>();

  /**
   * A node as it told its usage last.
   *
   * @param share of its cores; NaN if it has not told any yet
   * @param limit its cores; NaN if it does not tell
   */
  private record Last(double share, double limit, Optional<Instant> at) {
    static final Last NEVER = new Last(Double.NaN, Double.NaN, Optional.empty());

    Node on(MachineMap.Machine machine, String cluster, NodeId node, MachineMap map) {
      Size size = map.size(cluster, node, machine);
      double cores = share * (Double.isFinite(limit) ? limit : size.cores());
      return new Node(cluster, node, size, cores, at);
    }
  }

  /**
   * What a plan will use, by machine.
   *
   * @param looksLeft looks at the cluster until that is what is seen; empty while it is carried out
   */
  private record Claim(Map<String, List<Node>> nodes, Optional<Integer> looksLeft) {}

  /**
   * @param map which nodes are on which machines
   */
  public SharedUsage(MachineMap map) {
    this.map = map;
  }

  /** The part of a cluster, by its name in the map. */
  public Member member(String cluster) {
    return new Member(cluster);
  }

  /** The part of one cluster. */
  public final class Member {
    private final String cluster;

    private Member(String cluster) {
      this.cluster = cluster;
    }

    /** The cluster was looked at. */
    public void seen(ClusterSnapshot snapshot) {
      if (!map.isEmpty()) {
        look(cluster, snapshot);
      }
    }

    /** What all clusters use now, for a decision of this one. */
    public SharedMachines now() {
      return map.isEmpty() ? SharedMachines.NONE : usage(cluster);
    }

    /**
     * Counts what a plan will use from now on, until it has {@link #ended} and that is seen; if
     * another plan has been begun since this one was decided on, there may be no room any more.
     *
     * @param decidedOn with what the node provider offers
     * @return why the plan may not begin; empty if it may
     */
    public Optional<Guard.Verdict.Refuse> claim(
        Decider.Go go, Observation.Usable decidedOn, Instant now) {
      // An urgent one waits for no room, and what it brings is not predicted.
      return map.isEmpty() || go.act().urgent()
          ? Optional.empty()
          : claimed(cluster, go, decidedOn, now);
    }

    /** A plan has ended, or was not begun; no-op if there was none. */
    public void ended() {
      if (!map.isEmpty()) {
        end(cluster);
      }
    }

    /**
     * As what the cluster counts on its machines while it can't be looked at, a clause; empty if it
     * shares none.
     */
    public Optional<String> unseen() {
      return map.isEmpty() ? Optional.empty() : countedAs(cluster);
    }
  }

  private synchronized void look(String cluster, ClusterSnapshot snapshot) {
    SortedMap<NodeId, Last> nodes = seen.computeIfAbsent(cluster, name -> new TreeMap<>());
    if (snapshot.clusterGaps().isEmpty()) {
      // A node that has left uses nothing; one that is only not seen may be there.
      nodes
          .keySet()
          .retainAll(snapshot.nodes().stream().map(NodeState::id).collect(Collectors.toSet()));
      known.add(cluster);
    }
    for (NodeState node : snapshot.nodes()) {
      double share = node.usage().cpu();
      if (node.alive() && Double.isFinite(share)) {
        double limit = node.usage().limits().cores();
        nodes.put(node.id(), new Last(share, limit, Optional.of(snapshot.takenAt())));
      } else {
        nodes.putIfAbsent(node.id(), Last.NEVER);
      }
    }
    claims.computeIfPresent(
        cluster,
        (name, claim) ->
            claim.looksLeft().isEmpty()
                ? claim
                : claim.looksLeft().get() <= 1
                    ? null
                    : new Claim(claim.nodes(), claim.looksLeft().map(left -> left - 1)));
  }

  private synchronized SharedMachines usage(String own) {
    Map<String, List<Node>> there = new TreeMap<>();
    for (MachineMap.Machine machine : map.machines()) {
      there.put(machine.name(), listed(machine));
    }
    seen.forEach(
        (cluster, nodes) ->
            nodes.forEach(
                (node, last) ->
                    map.machineOf(cluster, node)
                        .filter(machine -> !machine.lists(cluster, node))
                        .ifPresent(
                            machine ->
                                there
                                    .get(machine.name())
                                    .add(last.on(machine, cluster, node, map)))));
    claims.forEach(
        (cluster, claim) -> {
          if (!cluster.equals(own)) {
            claim.nodes().forEach((name, planned) -> raise(there.get(name), planned));
          }
        });
    return new SharedMachines(own, map, there);
  }

  /** Nodes of the map, but for those that are known not to be there. */
  private List<Node> listed(MachineMap.Machine machine) {
    List<Node> nodes = new ArrayList<>();
    for (MachineMap.Listed listed : machine.nodes()) {
      Optional<Last> last =
          Optional.ofNullable(seen.get(listed.cluster())).map(all -> all.get(listed.node()));
      if (last.isPresent() || !known.contains(listed.cluster())) {
        nodes.add(last.orElse(Last.NEVER).on(machine, listed.cluster(), listed.node(), map));
      }
    }
    return nodes;
  }

  /** What comes with a plan may be seen already, and what goes with it may still be there. */
  private static void raise(List<Node> nodes, List<Node> planned) {
    for (Node node : planned) {
      Optional<Node> present =
          nodes.stream()
              .filter(n -> n.cluster().equals(node.cluster()) && n.id().equals(node.id()))
              .findFirst();
      if (present.filter(n -> n.cores() >= node.cores()).isEmpty()) {
        present.ifPresent(nodes::remove);
        nodes.add(node);
      }
    }
  }

  private synchronized Optional<Guard.Verdict.Refuse> claimed(
      String cluster, Decider.Go go, Observation.Usable decidedOn, Instant now) {
    SharedMachines machines = usage(cluster);
    Optional<Guard.Verdict.Refuse> refusal =
        machines.refuses(go.act().plan(), decidedOn, go.usage(), now);
    if (refusal.isEmpty()) {
      Map<String, List<Node>> then = machines.after(go.act().plan(), decidedOn, go.usage());
      claims.put(cluster, new Claim(then, Optional.empty()));
    }
    return refusal;
  }

  private synchronized void end(String cluster) {
    claims.computeIfPresent(
        cluster,
        (name, claim) ->
            claim.looksLeft().isPresent() ? claim : new Claim(claim.nodes(), Optional.of(LOOKS)));
  }

  private synchronized Optional<String> countedAs(String cluster) {
    boolean shares =
        map.machines().stream()
            .flatMap(machine -> machine.nodes().stream())
            .anyMatch(listed -> listed.cluster().equals(cluster));
    if (!shares) {
      return Optional.empty();
    }
    return Optional.of(
        known.contains(cluster)
            ? "on machines that it shares it counts as it was last seen"
            : "on machines that it shares it counts whole, as it was not seen yet");
  }
}
