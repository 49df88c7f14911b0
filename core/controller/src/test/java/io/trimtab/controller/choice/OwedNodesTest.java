package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.agreement.Floor;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which of the candidates that keep an agreement is taken, and what of them need not pay. */
class OwedNodesTest {
  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);

  private final ByHand cluster = new ByHand();

  private static List<String> ranked(
      Evaluator evaluator, Layout now, int needed, Generator.Candidate... candidates) {
    Floor agreed = new Floor(needed, "told", "shop needs more", "", true);
    return new Choice(evaluator.cost(now), evaluator, List.of(candidates), agreed)
        .ranked().stream().map(weighed -> weighed.candidate().title()).toList();
  }

  /** With some nodes more, of which each takes some partitions from each of the others. */
  private static Layout adding(Layout now, int more, int each) {
    Layout then = now.copy();
    for (int i = 0; i < more; i++) {
      int node = then.add(Profile.READ);
      for (int from : now.present().toArray()) {
        for (int item : then.on(from).boxed().limit(each).toList()) {
          then.move(item, node);
        }
      }
    }
    return then;
  }

  private Layout usedAlike(double usage, int nodes, int partitions) {
    for (int n = 0; n < nodes; n++) {
      NodeId node = cluster.node("n" + n, Profile.READ, usage);
      for (int i = 0; i < partitions; i++) {
        cluster.reads(node, "t", 100);
      }
    }
    return Layout.now(ByHand.load(cluster.seen(), SETTINGS));
  }

  /** The target is lower for the agreement, so that no candidate brings all nodes below it. */
  @Test
  void oneThatLeavesANodeUsedTooMuchGoesAfterOneThatDoesNot() {
    Layout now = usedAlike(0.9, 2, 6);
    Evaluator evaluator = new Evaluator(now.load(), now, 0.3);
    Generator.Candidate empty = new Generator.Candidate("an empty node", adding(now, 1, 0));
    Generator.Candidate even = new Generator.Candidate("a node", adding(now, 1, 2));
    assertThat(evaluator.cost(even.layout()).most()).isLessThan(0.7);
    assertThat(evaluator.cost(even.layout()).over()).isPositive();
    assertThat(evaluator.cost(even.layout()).change())
        .isGreaterThan(evaluator.cost(empty.layout()).change());

    assertThat(ranked(evaluator, now, 3, empty, even)).containsExactly("a node", "an empty node");
  }

  /** Three nodes are needed; to be a little below the target takes twelve that bring little. */
  @Test
  void nodesThatAnAgreementDoesNotNeedMustPay() {
    Layout now = usedAlike(0.75, 2, 14);
    Evaluator evaluator = new Evaluator(now.load(), now, 0.7);
    Generator.Candidate needed = new Generator.Candidate("a node", adding(now, 1, 0));
    Generator.Candidate many = new Generator.Candidate("12 nodes", adding(now, 12, 1));
    List<Generator.Candidate> all = new ArrayList<>(List.of(needed, many));
    assertThat(evaluator.cost(needed.layout()).over()).isPositive();
    assertThat(evaluator.cost(many.layout()).over()).isZero();

    assertThat(ranked(evaluator, now, 3, all.toArray(Generator.Candidate[]::new)))
        .containsExactly("a node", "12 nodes");
    assertThat(ranked(evaluator, now, 14, all.toArray(Generator.Candidate[]::new)))
        .as("where it needs so many")
        .startsWith("12 nodes");
  }

  /** With half of the full node's partitions on another one. */
  private static Layout halved(Layout now, NodeId full, NodeId other) {
    Layout then = now.copy();
    int to = ByHand.index(then, other);
    for (int item : then.on(ByHand.index(then, full)).boxed().limit(3).toList()) {
      then.move(item, to);
    }
    return then;
  }

  private static Decision.Act act(Choices.Chosen chosen) {
    return new Decision.Act(
        new Plan("p", "c", RandomCluster.NOW, "autopilot", "s", 1, chosen.actions()),
        PolicyState.INITIAL);
  }

  /** Else the plan after the one that waits would be done in its place. */
  @Test
  void wherePlansWaitOnlyWhatKeepsTheAgreementIsTried() {
    NodeId full = cluster.node("full", Profile.READ, 0.95);
    NodeId other = cluster.node("other", Profile.READ, 0);
    NodeId stuck = cluster.node("stuck", Profile.READ, 0.6);
    for (int i = 0; i < 6; i++) {
      cluster.reads(full, "t", 100);
    }
    cluster.reads(stuck, "t", 60);
    Choices.Situation situation =
        new Choices.Situation(new DecisionContext(cluster.seen(), PolicyState.INITIAL, SETTINGS));
    Generator both =
        (now, evaluator) ->
            List.of(
                new Generator.Candidate("moves", halved(now, full, other)),
                new Generator.Candidate("a node", adding(now, 1, 1)));
    Floor agreed = new Floor(4, "told", "shop needs more", "", true);

    for (Policy.Reach reach : Policy.Reach.values()) {
      List<Integer> added = new ArrayList<>();
      Policy.Veto veto =
          plan -> {
            added.add(plan.plan().actions(Action.AddNode.class).size());
            return Optional.of(new Policy.Refused("it would go back", "", reach));
          };
      Choices.Settled settled =
          new Choices(situation, situation.soon(), 0.5, List.of(both), agreed)
              .settle(OwedNodesTest::act, veto);

      assertThat(added)
          .as("%s", reach)
          .isEqualTo(reach == Policy.Reach.ONE ? List.of(1, 0) : List.of(1));
      assertThat(settled.alternatives())
          .extracting(Alternative::verdict)
          .containsOnly("refused: it would go back");
    }
  }
}
