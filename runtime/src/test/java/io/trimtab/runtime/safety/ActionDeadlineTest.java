package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The limit of an action is that of all its tries and parts together. */
class ActionDeadlineTest extends SafetyFixture {
  /** How long the first action takes until the plan is given up. */
  private Duration untilItFails() throws Exception {
    Instant[] begun = new Instant[1];
    Instant[] given = new Instant[1];
    FaultPoints points =
        point -> {
          if (point.equals("action-started-1")) {
            begun[0] = cluster.clock().instant();
          } else if (point.equals("before-restore")) {
            given[0] = cluster.clock().instant();
          }
        };
    run(here, points);
    assertThat(ended).singleElement().asString().startsWith("abandoned");
    return Duration.between(begun[0], given[0]);
  }

  @Test
  void triesThatHangHaveOneLimitTogether() throws Exception {
    leave(here);
    cluster.faults().always(Verb.MOVE, Kind.HANG);

    assertThat(untilItFails()).isLessThanOrEqualTo(settings.guard().actionLimit());
  }

  @Test
  void aTryAfterOneThatFailsLateHasTheTimeThatIsLeft() throws Exception {
    leave(here, plan(new Action.AddNode(1, Profile.HOMOGENEOUS)));
    // It takes six of ten minutes until the process runs; then it never serves.
    cluster.faults().on(Verb.ADD, 1, Kind.SLOW, Duration.ofMinutes(6));
    cluster.faults().always(Verb.AWAIT_NODE, Kind.HANG);

    assertThat(untilItFails()).isLessThanOrEqualTo(settings.guard().actionLimit());
    assertThat(cluster.faults().calls(Verb.AWAIT_NODE)).isEqualTo(1);
  }

  @Test
  void whatFailsAtOnceIsTriedAgain() throws Exception {
    leave(here);
    cluster.faults().on(Verb.MOVE, 1, Kind.FAIL).on(Verb.MOVE, 2, Kind.FAIL);

    run(here, FaultPoints.NONE);

    assertThat(ended).singleElement().asString().startsWith("done");
    assertThat(moves()).isEqualTo(MOVES + 2);
  }
}
