package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A controller may be killed at any moment of a plan: the next one finishes it, nothing is done
 * twice, and the cluster ends as it would have ended otherwise.
 */
class CrashPointTest {
  private static final int[] AT_ONCE = {1, 3};

  @ParameterizedTest
  @EnumSource(CrashPlan.class)
  void aControllerKilledAtAnyPointIsFollowedByOneThatFinishes(CrashPlan kind)
      throws EngineException {
    for (int atOnce : AT_ONCE) {
      DoomedRun whole = new DoomedRun(kind, atOnce, point -> false);
      assertThat(whole.untilDone()).isZero();
      int actions = whole.plan().actions().size();
      assertThat(executors(whole))
          .contains("plan-started", "balancer-paused", "before-restore", "restored", "plan-ended")
          .hasSize(5 + 3 * actions);
      for (String fatal : whole.points()) {
        List<String> died = new ArrayList<>();
        DoomedRun run =
            new DoomedRun(
                kind, atOnce, point -> point.equals(fatal) && died.isEmpty() && died.add(point));
        assertThat(run.untilDone()).as(fatal).isEqualTo(1);
        assertThat(run.begun()).as("killed at %s", fatal).isEqualTo(whole.begun());
      }
    }
  }

  private static List<String> executors(DoomedRun run) {
    return run.points().stream().filter(p -> !p.startsWith(DoomedRun.LINE)).toList();
  }

  /**
   * As when the controller's machine is broken: each dies where none before it did. Not before
   * lines: every controller begins another one, so that none would come further.
   */
  @ParameterizedTest
  @EnumSource(CrashPlan.class)
  void controllersThatAllDieComeToTheEndTogether(CrashPlan kind) throws EngineException {
    for (int atOnce : AT_ONCE) {
      DoomedRun whole = new DoomedRun(kind, atOnce, point -> false);
      whole.untilDone();
      Set<String> died = new HashSet<>();
      DoomedRun run =
          new DoomedRun(
              kind, atOnce, point -> !point.startsWith(DoomedRun.LINE) && died.add(point));

      int deaths = run.untilDone();

      assertThat(died).hasSize(deaths).containsExactlyInAnyOrderElementsOf(executors(whole));
      assertThat(run.begun()).isEqualTo(whole.begun());
    }
  }

  @Test
  void thePlansHaveEveryKindOfActionOnBothOwnerships() throws EngineException {
    Set<Class<?>> kinds = new HashSet<>();
    Set<Ownership> ownerships = EnumSet.noneOf(Ownership.class);
    Set<Action.ApplyMode> modes = EnumSet.noneOf(Action.ApplyMode.class);
    for (CrashPlan kind : CrashPlan.values()) {
      ClusterSnapshot now = kind.cluster().engine().snapshot();
      ownerships.add(now.ownership());
      for (Action action : kind.actions(now)) {
        kinds.add(action.getClass());
        action.as(Action.Reconfigure.class).ifPresent(change -> modes.add(change.way()));
      }
    }
    assertThat(kinds)
        .containsExactlyInAnyOrderElementsOf(Arrays.asList(Action.class.getPermittedSubclasses()));
    assertThat(ownerships).containsExactlyInAnyOrder(Ownership.values());
    assertThat(modes).containsExactlyInAnyOrder(Action.ApplyMode.values());
  }
}
