package io.trimtab.contract.autopilot;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.SystemPorts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A controller in a process of its own that waits for control and takes over. It connects, and
 * begins when it reads anything or the end of its input. It prints what it does, each line after
 * the milliseconds since 1970, and gives every action time, so that a plan takes a while.
 */
public final class StandbyController {
  private static final long ACTION_MS = 700;

  private StandbyController() {}

  /**
   * @param args name of the lab; if wanted, a port on this machine through which it reaches an
   *     HBase cluster's ZooKeeper
   */
  public static void main(String[] args) throws Exception {
    Lab lab = Lab.attach(args[0]);
    try (Engine engine = args.length > 1 ? through(args[0], args[1]) : lab.engine()) {
      DoomedController.warmUp(engine);
      say("ready");
      System.in.read();
      ControlLoop loop =
          new ControlLoop(
              engine,
              Optional.of(lab.provider()),
              settings(),
              new Saying(),
              SystemPorts.ports(),
              slowly(ACTION_MS));
      loop.run(true, 0, false, true);
      say("end");
    } catch (Exception e) {
      say("failed: " + e);
      throw e;
    }
  }

  private static Engine through(String lab, String port) throws Exception {
    Map<String, String> client = new HashMap<>(HBaseLab.attach(lab).clientProperties());
    client.put("hbase.zookeeper.quorum", "127.0.0.1");
    client.put("hbase.zookeeper.property.clientPort", port);
    return HBaseEngine.connect(HBaseContact.of(client));
  }

  /** It continues what it finds, and begins nothing of its own. */
  private static Settings settings() {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build())
        .with(
            GuardSettings.builder()
                .cooldown(Duration.ofHours(1))
                .actionLimit(Duration.ofMinutes(3))
                .build())
        .with(Policies.TIRAMOLA);
  }

  /** Gives every action so many milliseconds before it is done. */
  public static FaultPoints slowly(long leastMs) {
    return point -> {
      if (point.startsWith("action-started-")) {
        try {
          TimeUnit.MILLISECONDS.sleep(leastMs);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }

  private static void say(String text) {
    System.out.println(System.currentTimeMillis() + " " + text);
  }

  private static final class Saying implements LoopListener {
    @Override
    public void waiting(String why) {
      say("waiting");
    }

    @Override
    public void sampled(int samples, int needed) {
      if (samples == 1) {
        say("idle");
      }
    }

    @Override
    public void started(PlannedAction action, int of) {
      say("started " + action.step());
    }

    @Override
    public void ended(PlannedAction action, int of, ActionOutcome outcome, String detail) {
      say(outcome + " " + action.step());
    }

    @Override
    public void planEnded(Plan plan, PlanOutcome outcome, String why) {
      say("plan " + outcome + ": " + why);
    }
  }
}
