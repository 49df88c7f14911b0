package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.settings.StabilitySettings;
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
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What plans move to and fro is left as it is until the window has passed. */
class StabilityTest {
  private static final Instant NOW = RandomCluster.NOW;
  private static final Duration STEP = Duration.ofMinutes(11);
  private static final StabilitySettings SETTINGS = StabilitySettings.DEFAULTS;
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");
  private static final NodeId C = new NodeId("c:1");
  private static final PartitionId X = new PartitionId("t", "x");

  private static Plan plan(Action... actions) {
    List<PlannedAction> list = new ArrayList<>();
    for (Action action : actions) {
      list.add(new PlannedAction(list.size() + 1, action, "", "e", "c", "u"));
    }
    return new Plan("p", "test", NOW, "met", "", 1, list);
  }

  private static Action move(NodeId from, NodeId to) {
    return new Action.Move(X, from, to);
  }

  /** Plans that were done, one every 11 minutes, the last one now. */
  private static Stability after(Plan... plans) {
    Stability stability = Stability.NONE;
    for (int i = 0; i < plans.length; i++) {
      stability =
          stability.after(
              plans[i],
              IntStream.rangeClosed(1, plans[i].actions().size())
                  .boxed()
                  .collect(Collectors.toSet()),
              Map.of(),
              NOW.minus(STEP.multipliedBy(plans.length - 1 - i)));
    }
    return stability;
  }

  private static Plan grow() {
    return plan(new Action.AddNode(1, Profile.HOMOGENEOUS));
  }

  private static Plan shrink() {
    return plan(new Action.RemoveNode(A));
  }

  private static boolean held(Stability stability, Plan plan, Instant at) {
    return stability.holds(plan, SETTINGS, at).isPresent();
  }

  @Test
  void aNumberOfNodesThatGoesUpAndDownStaysUp() {
    Stability once = after(grow(), shrink());
    Stability twice = after(grow(), shrink(), grow(), shrink());

    assertThat(held(once, shrink(), NOW)).isFalse();
    assertThat(twice.holds(shrink(), SETTINGS, NOW))
        .contains(
            new Stability.Held(
                "the number of nodes went up and down 2 times; no node is removed before "
                    + NOW.minus(STEP.multipliedBy(3)).plus(SETTINGS.window()),
                "stability.nodeSwings"));
    Instant until = NOW.minus(STEP.multipliedBy(3)).plus(SETTINGS.window());
    assertThat(held(twice, shrink(), until.minusSeconds(1))).isTrue();
    assertThat(held(twice, shrink(), until)).isFalse();
    // More nodes do no harm, and may be needed.
    assertThat(held(twice, grow(), NOW)).isFalse();
    assertThat(held(twice, shrink(), NOW.plus(SETTINGS.window()))).isFalse();
  }

  /** Its data are copied as often as if one had been added and another given back later. */
  @Test
  void aNodeThatTakesAnothersPlaceIsASwing() {
    Plan instead = plan(new Action.AddNode(1, Profile.HOMOGENEOUS), new Action.RemoveNode(A));

    assertThat(held(after(instead), instead, NOW)).isFalse();
    assertThat(after(instead, instead).holds(instead, SETTINGS, NOW))
        .hasValueSatisfying(held -> assertThat(held.reason()).contains("went up and down 2 times"));
    assertThat(held(after(instead, instead), grow(), NOW)).isFalse();
  }

  @Test
  void aTrendIsNoSwing() {
    Stability grown = after(grow(), grow(), grow(), grow(), grow());

    assertThat(held(grown, shrink(), NOW)).isFalse();
    // One large swing is one.
    assertThat(held(after(grow(), grow(), grow(), shrink(), shrink(), shrink()), shrink(), NOW))
        .isFalse();
  }

  /** Otherwise a cluster that has just grown would be let swing until that is forgotten. */
  @Test
  void growthBeforeItHidesNoSwing() {
    Action[] four = new Action[4];
    for (int i = 0; i < four.length; i++) {
      four[i] = new Action.AddNode(i + 1, Profile.HOMOGENEOUS);
    }
    Stability swung = after(plan(four), shrink(), grow(), shrink(), grow());

    assertThat(swung.holds(shrink(), SETTINGS, NOW))
        .contains(
            new Stability.Held(
                "the number of nodes went up and down 2 times; no node is removed before "
                    + NOW.minus(STEP.multipliedBy(3)).plus(SETTINGS.window()),
                "stability.nodeSwings"));
    assertThat(held(after(plan(four), shrink(), grow()), shrink(), NOW)).isFalse();
  }

  @Test
  void aPartitionThatComesBackAgainAndAgainIsNotMoved() {
    Stability twice = after(plan(move(A, B)), plan(move(B, A)), plan(move(A, B)));

    assertThat(held(after(plan(move(A, B)), plan(move(B, A))), plan(move(A, C)), NOW)).isFalse();
    assertThat(twice.holds(plan(move(B, C)), SETTINGS, NOW))
        .hasValueSatisfying(
            held -> {
              assertThat(held.setting()).isEqualTo("stability.returns");
              // The first of its moves is forgotten then.
              assertThat(held.reason())
                  .isEqualTo(
                      "partition %s came back to a node 2 times; it is not moved before %s"
                          .formatted(X, NOW.minus(STEP.multipliedBy(2)).plus(SETTINGS.window())));
            });
    Instant until = NOW.minus(STEP.multipliedBy(2)).plus(SETTINGS.window());
    assertThat(held(twice, plan(move(B, C)), until.minusSeconds(1))).isTrue();
    assertThat(held(twice, plan(move(B, C)), until)).isFalse();
    assertThat(held(twice, plan(new Action.Move(new PartitionId("t", "y"), A, B)), NOW)).isFalse();
    assertThat(held(twice, plan(move(B, C)), NOW.plus(SETTINGS.window()))).isFalse();
  }

  /** Otherwise a load that grows would wait for one partition. */
  @Test
  void aPlanThatMakesTheClusterLargerIsNotHeldByAPartition() {
    Stability twice = after(plan(move(A, B)), plan(move(B, A)), plan(move(A, B)));

    assertThat(held(twice, plan(new Action.AddNode(1, Profile.READ), move(B, C)), NOW)).isFalse();
  }

  @Test
  void aClockThatWasSetBackMakesNoHoldLonger() {
    Stability twice = after(grow(), shrink(), grow(), shrink());

    assertThat(held(twice, shrink(), NOW.minus(Duration.ofHours(1)))).isFalse();
  }

  @Test
  void aPartitionThatGoesOnIsNotThrashed() {
    assertThat(held(after(plan(move(A, B)), plan(move(B, C))), plan(move(C, A)), NOW)).isFalse();
  }

  /** Caches and compilers are cold after a move, so that it seems to have been wrong. */
  @Test
  void whatRequestsAloneHaveMovedDoesNotGoBackUntilItCanBeJudged() {
    Stability guess = after(plan(move(A, B))).guessed(NOW);
    Instant until = NOW.plus(Stability.JUDGED_AFTER);

    assertThat(guess.holds(plan(move(B, A)), SETTINGS, NOW))
        .contains(
            new Stability.Held(
                "partition %s would go back to node %s, off which a plan has moved it that"
                        .formatted(X, A)
                    + " went by requests alone; whether that was right shows after "
                    + until,
                ""));
    assertThat(held(guess, plan(move(B, A)), until.minusSeconds(1))).isTrue();
    assertThat(held(guess, plan(move(B, A)), until)).isFalse();
    assertThat(held(guess, plan(move(B, C), move(C, A)), NOW)).as("by way of a third").isTrue();
    assertThat(held(guess, plan(move(B, A)), NOW.minusSeconds(1))).as("set back").isFalse();
    // Elsewhere it may go, and away and back within a plan, as of a node that restarts.
    assertThat(held(guess, plan(move(B, C)), NOW)).isFalse();
    assertThat(held(guess, plan(move(B, A), move(A, B)), NOW)).isFalse();
    assertThat(held(guess, plan(new Action.AddNode(1, Profile.READ), move(B, A)), NOW)).isFalse();
    // One that knew what requests cost is not waited for.
    assertThat(held(after(plan(move(A, B))), plan(move(B, A)), NOW)).isFalse();
  }

  @Test
  void anotherPlanDoesNotMakeTheFirstOneRight() {
    Instant first = NOW.minusSeconds(60);
    Stability both =
        Stability.NONE
            .after(plan(move(A, B)), java.util.Set.of(1), Map.of(), first)
            .guessed(first)
            .after(plan(move(B, C)), java.util.Set.of(1), Map.of(), NOW)
            .guessed(NOW);

    assertThat(held(both, plan(move(C, A)), NOW)).isTrue();
    assertThat(held(both, plan(move(C, B)), NOW)).isTrue();
    Instant later = first.plus(Stability.JUDGED_AFTER);
    assertThat(held(both, plan(move(C, A)), later)).isFalse();
    assertThat(held(both, plan(move(C, B)), later)).isTrue();
    // What is over is forgotten.
    assertThat(both.guessed(later).guesses()).containsExactly(NOW, later);
  }

  /** A node that restarts gets its partitions back. */
  @Test
  void whatAPlanMovesAwayAndBackWasNotMoved() {
    Plan restart = plan(move(A, B), move(B, A));
    assertThat(after(restart, restart, restart).moves()).isEmpty();
  }

  /** Otherwise it would come back to that node and nobody would count it. */
  @Test
  void aPartitionIsMovedOffAnAddedNodeByItsName() {
    NodeId joins = new Action.AddNode(1, Profile.HOMOGENEOUS).placeholder();
    Plan plan = plan(new Action.AddNode(1, Profile.HOMOGENEOUS), move(A, joins), move(joins, B));
    Stability all = Stability.NONE.after(plan, java.util.Set.of(1, 2, 3), Map.of(joins, C), NOW);
    Stability last = Stability.NONE.after(plan, java.util.Set.of(1, 3), Map.of(joins, C), NOW);

    assertThat(all.moves()).containsExactly(new Stability.Moved(NOW, X, A, B));
    assertThat(last.moves()).containsExactly(new Stability.Moved(NOW, X, C, B));
    assertThat(held(last.guessed(NOW), plan(move(B, C)), NOW)).isTrue();
  }

  @Test
  void onlyWhatWasDoneCounts() {
    Stability stopped =
        Stability.NONE.after(
            plan(move(A, B), new Action.AddNode(1, Profile.READ)),
            java.util.Set.of(),
            Map.of(),
            NOW);
    assertThat(stopped).isEqualTo(Stability.NONE);
  }

  @Test
  void theMemoryIsBounded() {
    Stability stability = Stability.NONE;
    for (int i = 0; i < 6_000; i++) {
      Plan moved = plan(new Action.Move(new PartitionId("t", "p" + i), A, B));
      stability = stability.after(moved, java.util.Set.of(1), Map.of(), NOW);
    }
    assertThat(stability.moves()).hasSize(5_000);
    assertThat(stability.moves().get(0).partition().name()).isEqualTo("p1000");
  }
}
