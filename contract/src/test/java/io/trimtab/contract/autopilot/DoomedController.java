package io.trimtab.contract.autopilot;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.SystemPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;

/**
 * A controller in a process of its own that dies, as by {@code kill -9}, at the first fault point
 * at which none before it has died. It connects, and takes control when it reads anything or the
 * end of its input. It ends with 0 when it comes to the plan's end alive.
 */
final class DoomedController {
  static final int DIED = 137;
  private static final long ORDERLY_MS = 60_000;

  private DoomedController() {}

  /**
   * @param args name of the lab; file with the points at which controllers have died, a line each;
   *     where the policy autopilot is to decide, how many nodes it keeps
   */
  public static void main(String[] args) throws Exception {
    Lab lab = Lab.attach(args[0]);
    Path deaths = Path.of(args[1]);
    try (Engine engine = lab.engine()) {
      warmUp(engine);
      System.in.read();
      ControlLoop[] loop = new ControlLoop[1];
      LoopListener listener =
          new LoopListener() {
            @Override
            public void planEnded(Plan plan, PlanOutcome outcome, String why) {
              System.out.println(outcome + ": " + why);
              loop[0].stop();
            }
          };
      loop[0] =
          new ControlLoop(
              engine,
              Optional.of(lab.provider()),
              args.length > 2 ? TightNodes.keeping(Integer.parseInt(args[2])) : settings(),
              listener,
              SystemPorts.ports(),
              dying(deaths));
      Thread acting = Thread.currentThread();
      // As `trimtab run` ends at a SIGTERM; one that dies runs no hooks.
      Runtime.getRuntime().addShutdownHook(new Thread(() -> orderly(loop[0], acting)));
      loop[0].run(true, 0, false);
    }
  }

  /** Looks once while another one acts: what is loaded and waited for then is not afterwards. */
  static void warmUp(Engine engine) {
    try {
      ClusterSnapshot unused = engine.snapshot();
    } catch (EngineException e) {
      System.out.println("not looked at ahead: " + e.getMessage());
    }
  }

  private static void orderly(ControlLoop loop, Thread acting) {
    loop.stop();
    try {
      acting.join(ORDERLY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static Settings settings() {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build())
        .with(
            GuardSettings.builder()
                .cooldown(Duration.ZERO)
                .actionLimit(Duration.ofMinutes(3))
                .build())
        .with(HealthSettings.builder().replaceAfter(Duration.ofSeconds(1)).build())
        .with(Policies.TIRAMOLA);
  }

  private static FaultPoints dying(Path deaths) {
    return point -> {
      try {
        if (!Files.readAllLines(deaths).contains(point)) {
          Files.writeString(
              deaths, point + "\n", StandardOpenOption.APPEND, StandardOpenOption.SYNC);
          Runtime.getRuntime().halt(DIED);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }
}
