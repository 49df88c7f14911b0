package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A plan that is abandoned again and again is tried less and less often. */
class SetbacksTest {
  private static final Instant NOW = RandomCluster.NOW;
  private static final Duration COOLDOWN = Duration.ofMinutes(10);
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");
  private static final NodeId C = new NodeId("c:1");

  private static Action move(String partition, NodeId to) {
    return new Action.Move(new PartitionId("t", partition), A, to);
  }

  /** Plans have ids and times of their own. */
  private static Plan plan(String id, Action... actions) {
    List<PlannedAction> list = new ArrayList<>();
    for (Action action : actions) {
      list.add(new PlannedAction(list.size() + 1, action, id, "e", "c", "u"));
    }
    return new Plan(id, "test", NOW, "met", id, 1, list);
  }

  private static Setbacks abandoned(Plan plan, int times) {
    Setbacks setbacks = Setbacks.NONE;
    for (int i = 0; i < times; i++) {
      setbacks = setbacks.abandoned(plan, NOW);
    }
    return setbacks;
  }

  private static void assertPause(Setbacks setbacks, Plan plan, Duration cooldown, Duration pause) {
    assertThat(setbacks.holds(plan, cooldown, NOW.plus(pause).minusSeconds(1))).isPresent();
    assertThat(setbacks.holds(plan, cooldown, NOW.plus(pause))).isEmpty();
  }

  @Test
  void thePauseDoublesUpToSixHours() {
    Plan plan = plan("p", move("x", B));
    for (int times = 1; times <= 6; times++) {
      assertPause(abandoned(plan, times), plan, COOLDOWN, COOLDOWN.multipliedBy(1L << (times - 1)));
    }
    assertPause(abandoned(plan, 7), plan, COOLDOWN, Duration.ofHours(6));
    assertPause(abandoned(plan, 70), plan, COOLDOWN, Duration.ofHours(6));
    assertPause(abandoned(plan, 1), plan, Duration.ZERO, Duration.ofMinutes(1));
    assertThat(abandoned(plan, 3).holds(plan, COOLDOWN, NOW))
        .contains(
            "the same changes were abandoned 3 times in a row; they are not tried again before "
                + NOW.plus(Duration.ofMinutes(40)));
  }

  @Test
  void itIsTheSameWhateverItsOrderItsTargetsAndItsNames() {
    Setbacks setbacks = abandoned(plan("p", move("x", B), move("y", B)), 1);
    assertThat(setbacks.holds(plan("q", move("y", C), move("x", B)), COOLDOWN, NOW)).isPresent();
    assertThat(setbacks.holds(plan("q", move("x", B)), COOLDOWN, NOW)).isEmpty();
    assertThat(setbacks.holds(plan("q", move("x", B), move("z", B)), COOLDOWN, NOW)).isEmpty();
    Setbacks replace = abandoned(plan("r", new Action.ReplaceNode(1, A, Profile.READ)), 1);
    assertThat(replace.holds(plan("r", new Action.ReplaceNode(1, B, Profile.READ)), COOLDOWN, NOW))
        .isEmpty();
    assertThat(replace.holds(plan("r", new Action.RemoveNode(A)), COOLDOWN, NOW)).isEmpty();
  }

  @Test
  void aPlanThatIsDoneIsForgivenAndNoOther() {
    Plan one = plan("p", move("x", B));
    Plan other = plan("q", move("y", B));
    Setbacks setbacks = abandoned(one, 3).abandoned(other, NOW).done(plan("r", move("x", C)));
    assertThat(setbacks.holds(one, COOLDOWN, NOW)).isEmpty();
    assertThat(setbacks.holds(other, COOLDOWN, NOW)).isPresent();
    assertPause(setbacks.abandoned(one, NOW), one, COOLDOWN, COOLDOWN);
  }

  @Test
  void theOldestAreForgotten() {
    Setbacks setbacks = Setbacks.NONE;
    for (int i = 0; i < 200; i++) {
      setbacks = setbacks.abandoned(plan("p", move("x" + i, B)), NOW);
    }
    assertThat(setbacks.all()).hasSize(100);
    assertThat(setbacks.holds(plan("p", move("x0", B)), COOLDOWN, NOW)).isEmpty();
    assertThat(setbacks.holds(plan("p", move("x199", B)), COOLDOWN, NOW)).isPresent();
  }
}
