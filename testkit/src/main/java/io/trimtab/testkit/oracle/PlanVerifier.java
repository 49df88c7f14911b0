package io.trimtab.testkit.oracle;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The one oracle of plans: what must hold of any plan against the snapshot that it was made from,
 * and of any state while it is carried out ({@link #state}). For property, loop, simulation and
 * live tests alike. Fractions of profiles need no rule: {@link Profile} can't be made with illegal
 * ones.
 */
public final class PlanVerifier {
  private static final String SPLIT_OF_TWO = split(Profile.READ);

  private PlanVerifier() {}

  /** All that is wrong with a plan, a sentence each, beginning with the step where it has one. */
  public static List<String> violations(Plan plan, ClusterSnapshot before) {
    List<String> all = new ArrayList<>(whole(plan, before));
    PlanWalk walk = new PlanWalk(before);
    for (PlannedAction planned : plan.actions()) {
      walk.restartsLater.addAll(restarts(planned));
    }
    int expected = 1;
    for (PlannedAction planned : plan.actions()) {
      String step = "step " + planned.step() + " (" + planned.action().kind() + "): ";
      if (planned.step() != expected++) {
        all.add(step + "steps must be numbered 1, 2, …");
      }
      texts(planned).forEach(t -> all.add(step + t));
      walk.take(planned).forEach(t -> all.add(step + t));
    }
    end(walk, before).forEach(t -> all.add("at the end: " + t));
    return all;
  }

  /**
   * The same for a plan that places everything anew by groups: also, no node has more partitions
   * than its equal share of those on the nodes of its profile, rounded up. READ and SCAN nodes have
   * the same memory split, by which engines tell profiles; they are not judged.
   */
  public static List<String> violationsOfGrouped(Plan plan, ClusterSnapshot before) {
    List<String> all = new ArrayList<>(violations(plan, before));
    PlanWalk walk = new PlanWalk(before);
    plan.actions().forEach(walk::take);
    Map<NodeId, Integer> count = new HashMap<>();
    walk.tables
        .values()
        .forEach(t -> t.values().forEach(p -> count.merge(p.node, 1, Integer::sum)));
    Map<String, Integer> nodes = new HashMap<>();
    Map<String, Integer> partitions = new HashMap<>();
    count.forEach(
        (id, n) -> {
          String group = group(walk, id);
          nodes.merge(group, 1, Integer::sum);
          partitions.merge(group, n, Integer::sum);
        });
    count.forEach(
        (id, n) -> {
          String group = group(walk, id);
          int most = (partitions.get(group) + nodes.get(group) - 1) / nodes.get(group);
          if (n > most && !group.isEmpty() && !group.equals(SPLIT_OF_TWO)) {
            all.add(
                "at the end: node %s has %d partitions, its share is %d".formatted(id, n, most));
          }
        });
    return all;
  }

  /** Nodes with the same memory split; empty where that is unknown. */
  private static String group(PlanWalk walk, NodeId id) {
    PlanWalk.WalkedNode node = id == null ? null : walk.nodes.get(id);
    return node == null ? "" : node.profile.map(PlanVerifier::split).orElse("");
  }

  private static String split(Profile profile) {
    return Math.round(100 * profile.cacheFraction())
        + "/"
        + Math.round(100 * profile.memstoreFraction());
  }

  /**
   * @param seed of the random case, for its replay
   * @throws AssertionError with the plan, where anything is wrong
   */
  public static void require(Plan plan, ClusterSnapshot before, long seed) {
    require(violations(plan, before), plan, seed);
  }

  /** The same for violations found by other means. */
  public static void require(List<String> violations, Plan plan, long seed) {
    if (!violations.isEmpty()) {
      throw new AssertionError(
          String.join("\n", violations) + "\n" + text(plan) + Seeds.replay(seed));
    }
  }

  /** A plan as a failure shows it. */
  static String text(Plan plan) {
    StringBuilder text = new StringBuilder("plan " + plan.id() + ": " + plan.summary() + "\n");
    plan.actions().forEach(a -> text.append(a.step()).append(". ").append(a.action()).append('\n'));
    return text.toString();
  }

  private static Set<NodeId> restarts(PlannedAction planned) {
    return planned
        .action()
        .as(Action.Reconfigure.class)
        .filter(change -> change.way() == Action.ApplyMode.RESTART)
        .map(change -> Set.of(change.node()))
        .orElse(Set.of());
  }

  private static List<String> whole(Plan plan, ClusterSnapshot before) {
    List<String> all = new ArrayList<>();
    if (plan.id().isBlank() || plan.summary().isBlank() || plan.policy().isBlank()) {
      all.add("the plan has no id, no policy or no summary");
    }
    if (!plan.clusterId().equals(before.clusterId())) {
      all.add("the plan is for cluster " + plan.clusterId() + ", not " + before.clusterId());
    }
    if (!plan.snapshotAt().equals(before.takenAt())) {
      all.add("the plan is of a snapshot of " + plan.snapshotAt() + ", not " + before.takenAt());
    }
    if (!(plan.gain() >= 0 && Double.isFinite(plan.gain()))) {
      all.add("the gain is " + plan.gain() + ", not >= 0");
    }
    if (plan.actions().isEmpty()) {
      all.add("the plan has no action");
    }
    return all;
  }

  private static List<String> texts(PlannedAction planned) {
    List<String> all = new ArrayList<>();
    Map<String, String> texts = new java.util.LinkedHashMap<>();
    texts.put("reason", planned.reason());
    texts.put("effect", planned.effect());
    texts.put("cost", planned.cost());
    texts.put("undo", planned.undo());
    texts.forEach(
        (name, text) -> {
          if (text == null || text.isBlank() || text.contains("\n")) {
            all.add("its " + name + " is not a line of text");
          }
        });
    return all;
  }

  private static List<String> end(PlanWalk walk, ClusterSnapshot before) {
    List<String> all = new ArrayList<>();
    Set<NodeId> deadBefore = new HashSet<>();
    for (NodeState n : before.nodes()) {
      if (!n.alive()) {
        deadBefore.add(n.id());
      }
    }
    walk.nodes.forEach(
        (id, node) -> {
          if (node.drainedByPlan) {
            all.add("node " + id + " was drained and neither removed nor opened again");
          }
        });
    boolean servedBefore = before.partitions().stream().allMatch(p -> p.node().isPresent());
    walk.tables.forEach(
        (table, parts) ->
            parts
                .values()
                .forEach(
                    p -> {
                      boolean lost =
                          p.node == null ? servedBefore : !walk.nodes.containsKey(p.node);
                      if (lost && !deadBefore.contains(p.node)) {
                        all.add("%s %s is served by no node".formatted(table, p.range));
                      }
                    }));
    return all;
  }

  /**
   * What is wrong with a live state between two actions: it must be what the ended steps make of
   * the snapshot, served whole by nodes that live. Anything that died or moved without the plan is
   * told as well.
   *
   * @param ended steps of the plan that have ended
   * @param added real nodes by their placeholders
   * @param now taken while no action is under way
   */
  public static List<String> state(
      Plan plan,
      ClusterSnapshot before,
      Set<Integer> ended,
      Map<NodeId, NodeId> added,
      ClusterSnapshot now) {
    PlanWalk walk = new PlanWalk(before);
    for (PlannedAction planned : plan.actions()) {
      if (ended.contains(planned.step())) {
        walk.take(planned);
      }
    }
    return StateOracle.differences(walk, added, before, now);
  }

  /**
   * What is wrong with the state in which a plan was left that was given up: no node may still be
   * closed that was open, and everything is served.
   */
  public static List<String> tidied(ClusterSnapshot before, ClusterSnapshot now) {
    List<String> all = new ArrayList<>(StateOracle.served(now));
    for (NodeState node : now.nodes()) {
      boolean wasDraining = before.node(node.id()).map(NodeState::draining).orElse(false);
      if (node.draining() && !wasDraining) {
        all.add("node " + node.id() + " was left draining");
      }
    }
    if (!now.balancer().equals(before.balancer())) {
      all.add("the balancer was left as " + now.balancer() + ", before: " + before.balancer());
    }
    return all;
  }
}
