package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A controller in a process of its own that stands still within a plan until its session with the
 * cluster has ended, and wakes up while another controller is in charge.
 */
final class FrozenController {
  /** Sessions end after 20 to 30 s without a sign of life. */
  private static final int SECONDS = 120;

  private FrozenController() {}

  /**
   * Returns once it has ended by itself, and nobody is in charge.
   *
   * @param at the point of the plan at which it freezes
   */
  static void losesControl(Path home, String lab, Engine engine, String at) throws Exception {
    Path said = home.resolve("frozen.out");
    Process controller =
        KilledControllers.start(home, said, lab, home.resolve("no-deaths").toString(), at);
    try {
      controller.getOutputStream().close();
      for (int i = 0; !stopped(controller); i++) {
        assertThat(i < SECONDS && controller.isAlive())
            .as("it freezes at %s: %s", at, Files.readString(said))
            .isTrue();
        TimeUnit.SECONDS.sleep(1);
      }
      try (ControlLock lock = takeControl(engine)) {
        signal(controller, "-CONT");
        assertThat(controller.waitFor(SECONDS, TimeUnit.SECONDS))
            .as("it ends without control: %s", Files.readString(said))
            .isTrue();
        assertThat(lock.held()).isTrue();
      }
    } finally {
      controller.destroyForcibly();
    }
  }

  /** The control of a controller that lives is not to be had before its session has ended. */
  private static ControlLock takeControl(Engine engine) throws Exception {
    for (int i = 0; ; i++) {
      try {
        return engine.takeControl("second");
      } catch (EngineException e) {
        assertThat(e).hasMessageContaining("another controller is in charge");
        assertThat(i).as("seconds after which a session has ended").isLessThan(SECONDS);
        TimeUnit.SECONDS.sleep(1);
      }
    }
  }

  private static boolean stopped(Process process) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
  }

  private static void signal(Process process, String signal) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, "" + process.pid()).start().waitFor()).isZero();
  }
}
