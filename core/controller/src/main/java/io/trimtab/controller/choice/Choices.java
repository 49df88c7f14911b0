package io.trimtab.controller.choice;

import io.trimtab.controller.agreement.Floor;
import io.trimtab.controller.ahead.Foreseen;
import io.trimtab.controller.choice.Evaluator.Cost;
import io.trimtab.controller.choice.Generator.Candidate;
import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * The decision of where partitions are assigned: all candidates of a cluster, weighed. They are
 * searched for when one is asked for, not before.
 */
public final class Choices {
  /** So that sums that differ in their last digits are alike. */
  private static final double ROUNDING = 1e-6;

  /** Usage that differs by less is told once. */
  private static final double SAME = 0.02;

  /** Of nodes that do next to nothing. */
  private static final double USED_LEAST = 0.01;

  private final ClusterLoad load;
  private final Layout now;
  private final Evaluator evaluator;
  private final Cost stay;
  private final Foreseen foreseen;
  private final List<Generator> generators;

  /** The nodes that agreements need. */
  private final Floor agreed;

  /** What all choices of a decision need. It is found at the first: most decisions need none. */
  public static final class Situation {
    private final DecisionContext context;
    private ClusterLoad now;
    private Foreseen soon;

    public Situation(DecisionContext context) {
      this.context = context;
    }

    private ClusterLoad now() {
      if (now == null) {
        now = new ClusterLoad(context);
      }
      return now;
    }

    /** What more is surely asked for before something else could be done about it. */
    public Foreseen soon() {
      if (soon == null) {
        soon = context.soon();
      }
      return soon;
    }

    /**
     * Whether a node fewer could do, if everything were shared out evenly.
     *
     * @param nodes at least two
     */
    public boolean spare(List<NodeState> nodes) {
      double limit = usage().target() * (1 - usage().margin());
      int left = nodes.size() - 1;
      DoubleSummaryStatistics used =
          nodes.stream().mapToDouble(n -> context.seen().usage().get(n.id())).summaryStatistics();
      // What a node uses for being awake goes with it: no more than the least used one uses.
      return used.getSum() / left <= limit
          || ((used.getSum() - used.getMin()) / left <= limit
              && FewerNodes.evenly(Layout.now(now()), left) <= limit);
    }

    private UsageSettings usage() {
      return context.settings().usage();
    }
  }

  Choices(Situation situation, Foreseen foreseen, double target, List<Generator> generators) {
    this(situation, foreseen, target, generators, Floor.NONE);
  }

  Choices(
      Situation situation,
      Foreseen foreseen,
      double target,
      List<Generator> generators,
      Floor agreed) {
    this.agreed = agreed;
    this.foreseen = foreseen;
    load = situation.now().counting(foreseen);
    now = Layout.now(load);
    evaluator = new Evaluator(load, now, target);
    stay = evaluator.cost(now);
    this.generators = List.copyOf(generators);
  }

  /**
   * What relieves nodes that are used too much.
   *
   * @param most nodes that there may be
   */
  public static Choices relief(Situation situation, int most) {
    return new Choices(situation, situation.soon(), situation.usage().target(), all(0, most));
  }

  /**
   * All that relieves nodes.
   *
   * @param owed nodes that agreements need; 0 if they need no more than there are
   */
  private static List<Generator> all(int owed, int most) {
    return List.of(
        new SmallSteps(),
        new SplitFirst(),
        new EvenOut(),
        new OffSlowNodes(),
        new LocalFiles(),
        new BlockSizes(),
        new Regroup(most),
        new MoreNodes(owed, most));
  }

  /**
   * What keeps agreements that are missed: as many nodes as they need, or any change after which no
   * node is used more than each of so many would be, if they shared the same load evenly.
   *
   * @param needed nodes; they may be more than {@code most}
   * @param most nodes that there may be
   */
  public static Choices keeping(Situation situation, Floor needed, int most) {
    Layout now = Layout.now(situation.now().counting(situation.soon()));
    double evenly = FewerNodes.evenly(now, needed.nodes()) * (1 + ROUNDING);
    double usual = situation.usage().target();
    return new Choices(
        situation,
        situation.soon(),
        Math.min(usual, Math.max(USED_LEAST, evenly)),
        // Where nodes are not used too much besides, no more than are needed are looked at.
        all(needed.nodes(), evenly < usual ? Math.min(most, needed.nodes()) : most),
        needed);
  }

  /** What is moved off nodes that answer late; empty if there is no such node. */
  public static Optional<Choices> offSlowNodes(Situation situation) {
    double target = situation.usage().target();
    return OffSlowNodes.areThere(situation.context)
        ? Optional.of(new Choices(situation, situation.soon(), target, List.of(new OffSlowNodes())))
        : Optional.empty();
  }

  /** What pays although no node is used too much; empty if there is no such thing. */
  public static Optional<Choices> upkeep(Situation situation) {
    double target = situation.usage().target();
    return LocalFiles.areThere(situation.context)
        ? Optional.of(new Choices(situation, situation.soon(), target, List.of(new LocalFiles())))
        : Optional.empty();
  }

  /**
   * What gives nodes back.
   *
   * @param least nodes that there must be
   * @param agreed nodes that agreements need; one fewer is weighed, so that it is told why
   */
  public static Choices saving(Situation situation, int least, Floor agreed) {
    UsageSettings usage = situation.usage();
    int from = Math.max(least, agreed.nodes() - 1);
    return new Choices(
        situation,
        situation.context.later(),
        usage.target() * (1 - usage.margin()),
        List.of(
            new FewerNodes(from, situation.context::leaves),
            new RegroupFewer(from, situation.context::leaves)),
        agreed);
  }

  /**
   * What is taken of the alternatives.
   *
   * @param act the plan of the best that is not refused; if all are, of the best; empty if it is
   *     better to stay, or all need nodes that can't be added
   * @param refusal why the plan may not be carried out, or none was made; empty if it may
   * @param alternatives all that were weighed, the one that saves most first
   */
  public record Settled(
      Optional<Decision.Act> act,
      Optional<Policy.Refused> refusal,
      List<Alternative> alternatives) {}

  /**
   * Searches for candidates, and takes the best that is not refused.
   *
   * @param plan of a chosen alternative
   */
  public Settled settle(Function<Chosen, Decision.Act> plan, Policy.Veto veto) {
    List<Candidate> candidates = new ArrayList<>();
    generators.forEach(generator -> candidates.addAll(generator.propose(now, evaluator)));
    candidates.addAll(new Spared(now, evaluator).of(candidates));
    Choice choice = new Choice(stay, evaluator, candidates, agreed);
    IdentityHashMap<Choice.Weighed, Policy.Refused> refusals = new IdentityHashMap<>();
    Optional<Decision.Act> first = Optional.empty();
    Optional<Policy.Refused> why = Optional.empty();
    // What keeps an agreement comes first.
    Optional<Policy.Refused> waits = Optional.empty();
    for (Choice.Weighed weighed : choice.ranked()) {
      if (waits.filter(rest -> rest.endsSearch(choice.keeps(weighed))).isPresent()) {
        break;
      }
      Layout layout = weighed.candidate().layout();
      Optional<Policy.Refused> full = full(layout).or(() -> tooFew(layout));
      if (full.isPresent()) {
        refusals.put(weighed, full.get());
        why = why.or(() -> full);
        continue;
      }
      Decision.Act act = plan.apply(chosen(weighed));
      if (act.plan().actions().isEmpty()) {
        // The same layout again, which seems to save what sums differ by in another order.
        refusals.put(weighed, new Policy.Refused("it changes nothing", ""));
        continue;
      }
      Optional<Policy.Refused> refusal = veto.refusal(act);
      if (refusal.isEmpty()) {
        Optional<Policy.Refused> end = endless(act, layout, veto);
        if (end.isEmpty()) {
          return settled(act, refusal, choice.alternatives(Optional.of(weighed), refusals));
        }
        refusals.put(weighed, end.get());
        why = why.or(() -> end);
        continue;
      }
      if (first.isEmpty()) {
        first = Optional.of(act);
        why = refusal;
      }
      if (refusal.get().any()) {
        waits = refusal;
      }
      refusals.put(weighed, refusal.get());
    }
    // The plans of the others are not made: of many partitions that takes seconds.
    waits.ifPresent(rest -> choice.ranked().forEach(w -> refusals.putIfAbsent(w, rest)));
    List<Alternative> none = choice.alternatives(Optional.empty(), refusals);
    return first.isPresent() ? settled(first.get(), why, none) : new Settled(first, why, none);
  }

  /** Why a layout can't be reached, as it has a node more and none can be added. */
  private Optional<Policy.Refused> full(Layout layout) {
    return layout.present().anyMatch(layout::isNew)
        ? load.context()
            .seen()
            .offer()
            .flatMap(NodeCapacity::hindrance)
            .map(why -> new Policy.Refused(why, ""))
        : Optional.empty();
  }

  /** Why there would be too few nodes for the agreements, if so, also once later plans are done. */
  private Optional<Policy.Refused> tooFew(Layout layout) {
    long left = layout.present().filter(n -> layout.given(n) == 0).count();
    return agreed.isMissed() || left >= agreed.nodes()
        ? Optional.empty()
        : Optional.of(new Policy.Refused(agreed.brief(), agreed.setting()));
  }

  /** Why a plan could not be ended by later ones, where it begins to empty nodes to remove them. */
  private static Optional<Policy.Refused> endless(
      Decision.Act begun, Layout layout, Policy.Veto veto) {
    List<PlannedAction> all = new ArrayList<>(begun.plan().actions());
    layout
        .present()
        .filter(n -> layout.given(n) > 0)
        .forEach(n -> all.add(removal(all.size() + 1, layout.name(n))));
    return all.size() == begun.plan().actions().size()
        ? Optional.empty()
        : veto.refusal(new Decision.Act(begun.plan().with(all), begun.next()));
  }

  /** Only to be judged. */
  private static PlannedAction removal(int step, NodeId node) {
    return new PlannedAction(step, new Action.RemoveNode(node), "", "", "", "");
  }

  private static Settled settled(
      Decision.Act act, Optional<Policy.Refused> refusal, List<Alternative> weighed) {
    return new Settled(Optional.of(act.with(weighed)), refusal, weighed);
  }

  /** What is counted with, and over which time, to end a text. */
  public String told() {
    return foreseen.text() + evaluator.told();
  }

  /** Nodes that are used more, as predicted with what is foreseen. */
  public List<NodeId> above(double usage) {
    return now.present().filter(n -> now.usage(n) > usage).mapToObj(now::name).toList();
  }

  /** Usage of the most used node as it is now, as predicted. */
  public double mostNow() {
    return stay.most();
  }

  /**
   * The same where it differs from what is measured, which is CPU and disk together, to end a text.
   *
   * @param measured usage of the most used node
   */
  public String expectedText(double measured) {
    if (tellsCpuAndDiskApart() && mostNow() < measured - SAME) {
      return String.format(Locale.ROOT, " (its CPU or its disk at %.2f)", mostNow());
    }
    return mostNow() > measured + SAME
        ? String.format(Locale.ROOT, ", expected at %.2f", mostNow())
        : "";
  }

  /**
   * Whether a node can be used more than it should by what is measured, and all the same neither
   * its CPU nor its disk is.
   */
  public boolean tellsCpuAndDiskApart() {
    return load.basis().isApart();
  }

  /** What usage is predicted from. */
  public String basis() {
    return load.basis().title();
  }

  public Partitions partitions() {
    return load.partitions();
  }

  /**
   * The plan of the chosen candidate.
   *
   * @param predicted usage of the most used node, with the load that is foreseen
   * @param usage of all nodes, with the load of now
   * @param gain what it saves less its price, as a share of what is lost by staying, or of what
   *     could be saved
   */
  public record Chosen(
      String title,
      List<PlannedAction> actions,
      double predicted,
      UsagePrediction usage,
      double gain,
      boolean resizes) {}

  private Chosen chosen(Choice.Weighed weighed) {
    Layout layout = weighed.candidate().layout();
    double lost = stay.lost() + weighed.cost().saved();
    double saved = lost - weighed.cost().lost() - weighed.cost().change();
    return new Chosen(
        weighed.candidate().title(),
        new LayoutPlan(now, evaluator).actions(layout),
        weighed.cost().most(),
        new UsagePrediction(load.basis().origin(), layout.usageByLoadOfNow()),
        lost > 0 ? Math.max(0, saved / lost) : 0,
        layout.size() != now.size() || layout.present().anyMatch(n -> layout.given(n) > 0));
  }
}
