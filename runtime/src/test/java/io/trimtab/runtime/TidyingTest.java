package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nothing is tidied up on a look that does not show the whole cluster. */
class TidyingTest {
  private final VirtualClock clock = new VirtualClock(FakeEngine.NOW);
  private final FakeEngine engine = new FakeEngine(3, 6, clock);
  private final Marking machines = new Marking();

  /** Also keeps a list, and may not answer. */
  private static final class Marking extends FakeNodes {
    private final List<Machine> list = new ArrayList<>();
    private boolean answers = true;

    @Override
    public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
        throws EngineException {
      if (answers) {
        return super.add(requestId, profile, tokens, limit);
      }
      for (String name : List.of(requestId, "other/new-1")) {
        list.add(
            new Machine(
                "i-" + name,
                Optional.of(new NodeId("late:" + list.size())),
                "c",
                name,
                Optional.empty(),
                Machine.State.STARTING));
      }
      throw new EngineException("no answer");
    }

    @Override
    public List<Machine> machines() {
      return List.copyOf(list);
    }

    @Override
    public void release(Machine machine, Duration limit) {
      asked.add("release " + machine.name());
      list.remove(machine);
    }
  }

  /** A plan that adds a node and fails after it, at which time something happens. */
  private Executor.Outcome fails(Runnable then) throws EngineException {
    engine.movesFail = true;
    Action.AddNode add = new Action.AddNode(1, Profile.READ);
    List<PlannedAction> actions = new ArrayList<>();
    for (Action action :
        List.of(
            new Action.DrainNode(new NodeId("n2:1")),
            add,
            new Action.Move(new PartitionId("t", "p0"), new NodeId("n0:1"), add.placeholder()))) {
      actions.add(new PlannedAction(actions.size() + 1, action, "r", "e", "c", "u"));
    }
    LoopContext context =
        new LoopContext(
            engine,
            Optional.of(machines),
            Settings.defaults(),
            LoopListener.SILENT,
            SimulatedTime.ports(clock, Workers.IN_TURN),
            point -> {
              if (point.equals("before-restore")) {
                then.run();
              }
            });
    try (Tenure tenure = TestTenure.of(engine, new MemoryState())) {
      return new Executor(context, tenure, () -> false, () -> false, before -> before)
          .begin(
              new Plan("plan", "fake", FakeEngine.NOW, "met", "s", 1, actions),
              engine.balancer,
              PolicyState.INITIAL,
              Optional.empty());
    }
  }

  @Test
  void aNodeThatServesIsNotReleasedWhereALookShowsNoNodes() throws EngineException {
    Executor.Outcome outcome = fails(() -> engine.masterAway = true);

    assertThat(machines.asked).noneMatch(asked -> asked.startsWith("remove"));
    assertThat(outcome.how()).isEqualTo(PlanOutcome.UNFINISHED);
    assertThat(outcome.why()).contains("the master does not answer");
    assertThat(engine.balancer.balancer()).as("the rest is tidied up").isTrue();
  }

  /** However young: it may be from before the node served. */
  @Test
  void nothingIsReleasedAfterALookFromBefore() throws EngineException {
    Executor.Outcome outcome = fails(() -> engine.age = Duration.ofMillis(1));

    assertThat(machines.asked).noneMatch(asked -> asked.startsWith("remove"));
    assertThat(outcome.how()).isEqualTo(PlanOutcome.UNFINISHED);
    assertThat(outcome.why()).contains("was not taken now");
  }

  /** A wall clock that was set back makes an old look seem to come from the future. */
  @Test
  void nothingIsReleasedAfterALookFromTheFuture() throws EngineException {
    Executor.Outcome outcome = fails(() -> engine.age = Duration.ofMinutes(-30));

    assertThat(machines.asked).noneMatch(asked -> asked.startsWith("remove"));
    assertThat(outcome.how()).isEqualTo(PlanOutcome.UNFINISHED);
    assertThat(outcome.why()).contains("was not taken now");
  }

  /** It would cost, or join some time after the plan, and the next plan asks for another. */
  @Test
  void aMachineWhoseRequestWasNotAnsweredIsGivenBackAndNoOther() throws EngineException {
    machines.answers = false;
    Executor.Outcome outcome = fails(() -> {});

    assertThat(outcome.how()).isEqualTo(PlanOutcome.ABANDONED);
    assertThat(machines.asked)
        .filteredOn(a -> a.startsWith("release"))
        .isNotEmpty()
        .containsOnly("release i-plan/new-1");
    assertThat(machines.list).extracting(Machine::requestId).doesNotContain("plan/new-1");
  }
}
