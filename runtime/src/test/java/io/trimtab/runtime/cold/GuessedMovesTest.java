package io.trimtab.runtime.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A cluster that was not watched before, so that the first plan goes by requests alone, without a
 * cooldown after it. Of two nodes one has too much; only one of its two partitions may move. After
 * the plan the other node seems to have too much for a while.
 */
@Timeout(60)
class GuessedMovesTest {
  private static final Duration JUDGED_AFTER = Duration.ofMinutes(5);

  private static final Settings SETTINGS =
      ColdCluster.SETTINGS
          .with(new TableSettings(null, List.of("stays", "other")))
          .with(Policies.AUTOPILOT);

  /** For how long after the first plan the load is another one. */
  private Duration lasting = Duration.ZERO;

  private final ColdCluster all =
      new ColdCluster(
          ClusterSpec.assigned(
              1,
              2,
              table("stays", reads(6_500, 1_000)),
              table("other", reads(500, 6_500)),
              table("moves", reads(4_500, 4_500))));

  private final NodeId first = all.node(0);
  private final NodeId second = all.node(1);
  private final List<Double> moving = new ArrayList<>();

  private LoadScript reads(double usual, double meanwhile) {
    return seconds ->
        Access.reads(
            seconds >= all.after && seconds < all.after + lasting.toSeconds() ? meanwhile : usual);
  }

  private static TableSpec table(String name, LoadScript load) {
    return TableSpec.of(name, 1, 64 << 20, Access.NONE).with(load);
  }

  /** Runs a controller until some time after its first plan. */
  private void run(Duration rest) throws EngineException {
    // Until then its nodes tell nothing of their caches, so that no costs are learned.
    all.seen = seen -> all.plans.isEmpty() ? ColdCluster.untold(seen) : seen;
    all.atPlan =
        plan -> {
          if (!plan.actions(Action.Move.class).isEmpty()) {
            moving.add(all.seconds());
          }
        };
    // Or ten minutes after its start, if it makes no plan.
    all.run(SETTINGS, true, () -> all.seconds() >= Math.min(all.after, 600) + rest.toSeconds());
  }

  private NodeId servesWhatMoves() {
    return all.cluster.truth().partitions().stream()
        .filter(partition -> partition.id().table().equals("moves"))
        .findFirst()
        .flatMap(partition -> partition.node())
        .orElseThrow();
  }

  private void assertFirstWentByRequestsAlone() {
    assertThat(all.plans).as("plans; held: %s", all.held).isNotEmpty();
    assertThat(all.plans.get(0).summary()).contains("predicted from requests alone");
  }

  @Test
  void whatRequestsAloneHaveMovedIsNotMovedBackBecauseOfHowItLooksAtFirst() throws Exception {
    lasting = Duration.ofMinutes(2);
    assertThat(servesWhatMoves()).isEqualTo(first);

    run(JUDGED_AFTER.plusMinutes(3));

    assertFirstWentByRequestsAlone();
    assertThat(all.held)
        .as("while it looked wrong")
        .anyMatch(
            why ->
                why.startsWith("guard: partition moves/")
                    && why.contains(" would go back to node " + first));
    assertThat(all.cluster.faults().calls(Verb.MOVE)).as("%s", all.plans).isEqualTo(1);
    assertThat(servesWhatMoves()).isEqualTo(second);
  }

  /** So a guess that was wrong is put right, by what is known then. */
  @Test
  void whatStillLooksWrongThenGoesBack() throws Exception {
    lasting = Duration.ofHours(1);

    run(JUDGED_AFTER.plusMinutes(3));

    assertFirstWentByRequestsAlone();
    assertThat(all.cluster.faults().calls(Verb.MOVE)).as("held: %s", all.held).isEqualTo(2);
    assertThat(servesWhatMoves()).isEqualTo(first);
    assertThat(moving).hasSize(2);
    assertThat(moving.get(1) - all.after)
        .isBetween(JUDGED_AFTER.toSeconds() - 2.0, JUDGED_AFTER.toSeconds() + 60.0);
  }
}
