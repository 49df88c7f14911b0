package io.trimtab.controller.policy;

import io.trimtab.controller.agreement.Agreements;
import io.trimtab.controller.agreement.Wanted;
import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.choice.Choices;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.health.LateNodes;
import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.maintenance.Awaiting;
import io.trimtab.controller.maintenance.EmptiedNodes;
import io.trimtab.controller.maintenance.Waiting;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.split.MergePlanner;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The decision where partitions are assigned: moves, splits, profiles, compactions, and more or
 * fewer nodes.
 */
final class AssignedChoice {
  /** Setting of a decision to do nothing about nodes whose CPU and disk are not used too much. */
  private static final String HIGH = "health.high";

  /** The same about nodes that nothing relieves. */
  private static final String UNRELIEVED = "choice.horizon";

  /**
   * A plan that was found.
   *
   * @param what it does, to follow "to"
   * @param act empty where it was not even begun, as it could not be ended
   * @param refused why it may not be carried out; empty if it may
   */
  private record Found(
      String what,
      Optional<Decision.Act> act,
      List<Alternative> weighed,
      Optional<Policy.Refused> refused) {}

  private final DecisionContext context;
  private final List<NodeState> nodes;
  private final Policy.Veto veto;
  private final PlanFactory plans;
  private final Choices.Situation situation;
  private final Agreements agreed;

  /** Usage of the most used node. */
  private final double most;

  private final Awaiting awaiting;

  /** Whether all the same neither its CPU nor its disk is used too much. */
  private boolean fits;

  AssignedChoice(
      DecisionContext context, List<NodeState> nodes, Policy.Veto veto, PlanFactory plans) {
    this.context = context;
    this.nodes = nodes;
    this.veto = veto;
    this.plans = plans;
    this.situation = new Choices.Situation(context);
    this.agreed = Agreements.of(context.seen(), context.settings()).ofPaying();
    this.most = context.mostUsed();
    this.awaiting = new Awaiting(context.seen(), context.settings().choice(), most);
  }

  /**
   * What tables or costs say that agreements need does not wait for a full node to be relieved;
   * else what relieves it may be what keeps them.
   */
  Decision decide() {
    Optional<Wanted> wanted = agreed.wanted(nodes.size());
    Optional<Decision> sure = wanted.filter(Wanted::sure).map(this::keep);
    if (sure.filter(Decision.Act.class::isInstance).isPresent()) {
      return sure.get();
    }
    Optional<Decision> relief = relief(wanted.isPresent());
    if (relief.filter(AssignedChoice::goesFirst).isPresent()) {
      // Beside a wait it is told that an agreement is missed.
      return wanted
          .map(missed -> context.hold(agreed.missed(), "").and(relief.get()))
          .orElse(relief.get());
    }
    Optional<Decision> kept = sure.or(() -> wanted.map(this::keep));
    if (kept.filter(Decision.Act.class::isInstance).isPresent()) {
      return kept.get();
    }
    if (relief.isEmpty() || givesWay(relief.get())) {
      return rest(kept.or(() -> relief));
    }
    return kept.isEmpty() ? relief.get() : ((Decision.Hold) kept.get()).and(relief.get());
  }

  /** A plan, or a wait. */
  private static boolean goesFirst(Decision relief) {
    return relief instanceof Decision.Act || awaits(relief);
  }

  /** Whether it only waits for work beside serving to end. */
  private static boolean awaits(Decision decision) {
    return decision instanceof Decision.Hold hold && hold.setting().equals(Awaiting.SETTING);
  }

  /**
   * What is done for agreements that are missed. Work on any node is waited for, however little it
   * is used: it may be why, and requests go to all of them.
   */
  private Decision keep(Wanted wanted) {
    Waiting waiting = awaiting.ofAny();
    Optional<String> waits = awaiting.sentence(agreed.missed(), waiting);
    if (waits.isPresent()) {
      return context.hold(waits.get(), Awaiting.SETTING);
    }
    String why = "; " + wanted.why() + awaiting.ignored(waiting);
    int present = nodes.size();
    MostNodes allowed = agreed.most(context.most());
    int upTo = Math.max(present, allowed.nodes());
    Choices choices = Choices.keeping(situation, wanted.upTo(upTo, present), upTo);
    Choices.Settled settled = choices.settle(chosen -> act(choices, chosen, why), veto);
    // Whatever is refused for itself only must not keep the rest from being done.
    if (settled.act().isPresent() && settled.refusal().map(Policy.Refused::any).orElse(true)) {
      return settled.act().get();
    }
    Policy.Refused refused =
        present >= allowed.nodes()
            ? new Policy.Refused(allowed.refusal(), allowed.setting())
            : settled
                .refusal()
                .orElse(new Policy.Refused("nothing that could be done would help", ""));
    return new Decision.Hold(
        agreed.missed() + ", but " + refused.reason(),
        refused.setting(),
        context.state(),
        settled.alternatives());
  }

  /**
   * What is done where no node has to be relieved, or can be.
   *
   * @param held why nothing is done about one that is used too much, or an agreement
   */
  private Decision rest(Optional<Decision> held) {
    int least = context.least(nodes.size());
    boolean spare = nodes.size() > least && !agreed.isMissed() && situation.spare(nodes);
    Optional<String> emptied =
        spare ? EmptiedNodes.first(context.seen().snapshot()) : Optional.empty();
    // Plans that follow each other would keep an agreement from ever being judged; and what is
    // rewritten while one waits for such work would be more to wait for.
    boolean waits = agreed.isBeingJudged() || held.filter(AssignedChoice::awaits).isPresent();
    // What is refused must not keep the rest from being done.
    List<Supplier<Optional<Found>>> all =
        List.of(
            this::offSlowNodes,
            () -> spare && emptied.isEmpty() ? fewerNodes(least) : Optional.empty(),
            () -> waits ? Optional.empty() : merges(),
            () -> waits ? Optional.empty() : upkeep());
    List<Found> refused = new ArrayList<>();
    for (Supplier<Optional<Found>> one : all) {
      Optional<Found> found = one.get();
      if (found.filter(plan -> plan.refused().isEmpty()).isPresent()) {
        return found.get().act().orElseThrow();
      }
      found.ifPresent(refused::add);
      if (found.flatMap(Found::refused).filter(Policy.Refused::any).isPresent()) {
        break;
      }
    }
    if (!refused.isEmpty()) {
      return refused(refused);
    }
    return emptied
        .<Decision>map(why -> context.hold(why + ", so no node is given back yet", ""))
        .or(() -> held)
        .orElseGet(() -> healthy(spare));
  }

  /**
   * Nothing is to be done.
   *
   * @param spare whether a node fewer could do now
   */
  private Decision healthy(boolean spare) {
    Decision.Hold hold = context.holdHealthy(most).adding(agreed.unpaid());
    return spare ? hold.adding(context.later().text()) : hold;
  }

  /**
   * A node that is used much as it is slow, and can't be helped, must not keep the rest back; nor
   * one that has enough of both CPU and disk.
   */
  private boolean givesWay(Decision relief) {
    List<NodeId> full = above(context.settings().health().high());
    return relief instanceof Decision.Hold hold
        && (hold.setting().startsWith(UNRELIEVED) || hold.setting().equals(HIGH))
        && (fits || (!full.isEmpty() && late().containsAll(full)));
  }

  /** Nodes that answer late, for whatever reason. */
  private Set<NodeId> late() {
    return LateNodes.of(context.seen()).stream().map(SlowPeer::node).collect(Collectors.toSet());
  }

  private List<NodeId> above(double usage) {
    return nodes.stream()
        .map(NodeState::id)
        .filter(id -> context.seen().usage().get(id) > usage)
        .toList();
  }

  /** All refusals are told; what is refused for the same reason is proposed, and told it. */
  private Decision refused(List<Found> all) {
    List<Alternative> weighed = all.stream().flatMap(f -> f.weighed().stream()).toList();
    Optional<Decision.Act> first = all.get(0).act();
    if (first.isPresent() && all.stream().map(Found::refused).distinct().count() == 1) {
      return first.get().with(weighed);
    }
    return new Decision.Hold(
        all.stream()
            .map(f -> "to %s is refused: %s".formatted(f.what(), f.refused().get().reason()))
            .collect(Collectors.joining("; ")),
        all.stream()
            .map(f -> f.refused().get().setting())
            .filter(setting -> !setting.isEmpty())
            .distinct()
            .collect(Collectors.joining(", ")),
        context.state(),
        weighed);
  }

  /**
   * What is done about nodes that are used too much, or will be; empty if none are.
   *
   * @param isOwed whether nodes are wanted for an agreement besides
   */
  private Optional<Decision> relief(boolean isOwed) {
    double high = context.settings().health().high();
    // A node is asked for before it is needed, as far as the forecast is sure.
    double ahead = most * situation.soon().most();
    if (ahead <= high) {
      return Optional.empty();
    }
    MostNodes allowed = agreed.most(context.mostWeighed());
    Choices choices = Choices.relief(situation, Math.max(nodes.size(), allowed.nodes()));
    if (Math.max(most, choices.mostNow()) <= high) {
      return Optional.empty();
    }
    // What can be done without is not planned around: if all nodes that are used too much do work
    // beside serving, what they need without it shows when it has ended.
    Set<NodeId> tooMuch = new TreeSet<>(above(high));
    tooMuch.addAll(choices.above(high));
    Waiting waiting = awaiting.ofAll(tooMuch);
    Optional<String> waits = awaiting.sentence(mostUsed(), waiting);
    if (waits.isPresent()) {
      return Optional.of(context.hold(waits.get(), Awaiting.SETTING));
    }
    // Where caches are cold it is only not counted.
    boolean cold = !Collections.disjoint(above(high), context.seen().cold());
    fits = choices.tellsCpuAndDiskApart() && choices.mostNow() <= high && !cold;
    if (fits && most > high && !Saturation.isReached(most)) {
      // Else plans would follow each other as long as it is so: the target is for each of the two.
      return Optional.of(
          context.hold(mostUsed() + ", but neither its CPU nor its disk is used too much", HIGH));
    }
    return Optional.of(relieve(choices, awaiting.ignored(waiting), allowed, isOwed));
  }

  /**
   * What relieves nodes, or why nothing does.
   *
   * @param ignored what is not waited for, to end a summary
   * @param allowed the most nodes that are weighed
   * @param isOwed whether what is refused must not keep an agreement from being kept
   */
  private Decision relieve(Choices choices, String ignored, MostNodes allowed, boolean isOwed) {
    Choices.Settled settled = choices.settle(chosen -> act(choices, chosen, ignored), veto);
    boolean givesWay = isOwed && settled.refusal().filter(r -> !r.endsSearch(true)).isPresent();
    if (settled.act().isPresent() && !givesWay) {
      return settled.act().get();
    }
    int weighed = settled.alternatives().size();
    String each = fits ? "neither its CPU nor its disk is used too much; " : "";
    String nothing =
        weighed == 0
            ? "no move, split, profile or node would relieve it"
            : "none of "
                + Counted.of(weighed, "alternative")
                + (settled.alternatives().stream().anyMatch(a -> a.gain() > 0)
                    ? " surely saves more than it costs"
                    : " is worth its price");
    // By the tenants, or by the guard; of an agreement it is told with that.
    boolean full = !isOwed && allowed.nodes() <= nodes.size() && !allowed.setting().isEmpty();
    String told = nothing + choices.told() + (full ? "; " + allowed.refusal() : "");
    return new Decision.Hold(
        mostUsed() + ", but " + each + settled.refusal().map(Policy.Refused::reason).orElse(told),
        settled
            .refusal()
            .map(Policy.Refused::setting)
            .orElse(full ? UNRELIEVED + ", " + allowed.setting() : UNRELIEVED),
        context.state(),
        settled.alternatives());
  }

  private Optional<Found> offSlowNodes() {
    String slow =
        context.seen().slowPeers().stream().map(SlowPeer::text).collect(Collectors.joining("; "));
    return Choices.offSlowNodes(situation)
        .flatMap(choices -> found("move partitions off a slow node", choices, "; " + slow));
  }

  private Optional<Found> fewerNodes(int least) {
    List<NodeId> present = nodes.stream().map(NodeState::id).toList();
    return found(
        "give nodes back",
        Choices.saving(situation, least, agreed.floor(present.size())),
        context.kept(present));
  }

  /** What was split and is cold by now is merged. */
  private Optional<Found> merges() {
    List<Action.Merge> merges =
        MergePlanner.merges(context.seen(), nodes, context.state(), context.settings());
    if (merges.isEmpty()) {
      return Optional.empty();
    }
    Decision.Act act = MergePlanner.act(context.seen(), merges, context.state(), plans.policy());
    return Optional.of(new Found("merge", Optional.of(act), act.weighed(), veto.refusal(act)));
  }

  private Optional<Found> upkeep() {
    return Choices.upkeep(situation).flatMap(choices -> found("compact", choices, ""));
  }

  private Optional<Found> found(String what, Choices choices, String more) {
    Choices.Settled settled = choices.settle(chosen -> act(choices, chosen, more), veto);
    return settled.act().isEmpty() && settled.refusal().isEmpty()
        ? Optional.empty()
        : Optional.of(new Found(what, settled.act(), settled.alternatives(), settled.refusal()));
  }

  /**
   * The plan.
   *
   * @param more to be told of it, to end its summary
   */
  private Decision.Act act(Choices choices, Choices.Chosen chosen, String more) {
    List<PolicyState.Classified> classes = PolicyState.classified(choices.partitions());
    String summary =
        String.format(
            Locale.ROOT,
            "%s: %s%s, then %.2f (target: %.2f), predicted from %s%s%s",
            chosen.title(),
            mostUsed(),
            choices.expectedText(most),
            chosen.predicted(),
            context.settings().usage().target(),
            choices.basis(),
            more,
            choices.told());
    PolicyState before = context.state();
    Instant now = context.seen().snapshot().takenAt();
    double promised = chosen.resizes() ? most : chosen.usage().most();
    Decision.Act act =
        plans.plan(
            context.seen().snapshot(),
            chosen.actions(),
            summary,
            chosen.resizes() ? 1 : chosen.gain(),
            before
                .next(before.step(), false, classes)
                .after(Saturation.full(context.seen().usage(), nodes))
                .after(chosen.actions(), now)
                .leaving(late(), chosen.actions(), now)
                .expecting(context.promising(most, promised)));
    // Not of the load that is foreseen: what is measured soon after could not be compared.
    return act.predicting(chosen.usage());
  }

  private String mostUsed() {
    return String.format(Locale.ROOT, "the most used node is at %.2f", most);
  }
}
