package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.JournalStore;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.WatchedStore;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.oracle.PlanVerifier;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A plan on a cluster in memory and the controllers that carry it out, one after the other: each is
 * killed, as by {@code kill -9}, at a point that is fatal, and leaves its journal. Besides the
 * executor's own points each line of the journal is one: the controller dies just before it.
 */
final class DoomedRun {
  /** Verbs that notice that their work is done; a compaction is done again. */
  private static final Set<Verb> ONCE =
      EnumSet.of(
          Verb.MOVE,
          Verb.SPLIT,
          Verb.MERGE,
          Verb.APPLY_PROFILE,
          Verb.SET,
          Verb.SET_BLOCK_SIZE,
          Verb.SET_DRAINING,
          Verb.VACATE,
          Verb.CLEANUP,
          Verb.ADD,
          Verb.REPLACE,
          Verb.REMOVE,
          Verb.RESTART);

  /** How the points before lines of the journal begin. */
  static final String LINE = "before-line-";

  /** Nothing of a controller runs after it. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final int atOnce;
  private final Predicate<String> fatal;
  private final InMemoryCluster cluster;
  private final ClusterSnapshot before;
  private final Plan plan;
  private final Left left = new Left();
  private final Set<String> passed = new LinkedHashSet<>();
  private boolean dead;

  /** What differs from the plan's end state where the plan has ended. */
  private List<String> atTheEnd = List.of("the plan has not ended");

  /**
   * @param atOnce actions of one kind that may go on together; with 1 the state is judged after
   *     each action
   * @param fatal asked at each point of each controller whether it dies there
   */
  DoomedRun(CrashPlan kind, int atOnce, Predicate<String> fatal) throws EngineException {
    this.atOnce = atOnce;
    this.fatal = fatal;
    this.cluster = kind.cluster();
    this.before = cluster.engine().snapshot();
    this.plan = kind.plan(before);
    assertThat(PlanVerifier.violations(plan, before)).as("%s", kind).isEmpty();
    assertThat(before.balancer()).isNotEqualTo(BalancerState.PAUSED);
  }

  /** All points that its controllers passed or died at, in order. */
  List<String> points() {
    return List.copyOf(passed);
  }

  Plan plan() {
    return plan;
  }

  /**
   * Has controllers begin and resume the plan until it has ended, and judges what came of it.
   *
   * @return how many controllers died
   */
  int untilDone() throws EngineException {
    int deaths = 0;
    for (boolean begun = false; ; begun = true) {
      dead = false;
      try {
        if (begun && left.recorded().stream().anyMatch(Entry.PlanStarted.class::isInstance)) {
          goOn();
        } else {
          begin();
        }
        judge();
        return deaths;
      } catch (Killed e) {
        deaths++;
        assertThat(deaths).as("killed controllers").isLessThan(200);
      }
    }
  }

  private void begin() throws EngineException {
    try (Tenure tenure = TestTenure.of(cluster.engine(), left)) {
      LoopContext context =
          new LoopContext(
              cluster.engine(),
              Optional.of(cluster.provider()),
              settings(),
              LoopListener.SILENT,
              ports(),
              this::reached);
      new Executor(context, tenure, () -> false, () -> true, before -> before)
          .begin(plan, before.balancer(), PolicyState.INITIAL, java.util.Optional.empty());
    }
  }

  /** Whole: it takes the lock, finds what was left, and ends after it. */
  private void goOn() throws EngineException {
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void sampled(int samples, int needed) {
            // Nothing was left for it.
            loop[0].stop();
          }
        };
    loop[0] =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            settings(),
            listener,
            ports(),
            this::reached);
    loop[0].run(true, 1, false);
  }

  private Settings settings() {
    return Settings.defaults()
        .with(Policies.MET_1)
        .with(GuardSettings.builder().maxConcurrentMoves(atOnce).maxRestarting(atOnce).build());
  }

  private Ports ports() {
    return SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> left);
  }

  private void reached(String point) {
    if (dead) {
      // A dead process passes no further point, not even those in its finally blocks.
      throw new Killed();
    }
    if (atOnce == 1 && point.startsWith("action-ended-")) {
      assertThat(state()).as("at %s", point).isEmpty();
    }
    if (point.equals("before-restore")) {
      // From then on the database's balancer may move what it likes.
      atTheEnd = state();
    }
    passed.add(point);
    if (fatal.test(point)) {
      dead = true;
      throw new Killed();
    }
  }

  private List<String> state() {
    Set<Integer> ended = new TreeSet<>();
    Map<NodeId, NodeId> added = new TreeMap<>();
    for (Entry entry : left.recorded()) {
      if (entry instanceof Entry.ActionEnded end && end.outcome() != ActionOutcome.FAILED) {
        ended.add(end.step());
      } else if (entry instanceof Entry.NodeAdded node) {
        added.put(node.placeholder(), node.node());
      }
    }
    try {
      return PlanVerifier.state(plan, before, ended, added, cluster.engine().snapshot());
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  private void judge() throws EngineException {
    assertThat(atTheEnd).isEmpty();
    assertThat(PlanVerifier.tidied(before, cluster.engine().snapshot())).isEmpty();
    List<Entry.PlanEnded> ends = new ArrayList<>();
    Set<Integer> steps = new TreeSet<>();
    for (Entry entry : left.recorded()) {
      if (entry instanceof Entry.PlanEnded end) {
        ends.add(end);
      } else if (entry instanceof Entry.ActionEnded end) {
        steps.add(end.step());
      }
    }
    assertThat(ends)
        .singleElement()
        .extracting(Entry.PlanEnded::outcome)
        .isEqualTo(PlanOutcome.DONE);
    assertThat(steps).hasSize(plan.actions().size());
    assertThat(ControlDocuments.read(cluster.engine().shared()).open()).isEmpty();
    // The lock is free again.
    cluster.engine().takeControl("next").close();
  }

  /** How often each verb was begun that is not to be begun twice; who owns which token. */
  String begun() {
    Map<Verb, Integer> calls = new EnumMap<>(Verb.class);
    ONCE.forEach(verb -> calls.put(verb, cluster.faults().calls(verb)));
    return calls + " " + cluster.tokens();
  }

  /** Journals in memory, before each line of which a controller may die. */
  private final class Left extends MemoryState {
    private int written;

    @Override
    protected JournalStore store(long epoch) {
      return new WatchedStore(
          () -> {
            reached(LINE + (written + 1));
            written++;
          });
    }
  }
}
