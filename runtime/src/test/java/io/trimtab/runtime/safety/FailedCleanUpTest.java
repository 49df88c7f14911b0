package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nothing new begins before the clean-up after a plan, which has failed, was made up for. */
class FailedCleanUpTest extends SafetyFixture {
  private int cleanUps;
  private int begun;

  /** All moves fail, then the balancer can't be set; from the n-th clean-up on everything works. */
  private FaultPoints failing(int worksAt) {
    cluster.faults().always(Verb.MOVE, Kind.FAIL);
    return point -> {
      if (point.equals("before-restore")) {
        cleanUps++;
        cluster.faults().clear();
        if (cleanUps < worksAt) {
          cluster.faults().always(Verb.SET_BALANCER, Kind.FAIL);
        }
      }
    };
  }

  private void act(FaultPoints faults) throws Exception {
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void planEnded(Plan plan, PlanOutcome outcome, String why) {
            ended.add(plan.id() + ": " + outcome + ": " + why);
            if (ended.size() == 2) {
              loop[0].stop();
            }
          }

          @Override
          public void held(String by, String reason, String setting) {
            held.add(by + ": " + reason);
            if (held.size() > 100) {
              loop[0].stop();
            }
          }
        };
    loop[0] =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            settings,
            listener,
            ports(here),
            faults);
    loop[0].run(true, 0, false);
  }

  private void planAtOnce() {
    settings =
        settings
            .with(BalancerMode.RESTORE)
            .with(Policies.MET_1)
            .with(
                GuardSettings.builder()
                    .maxNodes(3)
                    .maxConcurrentMoves(1)
                    .cooldown(Duration.ZERO)
                    .build());
  }

  /** The cluster may know of it, and the next controller would resume what was decided long ago. */
  @Test
  void aPlanThatCouldNotBeWrittenDownIsLeftToNobody() throws Exception {
    planAtOnce();
    cluster.control().loseAnswer(ControlDocuments.PLAN);

    act(
        point -> {
          if (point.equals("plan-started")) {
            begun++;
          }
        });

    assertThat(ended).hasSize(2);
    assertThat(ended.get(0)).contains("stopped: it was not begun: ").contains("answer was lost");
    assertThat(ended.get(1)).contains("done");
    assertThat(begun).as("only the second one").isEqualTo(1);
    assertThat(here.recorded().stream().filter(Entry.PlanEnded.class::isInstance)).hasSize(2);
    assertThat(ControlDocuments.read(cluster.control()).open()).isEmpty();
  }

  @Test
  void theBalancerIsAsBeforeAfterTheNextPlan() throws Exception {
    planAtOnce();
    Plan left = leave(here);

    act(failing(3));

    assertThat(ended).hasSize(2);
    assertThat(ended.get(0)).startsWith(left.id() + ": abandoned").contains("scripted fault");
    assertThat(ended.get(1)).contains("done");
    assertThat(ControlDocuments.read(cluster.control()).open()).isEmpty();
    assertThat(cluster.truth().balancer()).isEqualTo(new BalancerState(true, true));
    assertThat(held).filteredOn(h -> h.contains("clean-up")).hasSize(1);
    assertThat(cleanUps).as("two that failed, one of each plan").isEqualTo(4);
  }
}
