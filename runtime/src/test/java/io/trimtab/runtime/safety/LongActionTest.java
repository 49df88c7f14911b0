package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A node of a ring that streams for hours joins in one try. */
class LongActionTest extends SafetyFixture {
  LongActionTest() {
    super(ClusterSpec.ring(1, 3, 2, TableSpec.of("k.t", 3, 3L << 40, Access.reads(100))));
  }

  @Test
  void aNodeHasTheTimeToStreamItsData() throws Exception {
    settings = settings.with(GuardSettings.builder().maxNodes(4).build());
    leave(here, plan(new Action.AddNode(1, Profile.HOMOGENEOUS)));
    Instant begun = cluster.clock().instant();

    run(here, FaultPoints.NONE);

    assertThat(ended).containsExactly("done: every action has ended");
    assertThat(cluster.faults().calls(Verb.AWAIT_NODE)).as("tries").isEqualTo(1);
    assertThat(Duration.between(begun, cluster.clock().instant()))
        .isGreaterThan(settings.guard().actionLimit().multipliedBy(3));
  }
}
