package io.trimtab.controller.policy;

import io.trimtab.controller.ahead.Foreseen;
import io.trimtab.controller.guard.FewestNodes;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.guard.Topology;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanEffect;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.tenants.TableLevels;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.outlook.Outlook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.ToDoubleFunction;

/** The input of a policy's decision. */
public record DecisionContext(Observation.Usable seen, PolicyState state, Settings settings) {
  /** All that is recorded of loads. */
  private static final Duration RECORDED = Duration.ofDays(15);

  public PlacementModel placement() {
    return PlacementModel.of(seen.snapshot());
  }

  /** The minimum number of nodes after any plan. */
  public FewestNodes fewest() {
    return FewestNodes.of(seen.snapshot(), settings);
  }

  /** The maximum number of nodes that take load after a plan. */
  public MostNodes most() {
    return MostNodes.of(
        UsableNodes.of(seen).size(), UsableNodes.others(seen), seen.offer(), settings.guard());
  }

  /**
   * The same; one more than there are even where the provider can add none, so that it is told why.
   */
  MostNodes mostWeighed() {
    int usable = UsableNodes.of(seen).size();
    int live = usable + UsableNodes.others(seen);
    int allowed = Math.max(0, settings.guard().maxNodes() - live);
    int more =
        seen.offer().map(offer -> Math.min(allowed, Math.max(1, offer.spare()))).orElse(allowed);
    return allowed == 0
        ? MostNodes.of(usable, UsableNodes.others(seen), Optional.empty(), settings.guard())
        : new MostNodes(usable + more, "", "");
  }

  /**
   * The node whose removal affects the fewest requests, of those that the provider can give back,
   * that have no partition that must stay and that data centres and racks can spare; if there is
   * none, of all, so that the guard says why.
   *
   * @param present nodes that there are, or are left when others have been given back
   */
  public NodeId leaves(List<NodeId> present) {
    List<NodeId> removable = UsableNodes.removable(seen, present, gone(present));
    return best(removable.isEmpty() ? present : removable);
  }

  private NodeId best(List<NodeId> nodes) {
    return placement().leastLoaded(seen, Topology.removable(seen.snapshot(), emptied(nodes)));
  }

  private List<NodeId> gone(List<NodeId> present) {
    return UsableNodes.ids(seen).stream().filter(node -> !present.contains(node)).toList();
  }

  /** Whether the provider can give back a node of those that are left. */
  public boolean mayLeave(NodeId node, List<NodeId> present) {
    return !UsableNodes.removable(seen, List.of(node), gone(present)).isEmpty();
  }

  /**
   * Which node were better given up than the one that {@link #leaves}, and why it stays, to end a
   * summary; empty if that is the best.
   */
  public String kept(List<NodeId> present) {
    if (UsableNodes.removable(seen).all()) {
      return "";
    }
    NodeId best = best(present);
    return best.equals(leaves(present)) ? "" : UsableNodes.kept(seen, best);
  }

  /** Those that a plan may empty; all if there are none. */
  private List<NodeId> emptied(List<NodeId> present) {
    if (!placement().assignsPartitions()) {
      return present;
    }
    Set<NodeId> fixed = new HashSet<>();
    for (PartitionState partition : seen.snapshot().partitions()) {
      if (stays(partition)) {
        partition.node().ifPresent(fixed::add);
      }
    }
    List<NodeId> free = present.stream().filter(node -> !fixed.contains(node)).toList();
    return free.isEmpty() ? present : free;
  }

  /**
   * Whether plans leave a partition where it is: its table is excluded or must stay as it is, or
   * plans have moved it to and fro. Where tokens place the data no plan moves one.
   */
  public boolean stays(PartitionState partition) {
    return placement().assignsPartitions()
        && (settings.tables().keeps(seen.snapshot(), partition.id().table()).isPresent()
            || seen.frozen().partitions().contains(partition.id()));
  }

  /** The fewest nodes that there may be after a plan on so many. */
  int least(int present) {
    int least = Math.max(1, Math.min(present, fewest().nodes()));
    return Math.max(least, present - mostLeaving(present - least));
  }

  /**
   * How many of some nodes that are not needed may leave in one plan; all if not even one may, so
   * that the guard says why.
   */
  int mostLeaving(int notNeeded) {
    int most = notNeeded;
    int copies = seen.snapshot().copies().least();
    while (most > 0 && placement().refusesRemoving(most, copies).isPresent()) {
      most--;
    }
    return most > 0 ? most : notNeeded;
  }

  /**
   * How far ahead something is done for a rise of load: until a node that is asked for now serves,
   * as far as that is known, and the next plan may begin after it.
   */
  public Duration lead() {
    Duration again = pause();
    Optional<Duration> node =
        seen.offer()
            .filter(offer -> offer.spare() > 0)
            .flatMap(offer -> seen.ahead().served().or(offer::boot));
    return node.map(again::plus).orElse(again);
  }

  /** From a plan's end until the next one may begin. */
  public Duration pause() {
    Duration looks = settings.observe().period().multipliedBy(settings.observe().samples());
    Duration cooldown = settings.guard().cooldown();
    return cooldown.compareTo(looks) > 0 ? cooldown : looks;
  }

  /** Usage of the most used node that plans count on; 0 without nodes. */
  double mostUsed() {
    return UsableNodes.ids(seen).stream().mapToDouble(n -> seen.usage().get(n)).max().orElse(0);
  }

  /** Share of what plans promise that is believed by now, in [0, 1]. */
  public double believed() {
    return effect().believed(seen.snapshot().takenAt());
  }

  /** How much of what plans promise is believed. */
  public PlanEffect effect() {
    return state.effect().orElseGet(() -> PlanEffect.unknown(seen.snapshot().takenAt()));
  }

  /** What plans promise when one more is decided. */
  PlanEffect promising(double most, double promised) {
    Instant now = seen.snapshot().takenAt();
    PlanEffect before = effect();
    return before
        .promising(most, promised, now)
        .with(before.levels().after(TableLevels.served(seen.rates()), now, levelsCount()));
  }

  /** Tables that are served much less than before the last plans, by how many times. */
  public SortedMap<String, Double> lacking() {
    return effect()
        .levels()
        .lacking(TableLevels.served(seen.rates()), seen.snapshot().takenAt(), levelsCount());
  }

  /** As long as a load is counted on, and at least until the plan after the next may begin. */
  private Duration levelsCount() {
    return horizon().plus(pause());
  }

  /** The same where it is compared what came of the last plan, as soon as caches have filled. */
  DecisionContext compared() {
    if (!effect().isOpen() || !Collections.disjoint(UsableNodes.ids(seen), seen.cold())) {
      return this;
    }
    PlanEffect compared = effect().compared(mostUsed(), seen.snapshot().takenAt());
    return new DecisionContext(seen, state.expecting(compared), settings);
  }

  /**
   * The same where plans that were in vain are forgotten of nodes that are not used too much any
   * more, or are gone: if one is again, that is another load.
   */
  DecisionContext relieved() {
    double high = settings.health().high();
    PolicyState next =
        state.relieved(
            node ->
                seen.snapshot().node(node).isEmpty()
                    || seen.usage().getOrDefault(node, 1.0) <= high);
    return next == state ? this : new DecisionContext(seen, next, settings);
  }

  /** Over which changes must pay back. */
  public Duration horizon() {
    return seen.ahead().horizon(settings.choice());
  }

  /** What more is surely asked for before something else could be done about it. */
  public Foreseen soon() {
    Duration lead = lead();
    return foreseen(lead, Outlook::low);
  }

  /** What more may be asked for before it pays to have given something up. */
  public Foreseen later() {
    Duration horizon = horizon();
    return foreseen(horizon, Outlook::high);
  }

  private Foreseen foreseen(Duration within, ToDoubleFunction<Outlook> which) {
    return new Foreseen(
        seen.ahead().within(within), seen.ahead().highest().apply(RECORDED), within, which);
  }

  /** A decision to do nothing; the state does not change. */
  public Decision.Hold hold(String reason, String setting) {
    return new Decision.Hold(reason, setting, state);
  }

  /** The same of a cluster in which no node is used too much, and none can be given back. */
  public Decision.Hold holdHealthy(double most) {
    return hold(
        String.format(
            Locale.ROOT,
            "no node's usage is above %.2f, highest %.2f, and %s",
            settings.health().high(),
            most,
            whyNoFewer()),
        "health.high");
  }

  private String whyNoFewer() {
    FewestNodes least = fewest();
    List<NodeId> present = UsableNodes.ids(seen);
    if (present.size() <= least.nodes()) {
      return least.refusal(present.size());
    }
    String none = "none of " + Counted.of(present.size(), "node") + " can be ";
    return UsableNodes.removable(seen, present, List.of()).isEmpty()
        ? none + "given back: " + UsableNodes.removable(seen).rule()
        : none + "spared";
  }

  /** Placeholders of nodes that a plan adds, numbered from 1. */
  public static List<NodeId> joining(int number) {
    List<NodeId> joining = new ArrayList<>();
    for (int i = 1; i <= number; i++) {
      joining.add(new Action.AddNode(i, Profile.HOMOGENEOUS).placeholder());
    }
    return joining;
  }
}
