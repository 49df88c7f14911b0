package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A mass failure during a plan ends it: what is left may be all that there is of the data. */
class BrakeTest extends SafetyFixture {
  BrakeTest() {
    super(ClusterSpec.ring(1, 4, 2, TableSpec.of("k.t", 3, 1L << 30, Access.reads(100))));
  }

  @Test
  void aPlanEndsWhenHalfOfTheNodesDie() throws Exception {
    List<NodeId> nodes = cluster.engine().snapshot().nodes().stream().map(NodeState::id).toList();
    leave(
        here,
        plan(
            new Action.Cleanup(nodes.get(0)),
            new Action.Cleanup(nodes.get(1)),
            new Action.Cleanup(nodes.get(0))));

    run(
        here,
        point -> {
          if (point.equals("action-ended-1")) {
            cluster.kill(nodes.get(2));
            cluster.kill(nodes.get(3));
          }
        });

    assertThat(ended)
        .singleElement()
        .asString()
        .startsWith("abandoned: ")
        .contains("2 of 4 nodes look unhealthy at the same time (guard.badNodesMax)");
    assertThat(here.recorded()).filteredOn(Entry.ActionStarted.class::isInstance).hasSize(1);
  }
}
