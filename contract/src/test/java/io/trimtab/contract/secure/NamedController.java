package io.trimtab.contract.secure;

import io.trimtab.cli.control.Narrator;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Log;
import io.trimtab.clikit.Terminal;
import io.trimtab.contract.autopilot.StandbyController;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.ports.SystemPorts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The autopilot of a named connection, as {@code trimtab run --act --plans 1} starts it, which goes
 * on with the plan that it finds. It takes its time for each action, or dies at a point.
 */
final class NamedController {
  /** As by {@code kill -9}. */
  static final int DIED = 137;

  /** A point that is never reached. */
  static final String NOWHERE = "nowhere";

  private NamedController() {}

  /**
   * @param args the point at which it dies; least milliseconds of each action; a cluster, as typed
   *     on the command line
   */
  public static void main(String[] args) throws Exception {
    Log.start(true);
    String end = args[0];
    long leastMs = Long.parseLong(args[1]);
    ClusterChoice choice = ClusterChoice.of(List.of(args).subList(2, args.length));
    boolean done;
    try (Engine engine = choice.connect()) {
      ControlLoop loop =
          new ControlLoop(
              engine,
              choice.provider(notice -> {}),
              settings(),
              new Narrator(Terminal.system(), ""),
              SystemPorts.ports(),
              faults(end, leastMs));
      Optional<Executor.Outcome> outcome = loop.run(true, 1, false);
      done = outcome.filter(Executor.Outcome::done).isPresent();
      System.out.println("outcome: " + outcome);
    }
    // Clients' threads would keep the process alive.
    System.exit(done ? 0 : 1);
  }

  private static Settings settings() {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build())
        .with(
            GuardSettings.builder()
                .cooldown(Duration.ZERO)
                .actionLimit(Duration.ofMinutes(3))
                .build());
  }

  private static FaultPoints faults(String end, long leastMs) {
    FaultPoints slowly = StandbyController.slowly(leastMs);
    return point -> {
      if (point.equals(end)) {
        Runtime.getRuntime().halt(DIED);
      }
      slowly.reached(point);
    };
  }
}
