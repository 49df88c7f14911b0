package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A request that was given up may take effect after it; the engine's balancing ends as it was. */
class LateBalancerTest extends SafetyFixture {
  private static final BalancerState ON = new BalancerState(true, true);

  @Test
  void aSwitchOffBetweenPlansThatTakesEffectLateIsUndone() throws Exception {
    leave(here);
    run(here, FaultPoints.NONE);
    assertThat(ended).singleElement().asString().startsWith("done");
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
    cluster.faults().on(Verb.SET_BALANCER, 1, Kind.LATE);

    run(here, FaultPoints.NONE);

    assertThat(held).isNotEmpty();
    cluster.clock().advance(Duration.ofMinutes(1));
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
  }

  @Test
  void aSwitchOffAfterAPlanThatTakesEffectLateIsUndone() throws Exception {
    leave(here);
    // Off before the plan, and again after it, where it stays off between plans.
    cluster.faults().on(Verb.SET_BALANCER, 1, Kind.LATE);

    run(here, FaultPoints.NONE);

    cluster.clock().advance(Duration.ofMinutes(1));
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
  }
}
