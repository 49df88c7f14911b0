package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.agreement.Floor;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.util.ArrayList;
import java.util.List;
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
}
