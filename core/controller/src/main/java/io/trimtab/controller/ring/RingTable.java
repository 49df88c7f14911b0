package io.trimtab.controller.ring;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What could be done with a ring, each weighed against leaving it as it is by {@link RingCosts},
 * and why it is not done. Filled while a decision is made; not for several threads.
 */
public final class RingTable {
  public static final String STAY = "leave the nodes as they are";
  public static final String CONFIGURE = "configure nodes for their requests";
  public static final String REPLACE = "replace a slow node";
  public static final String FEWER = "remove a node";

  /** Numbers of nodes that are shown before the one that is enough. */
  private static final int NUMBERS_MAX = 8;

  /**
   * A change that is weighed, or none.
   *
   * @param nodes afterwards
   * @param most predicted usage of the most used node; as now where {@code isPredicted} is not so
   * @param over nodes that would be above the target, likewise
   * @param isPredicted whether anything tells what it brings
   * @param seconds that the plan takes, about
   * @param takes what it costs over the horizon, nodes and change, in seconds of one node
   * @param gain what it saves over the horizon less what it costs, in seconds of one node
   */
  public record Option(
      String title,
      int nodes,
      double most,
      int over,
      boolean isPredicted,
      RingChange change,
      double seconds,
      double takes,
      double gain) {

    /** Whether it may bring every node below the target: what is not known is tried. */
    public boolean maySuffice() {
      return over == 0 || !isPredicted;
    }

    /** Whether nodes join or leave. */
    public boolean changesRing() {
      return !title.equals(STAY) && !title.equals(CONFIGURE);
    }
  }

  private final RingShares shares;
  private final RingUsage usage;
  private final RingCosts costs;
  private final double load;
  private final double now;

  /** By their titles. */
  private final Map<String, Option> options = new LinkedHashMap<>();

  private final Map<String, String> reasons = new HashMap<>();

  /** Title of what makes room; empty where that is not weighed. */
  private Optional<String> room = Optional.empty();

  /**
   * @param load what is asked for, as a multiple of what is now
   */
  public RingTable(RingShares shares, RingUsage usage, RingCosts costs, double load) {
    this.shares = shares;
    this.usage = usage;
    this.costs = costs;
    this.load = load;
    this.now = usage.most(load);
    int over = usage.over(load, costs.target());
    put(new Option(STAY, shares.size(), now, over, true, RingChange.NONE, 0, 0, 0));
  }

  private Option put(Option option) {
    options.put(option.title(), option);
    return option;
  }

  /** Nodes are configured for their requests. */
  public Option configured(List<PlannedAction> actions) {
    Optional<RingUsage> known = usage.configured(actions);
    RingUsage then = known.orElse(usage);
    RingChange change = RingChange.configuring(actions);
    return put(
        new Option(
            CONFIGURE,
            shares.size(),
            then.most(load),
            then.over(load, costs.target()),
            known.isPresent(),
            change,
            RingChange.secondsOf(actions),
            change.price(),
            costs.ofChanging(shares.size(), now, then.most(load), change)));
  }

  /**
   * Nodes join.
   *
   * @param nodes then, more than there are
   */
  public Option more(int nodes) {
    int more = nodes - shares.size();
    RingChange change = costs.joining(shares.size(), nodes);
    double factor = load * shares.share(nodes - shares.lacking());
    return put(
        new Option(
            joining(more),
            nodes,
            usage.most(factor),
            usage.over(factor, costs.target()),
            true,
            change,
            costs.planSeconds(more, change),
            costs.takes(more, change),
            costs.ofJoining(shares.size(), nodes, n -> shares.most(n, load))));
  }

  /** A node more, and each number up to the one that is enough, as far as a table can show them. */
  public void upTo(int enough) {
    int first = shares.size() + 1;
    for (int nodes = first; nodes < Math.min(enough, first + NUMBERS_MAX); nodes++) {
      more(nodes);
    }
    more(enough);
  }

  /**
   * One node leaves.
   *
   * @param working how many nodes' work is done then, a slow one's as far as it is
   */
  public Option fewer(NodeId leaves, double working) {
    RingChange change = costs.leaving(leaves);
    double factor = load * shares.share(working);
    double most = usage.most(factor);
    return put(
        new Option(
            FEWER,
            shares.size() - 1,
            most,
            usage.over(factor, costs.target()),
            true,
            change,
            costs.planSeconds(0, change),
            costs.takes(-1, change),
            costs.ofLeaving(leaves, shares.size(), now, most)));
  }

  /**
   * Nodes leave so that others can join where the requests are; what that brings is seen then.
   *
   * @param title of it
   */
  public Option room(List<NodeId> leaving, String title) {
    RingChange change =
        leaving.stream().map(costs::leaving).reduce(RingChange.NONE, RingChange::plus);
    room = Optional.of(title);
    return put(
        new Option(
            title,
            shares.size() - leaving.size(),
            now,
            usage.over(load, costs.target()),
            false,
            change,
            costs.planSeconds(0, change),
            change.price(),
            -change.price()));
  }

  /** Another takes a slow node's place. What it lacks counts, not what its peers are used less. */
  public Option replaced(SlowMember slow) {
    RingChange change = slow.change();
    double factor = load * shares.share(shares.size());
    double beyond = costs.ofReplacing(slow);
    return put(
        new Option(
            REPLACE,
            shares.size(),
            usage.most(factor),
            usage.over(factor, costs.target()),
            true,
            change,
            costs.planSeconds(1, change),
            change.price() + beyond,
            slow.gain(costs.horizon()) - beyond));
  }

  /**
   * Tells why some are not done; the first reason counts.
   *
   * @param why a clause
   */
  public void tell(Predicate<Option> which, String why) {
    options.values().stream()
        .filter(which)
        .forEach(option -> reasons.putIfAbsent(option.title(), why));
  }

  /** The same of one, by its title. */
  public void tell(String title, String why) {
    reasons.putIfAbsent(title, why);
  }

  /** The title of what a plan does. */
  public String title(Plan plan) {
    int joining = plan.actions(Action.AddNode.class).size();
    int leaving = plan.actions(Action.RemoveNode.class).size();
    if (joining > 0) {
      return leaving > 0 ? REPLACE : joining(joining);
    }
    return leaving > 0 ? room.orElse(FEWER) : CONFIGURE;
  }

  private static String joining(int nodes) {
    return nodes == 1 ? "add a node" : "add " + nodes + " nodes";
  }

  /**
   * All, the one that saves most first, each with what is said of it.
   *
   * @param chosen title of the one that is done; empty if it is refused
   */
  public List<Alternative> alternatives(String chosen) {
    List<Option> all = new ArrayList<>(options.values());
    all.sort(Comparator.comparingDouble(option -> -option.gain()));
    return all.stream().map(option -> alternative(option, verdict(option, chosen))).toList();
  }

  private Alternative alternative(Option option, String verdict) {
    return new Alternative(
        option.title(),
        now,
        option.most(),
        option.over(),
        option.nodes(),
        0,
        0,
        option.change().streamed(),
        option.change().rewritten(),
        option.seconds(),
        option.change().price(),
        option.gain(),
        List.of(),
        verdict);
  }

  private String verdict(Option option, String chosen) {
    String unknown = option.isPredicted() ? "" : "what it brings is not known";
    if (option.title().equals(chosen)) {
      return unknown.isEmpty() ? "chosen" : "chosen; " + unknown;
    }
    if (reasons.containsKey(option.title())) {
      return reasons.get(option.title());
    }
    if (!unknown.isEmpty()) {
      return unknown;
    }
    if (option.gain() <= 0 && !option.title().equals(STAY)) {
      return "costs more than it saves";
    }
    if (option.over() > 0) {
      return Counted.of(option.over(), "node") + " above the target";
    }
    return chosen.isEmpty() ? "the best is refused" : "takes more than the chosen one";
  }
}
