package io.trimtab.controller.policy;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.choice.PlanPrediction;
import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.guard.NodeAdvice;
import io.trimtab.controller.guard.UnreadNodes;
import io.trimtab.controller.health.Quarantine;
import io.trimtab.controller.learn.RefutedModel;
import io.trimtab.controller.observe.Frozen;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.ring.TokenAllocator;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.StabilitySettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.RingRequests;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * The complete decision: first dead nodes, then the policy, then nodes with other settings than
 * configured. The result must pass the guard and the ledger of predictions. Pure.
 */
public final class Decider {
  private Decider() {}

  /**
   * The input of a decision.
   *
   * @param seen the observation, with everything that the policy needs
   * @param dead since when each dead node has been continuously dead, as far as known to the
   *     controller
   * @param remembered the policy's state after the last executed plan
   * @param offer what could be added and given back now; empty if nodes cannot be started or
   *     stopped
   * @param act whether a plan would be executed; false if it is only shown
   */
  public record Context(
      Observation.Usable seen,
      SortedMap<NodeId, Duration> dead,
      PolicyState remembered,
      Settings settings,
      Past past,
      Optional<NodeCapacity> offer,
      boolean act,
      Instant now) {
    public Context {
      seen =
          seen.withOffer(offer).with(seen.ahead().having(past.lastAdded().map(LeadTime::served)));
    }

    /** As if any number of nodes could be added. */
    private Context provided() {
      // Whoever starts them chooses machines that have room.
      NodeCapacity any = NodeCapacity.of(Integer.MAX_VALUE).with(NodeCapacity.Places.OWN);
      return offer.isPresent() ? this : with(Optional.of(any), settings);
    }

    /** With the number of nodes that there is. */
    private Context keepingNodes() {
      int live = Math.max(1, seen.snapshot().liveNodes().size());
      return with(offer, settings.with(settings.guard().keeping(live)));
    }

    private RefutedModel refuted() {
      return RefutedModel.of(past.modelError(), settings);
    }

    /** Without a model that is not decided by any more. */
    private Context decided() {
      Observation.Usable by = refuted().without(seen);
      return new Context(by, dead, remembered, settings, past, offer, act, now);
    }

    /** Who decides, as a refusal names it. */
    private String policy() {
      return "policy " + settings.policy().name();
    }

    /** That a model is not used, where the policy has decided something. */
    private NextStep told(NextStep next) {
      String more = refuted().text(seen);
      if (next instanceof Go go) {
        String all = go.act().plan().summary() + more;
        return new Go(Decider.told(go.act(), all), go.asksRing(), go.usage());
      }
      Refusal why = (Refusal) next;
      String all = why.by().equals(policy()) ? why.reason() + more : why.reason();
      return new Refusal(why.by(), all, why.setting(), why.weighed(), why.next());
    }

    private Context with(Optional<NodeCapacity> otherOffer, Settings other) {
      return new Context(seen, dead, remembered, other, past, otherOffer, act, now);
    }
  }

  /**
   * Information from the journal.
   *
   * @param lastPlanEnded when the last plan on this cluster ended, if ever
   * @param lastAdded lead time of the node that was added last
   * @param modelError mean absolute error of the built model's newest predictions, in usage, over
   *     all nodes; empty while there are too few
   * @param setbacks plans that were abandoned
   * @param stability what plans have moved, and how they changed the number of nodes
   * @param lastPolicy name of the policy whose plan ended last; empty if there was none
   */
  public record Past(
      Optional<Instant> lastPlanEnded,
      Optional<LeadTime> lastAdded,
      OptionalDouble modelError,
      Setbacks setbacks,
      Stability stability,
      String lastPolicy) {
    /** For a cluster without any journal entries. */
    public static final Past NONE =
        new Past(
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.empty(),
            Setbacks.NONE,
            Stability.NONE,
            "");
  }

  /** The result of a decision. */
  public sealed interface NextStep {
    /** What was weighed, the best first. */
    List<Alternative> weighed();
  }

  /**
   * A plan may be executed.
   *
   * @param asksRing whether {@link #with} must first be called with a sample of the ring's requests
   * @param usage of the nodes after it: as the policy predicts it or, where that predicts none and
   *     the plan may be executed, as {@link PlanPrediction} does; empty if neither can
   */
  public record Go(Decision.Act act, boolean asksRing, Optional<UsagePrediction> usage)
      implements NextStep {
    private Go(Decision.Act act, boolean asksRing) {
      this(act, asksRing, act.predicted());
    }

    /** The same, with tokens for the nodes that join. */
    public Go with(RingRequests ring) {
      return new Go(replaced(act, TokenAllocator.choose(act.plan(), ring)), false, usage);
    }

    @Override
    public List<Alternative> weighed() {
      return act.weighed();
    }
  }

  /**
   * Nothing is done.
   *
   * @param by the component that decided it, for display
   * @param setting the key that controls it; empty if there is none
   * @param next the policy's state after it; empty where the policy would have done something
   */
  public record Refusal(
      String by,
      String reason,
      String setting,
      List<Alternative> weighed,
      Optional<PolicyState> next)
      implements NextStep {
    public Refusal(String by, String reason, String setting) {
      this(by, reason, setting, List.of(), Optional.empty());
    }
  }

  /**
   * The complete decision. Where no policy was chosen, and another one than the default has made
   * plans on this cluster before, plans of the default one are advice until somebody chooses.
   */
  public static NextStep decide(Context given) {
    Context context = given.decided();
    NextStep next = given.told(asFarAsProvided(context));
    return next instanceof Go go && context.act()
        ? unchosen(go.act().plan(), context)
            .<NextStep>map(
                why -> new Refusal("advice", why, "policy", go.weighed(), Optional.empty()))
            .orElseGet(() -> predicted(go, context))
        : next;
  }

  /** No part of the act: what a plan was not decided by is no reason to doubt or to hold it. */
  private static Go predicted(Go go, Context context) {
    return new Go(go.act(), go.asksRing(), SharedRoom.usageAfter(go.act(), context));
  }

  /** Why a plan is advice, if it is; dead nodes and nodes' settings are not the policy's. */
  private static Optional<String> unchosen(Plan plan, Context context) {
    String own = context.settings().policy().name();
    String last = context.past().lastPolicy();
    boolean advice =
        !context.settings().choosesPolicy()
            && !last.isEmpty()
            && !last.equals(own)
            && plan.policy().equals(own);
    return advice
        ? Optional.of(
            "no policy is set, and %s made the last plan here; %s, the default now, only advises"
                    .formatted(last, own)
                + " until the settings name a policy; it would: "
                + plan.summary())
        : Optional.empty();
  }

  /**
   * Where nothing can start or stop nodes, a plan that needs it is advice: it is shown, or told
   * while a plan for the present nodes goes on.
   */
  private static NextStep asFarAsProvided(Context context) {
    NextStep wanted = once(context.provided());
    if (context.offer().isPresent()
        || !(wanted instanceof Go go)
        || !NodeAdvice.needed(go.act().plan(), context.seen().snapshot())) {
      return wanted;
    }
    String advice = NodeAdvice.of(go.act().plan(), context.seen().snapshot());
    if (!context.act()) {
      return new Go(told(go.act(), advice), go.asksRing());
    }
    return once(context.keepingNodes()) instanceof Go other
        ? new Go(
            told(other.act(), other.act().plan().summary() + "; advice: " + advice),
            other.asksRing())
        : new Refusal("advice", advice, "", go.weighed(), Optional.empty());
  }

  private static Decision.Act told(Decision.Act act, String summary) {
    return replaced(act, act.plan().told(summary));
  }

  private static NextStep once(Context context) {
    Optional<Guard.Verdict.Refuse> blind =
        UnreadNodes.blind(
            context.seen().snapshot(), context.dead().keySet(), context.settings().guard());
    if (blind.isPresent()) {
      return new Refusal("guard", blind.get().reason(), blind.get().setting());
    }
    Optional<Decision> dead =
        Replacement.decide(
            context.seen().snapshot(), context.dead(), context.remembered(), context.settings());
    Decision decision = dead.orElseGet(() -> byPolicy(context));
    if (decision instanceof Decision.Hold hold) {
      String by = dead.isPresent() ? "dead node" : context.policy();
      return new Refusal(
          by, hold.reason(), hold.setting(), hold.weighed(), Optional.of(hold.next()));
    }
    Decision.Act act = (Decision.Act) decision;
    Optional<Refusal> refusal = guarded(context, act).or(() -> doubted(context, act));
    if (refusal.isPresent()) {
      Refusal why = refusal.get();
      return new Refusal(why.by(), why.reason(), why.setting(), act.weighed(), why.next());
    }
    Plan plan = act.plan();
    return new Go(
        replaced(act, LeadTime.annotate(plan, context.past().lastAdded(), context.offer())),
        TokenAllocator.asked(plan, context.seen().snapshot(), context.settings()));
  }

  /**
   * Whether a plan that was completed after {@link #decide} may be executed: the guard's word, and
   * none that leaves more to the others than the policy has reckoned with.
   */
  public static NextStep again(Go go, Context given) {
    Context context = given.decided();
    return TokenAllocator.misses(go.act().plan(), context.seen().snapshot())
        .map(why -> new Refusal(context.policy(), why, ""))
        .or(() -> guarded(context.provided(), go.act()))
        .<NextStep>map(refusal -> refusal)
        .orElse(go);
  }

  /** The policy's decision or, if it has nothing to do, changes of node settings. */
  private static Decision byPolicy(Context context) {
    Stability stability = context.past().stability();
    StabilitySettings settings = context.settings().stability();
    Observation.Usable seen = Quarantine.without(context.seen());
    Settings all = Quarantine.settings(context.seen().snapshot(), context.settings());
    Frozen frozen =
        stability
            .frozen(settings, context.now())
            .withProfilesOf(UsableNodes.keepingProfile(seen, all.place().way()));
    Decision decision =
        all.policy()
            .heeding(act -> guarded(context, act).map(why -> refused(why, act, context)))
            .decide(seen.with(frozen), context.remembered(), all);
    if (!(decision instanceof Decision.Hold hold)) {
      return decision;
    }
    Decision told =
        stability
            .anyHeld(settings, context.now())
            .<Decision>map(
                held ->
                    new Decision.Hold(
                        hold.reason() + "; " + held.reason(),
                        held.setting(),
                        hold.next(),
                        hold.weighed()))
            .orElse(hold);
    return SettingsReconciler.decide(seen, context.remembered(), context.settings()).orElse(told);
  }

  /**
   * What only waits is waited for: no node is added because a move back is not judged yet, unless
   * an agreement is missed.
   */
  private static Policy.Refused refused(Refusal why, Decision.Act act, Context context) {
    boolean pauses =
        Guard.pause(context.past().lastPlanEnded(), context.settings().guard(), context.now())
            .isPresent();
    boolean awaits =
        context
            .past()
            .stability()
            .awaits(act.plan(), context.now())
            .filter(held -> held.reason().equals(why.reason()))
            .isPresent();
    Policy.Reach own = awaits ? Policy.Reach.UNLESS_OWED : Policy.Reach.ONE;
    return new Policy.Refused(why.reason(), why.setting(), pauses ? Policy.Reach.ALL : own);
  }

  private static Optional<Refusal> guarded(Context context, Decision.Act act) {
    Guard.Verdict verdict =
        act.urgent()
            ? Guard.checkUrgent(
                act.plan(),
                context.seen().snapshot(),
                context.offer(),
                context.settings(),
                context.now())
            : Guard.check(
                act.plan(),
                context.seen().snapshot(),
                context.past().lastPlanEnded(),
                context.offer(),
                context.settings(),
                context.now());
    return verdict instanceof Guard.Verdict.Refuse refuse
        ? Optional.of(new Refusal("guard", refuse.reason(), refuse.setting()))
        : triedInVain(context, act)
            .or(() -> swings(context, act))
            .or(() -> SharedRoom.lacking(act, context));
  }

  /** An urgent plan is about data at risk, not about load that comes and goes. */
  private static Optional<Refusal> swings(Context context, Decision.Act act) {
    return act.urgent()
        ? Optional.empty()
        : context
            .past()
            .stability()
            .holds(act.plan(), context.settings().stability(), context.now())
            .map(held -> new Refusal("guard", held.reason(), held.setting()));
  }

  /** Urgent plans, too: what failed a minute ago would fail again. */
  private static Optional<Refusal> triedInVain(Context context, Decision.Act act) {
    return context
        .past()
        .setbacks()
        .holds(act.plan(), context.settings().guard().cooldown(), context.now())
        .map(reason -> new Refusal("guard", reason, "guard.cooldown"));
  }

  /**
   * Plans of a model whose predictions were inaccurate are shown but not executed; no model asks
   * for an urgent one. What was predicted from something else, or not at all, is not that model's.
   */
  private static Optional<Refusal> doubted(Context context, Decision.Act act) {
    return !context.act() || act.urgent()
        ? Optional.empty()
        : RefutedModel.of(context.past().modelError(), context.settings())
            .doubt(act.predicted())
            .map(why -> new Refusal("ledger", why, "usage.errorMax"));
  }

  private static Decision.Act replaced(Decision.Act act, Plan plan) {
    return new Decision.Act(plan, act.next(), act.predicted(), act.urgent(), act.weighed());
  }
}
