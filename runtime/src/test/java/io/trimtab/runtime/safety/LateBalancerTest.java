package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
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

  /** The plan that was left is done within seconds, before the request of whoever left it comes. */
  @Test
  void aLateSwitchOffOfTheControllerBeforeIsUndoneAfterItsPlanIsDone() throws Exception {
    settings = settings.with(BalancerMode.RESTORE);
    leave(here);
    cluster.faults().on(Verb.SET_BALANCER, 1, Kind.LATE, Duration.ofSeconds(8));
    assertThatThrownBy(() -> cluster.engine().setBalancer(BalancerState.PAUSED))
        .isInstanceOf(EngineException.class);

    run(here, FaultPoints.NONE);

    assertThat(ended).singleElement().asString().startsWith("done");
    cluster.clock().advance(Duration.ofMinutes(1));
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
  }
}
