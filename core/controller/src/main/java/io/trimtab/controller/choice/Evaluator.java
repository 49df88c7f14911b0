package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.PlanLimits;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.choice.predict.ColdCosts;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanEffect;
import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.controller.tenants.TableChange;
import io.trimtab.controller.tenants.TableWorth;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.models.usage.Surplus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What layouts cost, in one unit and over one horizon, so that moving, splitting, configuring,
 * adding and removing can be compared: seconds of one node.
 *
 * <p>A node that is used up to the target serves its requests well. Beyond it the surplus counts as
 * lost, and with it the same share of what its partitions are worth ({@link ClusterLoad#worth}), as
 * its logarithm: where more is asked for than all nodes can serve, the sum of shares is the same
 * wherever the rest waits, and one node would be left with all of it; the sum of logarithms, a
 * geometric mean over the requests, is least where it is shared (proportional fairness, Kelly
 * 1998). Since the prediction is uncertain, it is the expected surplus, of a normal distribution.
 * On a node that answers late a share counts as lost, too, however little it is used.
 *
 * <p>What tables are served less than now, as their nodes come above {@code health.high}, counts
 * once more, as {@link TableWorth#regret} has it, so that none is sacrificed for the others.
 *
 * <p>A node counts as many nodes as its price is of the usual one, and until one that is added has
 * booted as much is lost as without it, if the provider tells the one and the other; at most over
 * half of the horizon, as else a slow provider would forbid nodes altogether.
 */
final class Evaluator {
  private static final int ORDER_SHARE = 4;

  /** By which a node's usage differs from look to look, as a share: one deviation (ours). */
  private static final double NOISE = 0.05;

  /**
   * By how much a node whose partitions change comes out otherwise than predicted, as a share of
   * what it uses for them, where a node is saturated: clients that were kept waiting ask for more
   * of everything once they are served faster. Ours, from RIVALSIM, seeds 11 to 22 (decision 0044).
   * Not where there is room for so much more.
   */
  private static final double OTHER = 0.3;

  private final ClusterLoad load;
  private final Layout now;
  private final ChoiceSettings settings;
  private final double target;

  /** Usage from which on a node is overloaded. */
  private final double full;

  private final ChangePrice price;
  private final PlanLimits limits;
  private final Optional<NodeCapacity> offer;
  private final double horizonSeconds;

  /** Share of what plans promise that is believed, by what came of the last ones. */
  private final double believed;

  /** Of {@link #OTHER}, what is counted with where no node is added. */
  private final double more;

  /** Of the cluster as it is, in nodes. */
  private final double lostNow;

  /** By table, the share that is served as it is. */
  private final double[] servedNow;

  /**
   * What a layout costs over a time, all in seconds of one node: what is lost while nodes are used
   * more than they should be, the nodes themselves, and the change that leads there; less what it
   * saves of work that nodes below the target do, too.
   *
   * @param lost of the users' requests, weighted
   * @param regret the part of it that counts as tables are served less than now
   * @param saved of reading blocks from other nodes' disks
   * @param nodes that are there
   * @param change moves, cold caches, restarts and compactions that lead there
   * @param most usage of the most used node
   * @param over nodes that are expected above the target, with the confidence asked for
   */
  record Cost(
      double lost,
      double regret,
      double saved,
      double nodes,
      double change,
      double most,
      int over) {
    double sum() {
      return lost - saved + nodes + change;
    }
  }

  /**
   * @param target usage up to which a node serves its requests well, in (0, 1)
   */
  Evaluator(ClusterLoad load, Layout now, double target) {
    this.load = load;
    this.now = now;
    this.settings = load.settings().choice();
    this.target = target;
    this.full = Math.max(target, load.settings().health().high());
    this.price = new ChangePrice(load, now);
    this.limits = new PlanLimits(load.settings());
    this.offer = load.context().seen().offer();
    this.horizonSeconds = load.context().horizon().toMillis() / 1000.0;
    this.more = isInDoubt() ? OTHER : 0;
    this.believed = load.context().believed();
    this.lostNow = lost(now);
    this.servedNow = served(now);
  }

  double target() {
    return target;
  }

  /** The same where no agreement asks for less. */
  double usualTarget() {
    return load.settings().usage().target();
  }

  Cost cost(Layout layout) {
    layout.predictCaches();
    double most = 0;
    int over = 0;
    for (int n : layout.present().toArray()) {
      most = Math.max(most, layout.usage(n));
      over += isOver(layout, n) ? 1 : 0;
    }
    double seconds = horizonSeconds();
    double boot = bootSeconds(layout);
    double regret = regret(layout);
    double lost = lost(layout) + regret;
    return new Cost(
        settings.lossWeight() * (lostNow * boot + lost * (seconds - boot)),
        settings.lossWeight() * regret * (seconds - boot),
        layout.rewrites().saved() * seconds,
        nodes(layout) * seconds,
        price.of(layout),
        most,
        over);
  }

  /**
   * By how much what a layout saves may be off, one standard deviation, in seconds of a node. What
   * stays as it is can't be off; of the nodes that change, what is used now is known as well as it
   * is measured, and the same before and after, and what comes and goes as well as predictions are.
   */
  double uncertain(Layout then) {
    double other = then.size() > now.size() ? 0 : more;
    double squares = 0;
    for (int n = 0; n < then.nodes(); n++) {
      Forecast before = n < now.nodes() ? now.forecast(n) : load.none();
      Forecast after = then.isPresent(n) ? then.forecast(n) : load.none();
      double worthBefore = n < now.nodes() ? now.worthOn(n) : 0;
      double worthAfter = then.isPresent(n) ? then.worthOn(n) : 0;
      if (before.equals(after) && worthBefore == worthAfter) {
        continue;
      }
      double measured =
          lossOfMore(after, worthAfter, NOISE * beyondIdle(after))
              - lossOfMore(before, worthBefore, NOISE * beyondIdle(before));
      Forecast larger = beyondIdle(after) > beyondIdle(before) ? after : before;
      double beyond = beyondIdle(larger);
      double share = beyond > 0 ? larger.deviation() / beyond : 0;
      double changed = Math.abs(after.usage() - before.usage());
      double predicted = lossOfMore(after, worthAfter, Math.max(share * changed, other * beyond));
      squares += measured * measured + predicted * predicted;
    }
    return Math.sqrt(squares);
  }

  /**
   * What is not believed of what a layout saves, in seconds of a node. That more nodes relieve
   * others rests on no prediction of what goes well together; nor does what a slow node loses.
   */
  double unbelieved(Cost stay, Layout then, Cost cost) {
    boolean believesAll =
        then.size() != now.size() || now.present().anyMatch(n -> load.slowness(n) > 0);
    return believesAll ? 0 : (1 - believed) * Math.max(0, stay.lost() - cost.lost());
  }

  /**
   * Whether some node's usage does not tell how much it is asked for, and all nodes together could
   * not serve so much more. Where they could, or will with nodes that are added, what clients ask
   * for more is a reason to act, and none to wait.
   */
  private boolean isInDoubt() {
    return load.context().seen().usage().values().stream().anyMatch(Saturation::isReached)
        && FewerNodes.evenly(now, now.size()) * (1 + OTHER) > 1;
  }

  private double lossOfMore(Forecast forecast, double worth, double usage) {
    return loss(forecast.plus(usage), worth) - loss(forecast, worth);
  }

  private double beyondIdle(Forecast forecast) {
    return Math.max(0, forecast.measured() - load.none().measured());
  }

  /** What is lost at any time, in nodes. */
  private double lost(Layout layout) {
    return layout
        .present()
        .mapToDouble(n -> layout.worthOn(n) * (overload(layout.forecast(n)) + load.slowness(n)))
        .sum();
  }

  /** Share of what is asked of a node that is not served, or late. */
  double lostOn(Layout layout, int node) {
    return unserved(layout.forecast(node)) + load.slowness(node);
  }

  /** By table, the share of what it is asked for that is served. */
  private double[] served(Layout layout) {
    double[] lostOn = new double[layout.nodes()];
    layout.present().forEach(n -> lostOn[n] = lostOn(layout, n));
    double[] lost = new double[load.tables().tables()];
    for (int item = 0; item < layout.items(); item++) {
      int node = layout.nodeOf(item);
      if (node >= 0 && lostOn[node] > 0) {
        lost[load.partitions().table(layout.partition(item))] += layout.worth(item) * lostOn[node];
      }
    }
    return load.tables().served(lost);
  }

  /** What tables' losses weigh beyond what is lost itself, in nodes. */
  private double regret(Layout layout) {
    return load.tables().regret(servedNow, served(layout), settings.lossAversion());
  }

  /** The table that loses most of what it is served now, if that is more than is tolerated. */
  OptionalInt loser(Layout layout) {
    return TableWorth.loser(servedNow, served(layout));
  }

  /** Tables that are served more or less than now. */
  List<TableChange> changes(Layout layout) {
    return load.tables().changes(servedNow, served(layout));
  }

  /** Until nodes that are added serve; 0 where none is, or nobody tells. */
  private double bootSeconds(Layout layout) {
    return layout.present().anyMatch(layout::isNew)
        ? Math.min(horizonSeconds() / 2, bootSeconds())
        : 0;
  }

  /** The same as the provider tells it; 0 if it does not. */
  private double bootSeconds() {
    return offer.flatMap(NodeCapacity::boot).map(Duration::toMillis).orElse(0L) / 1000.0;
  }

  /** About how long a plan takes that leads to a layout, nodes that join included. */
  double seconds(Layout layout) {
    double boot = layout.present().anyMatch(layout::isNew) ? bootSeconds() : 0;
    return boot + price.seconds(layout);
  }

  /** How many nodes there are, each by its price. */
  private double nodes(Layout layout) {
    return layout.present().mapToDouble(n -> inNodes(layout, n) * (1 - layout.given(n))).sum();
  }

  private double inNodes(Layout layout, int n) {
    if (offer.isEmpty()) {
      return 1;
    }
    return layout.isNew(n)
        ? offer.get().inNodes(layout.profile(n))
        : offer.get().inNodes(layout.name(n));
  }

  /** What is lost on a node over the horizon, in seconds of a node. */
  double loss(Forecast forecast, double worth) {
    return settings.lossWeight() * Math.max(0, worth) * overload(forecast) * horizonSeconds();
  }

  /** What usage above the target counts as where nodes shall be used alike, whoever gains by it. */
  double uneven(Forecast forecast) {
    double beyond = beyond(forecast, target) / target;
    return settings.lossWeight() * beyond * beyond * horizonSeconds();
  }

  /** What is lost over the horizon as a node is slow, of what depends on it. */
  double slowLoss(int node, double worth) {
    return settings.lossWeight() * Math.max(0, worth) * load.slowness(node) * horizonSeconds();
  }

  /**
   * Over which time it is counted, if the settings alone don't say it, what moves were seen to
   * cost, and what is not counted.
   */
  String told() {
    Observation.Usable seen = load.context().seen();
    return seen.ahead().horizonText(settings)
        + PlanEffect.told(believed)
        + load.more()
        + price.told()
        + ColdCosts.told(load.basis(), seen, load.settings().health().high());
  }

  /** Over which changes must pay back. */
  double horizonSeconds() {
    return horizonSeconds;
  }

  /** What may be computed for one kind of change. */
  Budget budget() {
    return new Budget(settings.predictions());
  }

  /** What one plan may do. */
  PlanLimits limits() {
    return limits;
  }

  /** Whether so many plans end within the horizon, or one is enough. */
  boolean isInTime(double plans) {
    return plans <= 1 || left(plans) > 0;
  }

  /**
   * Share of the horizon that is left after so many plans, in [0, 1]. They wait for each other, not
   * for a node that none of them asks for.
   */
  double left(double plans) {
    double pauses = (Math.ceil(plans) - 1) * (load.context().pause().toMillis() / 1e3);
    return Math.min(1, Math.max(0, 1 - pauses / horizonSeconds()));
  }

  /** What may be computed for the order of one plan's moves. */
  Budget orderBudget() {
    return new Budget(settings.predictions() / ORDER_SHARE);
  }

  ChangePrice price() {
    return price;
  }

  /** Whether a plan may give a node another profile. */
  boolean mayReconfigure(Layout layout, int node) {
    return !load.context().seen().frozen().profiles().contains(layout.name(node))
        && (layout.isNew(node) || price.isOnline(node) || load.isFree(node));
  }

  boolean isOver(Layout layout, int node) {
    Forecast forecast = layout.forecast(node);
    return forecast.usage() + settings.deviations() * forecast.deviation() > target;
  }

  /**
   * Expected share of the requests beyond what an overloaded node serves. A table does not lose
   * what its nodes come above the target, which one of them may have to, for all to be below this.
   */
  private double unserved(Forecast forecast) {
    double beyond = beyond(forecast, full);
    return beyond / (full + beyond);
  }

  /**
   * What the surplus over the target weighs: the logarithm of what is asked for over what is served
   * well. Little of it weighs as much as it is; of much, each further share weighs more than that
   * before it, so that what is too much for all nodes is spread over them.
   */
  private double overload(Forecast forecast) {
    return Math.log1p(beyond(forecast, target) / target);
  }

  private static double beyond(Forecast forecast, double usage) {
    return Surplus.expected(forecast.usage() - usage, forecast.deviation());
  }
}
