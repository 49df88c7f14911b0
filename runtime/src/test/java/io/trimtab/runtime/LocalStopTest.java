package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.runtime.ports.StateDir;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A stop without the cluster's address, which asks all autopilots of this user on this machine. */
class LocalStopTest extends LoopFixture {
  private ControlLoop waiting(Runnable whileItWaits) {
    LoopListener listener =
        new LoopListener() {
          @Override
          public void waiting(String why) {
            whileItWaits.run();
          }
        };
    return new ControlLoop(
        engine, Optional.empty(), Settings.defaults(), listener, ports, FaultPoints.NONE);
  }

  @Test
  void oneThatWaitsEndsAndDoesNotTakeOverFromTheOneThatEndsFirst() throws Exception {
    StateDir holding = StateDir.of("fake");
    holding.register();
    ControlLock lock = engine.takeControl("somebody");
    ControlLoop standby =
        waiting(
            () -> {
              StateDir.StopRequest request = StateDir.of("fake").requestStop(false);
              assertThat(request.controllers()).hasSize(2);
              lock.close();
              holding.unregister();
            });

    assertThat(standby.run(true, 0, false, true)).isEmpty();

    assertThat(standby.endedOnRequest()).isTrue();
    assertThat(engine.verbs).isEmpty();
    assertThat(journal()).isEmpty();
    assertThat(StateDir.of("fake").runningController()).isEmpty();
  }

  @Test
  void oneThatIsRefusedTakesNobodysRegistrationAway() throws Exception {
    StateDir holding = StateDir.of("fake");
    holding.register();
    try (ControlLock lock = engine.takeControl("somebody")) {
      assertThatThrownBy(() -> loop().run(true, 1, false))
          .isInstanceOf(ControlTakenException.class);
      assertThat(lock.held()).isTrue();
    }
    assertThat(StateDir.of("fake").runningControllers()).hasSize(1);
    holding.unregister();
  }
}
