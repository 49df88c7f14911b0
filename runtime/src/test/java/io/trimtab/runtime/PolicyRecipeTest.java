package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.SlowNode;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.VirtualClock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Follows the recipe of CONTRIBUTING.md for a policy: one file and one registry. */
class PolicyRecipeTest {
  private final VirtualClock time = new VirtualClock(FakeEngine.NOW);
  private final FakeEngine engine = new FakeEngine(3, 9, time);
  private final MemoryState state = new MemoryState();

  /** Takes the first partition to the last node. */
  private static final class Toy implements Policy {
    private final Set<Need> needs;

    Toy(Need... needs) {
      this.needs = Set.of(needs);
    }

    @Override
    public String name() {
      return "toy";
    }

    @Override
    public Set<Need> needs() {
      return needs;
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      PartitionState first = seen.snapshot().partitions().get(0);
      NodeId from = first.node().orElseThrow();
      NodeId to = seen.snapshot().liveNodes().get(seen.snapshot().liveNodes().size() - 1).id();
      if (from.equals(to)) {
        return new Decision.Hold("it is there", "", state);
      }
      Action move = new Action.Move(first.id(), from, to);
      return new Decision.Act(
          new Plan(
              "toy-" + seen.snapshot().takenAt().toEpochMilli(),
              seen.snapshot().clusterId(),
              seen.snapshot().takenAt(),
              name(),
              "it belongs there",
              1,
              List.of(new PlannedAction(1, move, "", "", "", ""))),
          state);
    }
  }

  private static Policy registered(Need... needs) {
    return Policies.ALL.with(new Toy(needs)).named("TOY");
  }

  private ControlLoop loop(Policy policy, LoopListener listener) {
    return new ControlLoop(
        engine,
        Optional.empty(),
        Settings.defaults().with(policy),
        listener,
        SimulatedTime.ports(time, Workers.IN_TURN, cluster -> state),
        FaultPoints.NONE);
  }

  @Test
  void aPolicyThatIsRegisteredIsRunByTheLoop() throws Exception {
    Optional<Executor.Outcome> outcome =
        loop(registered(), LoopListener.SILENT).run(true, 1, false);

    assertThat(outcome.orElseThrow().done()).isTrue();
    assertThat(engine.placement).containsEntry(new PartitionId("t", "p0"), new NodeId("n2:1"));
    assertThat(state.recorded())
        .filteredOn(Entry.PlanStarted.class::isInstance)
        .singleElement()
        .extracting(e -> ((Entry.PlanStarted) e).plan().policy())
        .isEqualTo("toy");
  }

  @Test
  void onlyWhatAPolicyNeedsIsAskedFor() throws Exception {
    for (Need need : EnumSet.of(Need.HINTS, Need.HISTOGRAMS)) {
      engine.hintsAsked = 0;
      engine.counting = 0;
      engine.histogramsAsked = 0;

      loop(registered(need), LoopListener.SILENT).run(false, 1, false);

      assertThat(engine.hintsAsked).as("%s", need).isEqualTo(need == Need.HINTS ? 1 : 0);
      assertThat(engine.histogramsAsked).isEqualTo(need == Need.HISTOGRAMS ? 1 : 0);
      // Once, before the first sample, however many samples a decision takes.
      assertThat(engine.counting).isEqualTo(need == Need.HISTOGRAMS ? 1 : 0);
    }
  }

  @Test
  void whatAPolicyUsesWithItsSettingsIsAskedForToo() throws Exception {
    for (PlaceSettings.Balance balance : PlaceSettings.Balance.values()) {
      engine.histogramsAsked = 0;
      Settings settings =
          Settings.defaults()
              .with(Policies.MET)
              .with(PlaceSettings.builder().balancer(balance).build())
              .with(GuardSettings.builder().maxNodes(3).build());

      new ControlLoop(
              engine,
              Optional.empty(),
              settings,
              LoopListener.SILENT,
              SimulatedTime.ports(time, Workers.IN_TURN, cluster -> state),
              FaultPoints.NONE)
          .run(false, 1, false);

      assertThat(engine.histogramsAsked)
          .as("%s", balance)
          .isEqualTo(balance == PlaceSettings.Balance.USAGE ? 1 : 0);
    }
  }

  /** Of slow nodes it is told; nothing is done about them unless it says so. */
  @Test
  void nodesThatAreSlowAreAmongItsInputs() throws Exception {
    engine.avoided = Optional.of(new NodeId("n2:1"));
    ControlLoop[] loop = new ControlLoop[1];
    List<List<SlowNode>> given = new ArrayList<>();
    List<String> told = new ArrayList<>();
    Policy attentive =
        new Policy() {
          @Override
          public String name() {
            return "attentive";
          }

          @Override
          public Set<Need> needs() {
            return Set.of();
          }

          @Override
          public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
            given.add(seen.slow());
            if (given.size() == 4) {
              loop[0].stop();
            }
            return new Decision.Hold("it only looks", "", state);
          }
        };
    loop[0] =
        loop(
            attentive,
            new LoopListener() {
              @Override
              public void slow(String what) {
                told.add(what);
              }
            });

    loop[0].run(true, 0, false);

    // Six samples, which is five intervals of 30 s, for the first decision.
    assertThat(given.get(0)).isEmpty();
    assertThat(given.get(1)).extracting(SlowNode::node).containsExactly(new NodeId("n2:1"));
    assertThat(given.get(3)).hasSize(1);
    assertThat(told).singleElement().asString().startsWith("slow node: n2:1 gets 11 % of ");
    assertThat(engine.verbs).doesNotContain("move", "profile", "drain");
  }

  @Test
  void countingIsBegunOnANodeThatRestarts() throws Exception {
    ControlLoop[] loop = new ControlLoop[1];
    loop[0] =
        loop(
            registered(Need.HISTOGRAMS),
            new LoopListener() {
              private int samples;

              @Override
              public void sampled(int taken, int needed) {
                samples++;
                if (samples == 3) {
                  engine.incarnation++;
                } else if (samples == 5) {
                  loop[0].stop();
                }
              }
            });

    loop[0].run(false, 0, false);

    assertThat(engine.counting).isEqualTo(2);
  }

  @Test
  void whatAPolicyNeedsOfTheSettingsMustBeThere() {
    assertThatThrownBy(() -> Settings.defaults().with(registered(Need.MODEL)))
        .hasMessageStartingWith("usage.model is missing; policy: toy needs");
    assertThatThrownBy(() -> Settings.defaults().with(registered(Need.SERVICE)))
        .hasMessageStartingWith("slo.sla is missing; policy: toy needs");
  }

  @Test
  void aNameIsTakenOnce() {
    assertThatThrownBy(() -> Policies.ALL.with(new Toy()).with(new Toy()))
        .hasMessage("there is a policy named toy already");
    assertThatThrownBy(() -> Policies.ALL.named("toy"))
        .hasMessage("policy must be one of met-1, met, autopilot, tiramola, usage, slo, not 'toy'");
  }
}
