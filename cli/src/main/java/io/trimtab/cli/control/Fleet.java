package io.trimtab.cli.control;

import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.fleet.SharedUsage;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.SystemPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Several clusters under one controller, each with settings, journal, lock and thread of its own:
 * one that is sick, or away, is tried again and again and never holds up the others. What each uses
 * of machines that they share is known to all.
 */
public final class Fleet {
  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final long POLL_MS = 200;

  private final List<FleetFile.FleetMember> members;
  private final SharedUsage machines;
  private final Terminal terminal;
  private final Duration again;
  private final Connection connection;
  private final Map<String, ControlLoop> loops = new ConcurrentHashMap<>();
  private final Map<String, Optional<NodeProvider>> providers = new ConcurrentHashMap<>();
  private volatile boolean stopped;
  private volatile boolean wrong;

  /** How a cluster is reached. */
  @FunctionalInterface
  interface Connection {
    Engine to(FleetFile.FleetMember member) throws EngineException;
  }

  /**
   * @throws UserError naming the file, if one that it names is invalid
   */
  public Fleet(FleetFile file, Terminal terminal) {
    this(file, terminal, AGAIN);
  }

  /**
   * @param again time between two tries to reach a cluster
   * @throws UserError naming the file, if one that it names is invalid
   */
  public Fleet(FleetFile file, Terminal terminal, Duration again) {
    this(file, terminal, again, member -> member.choice().connect());
  }

  Fleet(FleetFile file, Terminal terminal, Duration again, Connection connection) {
    this.connection = connection;
    this.members = file.checked();
    this.machines = new SharedUsage(file.shared().map());
    this.terminal = terminal;
    this.again = again;
  }

  /** Whether the last plan of any cluster {@link PlanOutcome#wentWrong went wrong}. */
  public boolean wentWrong() {
    return wrong;
  }

  /** Asks all to end, from another thread. */
  public void stop() {
    stopped = true;
    loops.values().forEach(ControlLoop::stop);
  }

  /** Returns when every cluster's autopilot has been asked to end, or has had its plans. */
  public void run(boolean act, int plans, boolean abandon, boolean standby)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (FleetFile.FleetMember member : members) {
      Thread thread =
          new Thread(() -> look(member, act, plans, abandon, standby), "fleet-" + member.name());
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void look(
      FleetFile.FleetMember member, boolean act, int plans, boolean abandon, boolean standby) {
    Narrator narrator = new Narrator(terminal, member.name() + ": ");
    SharedUsage.Member part = machines.member(member.name());
    while (!stopped) {
      String problem;
      try (Engine engine = connection.to(member)) {
        Optional<NodeProvider> provider = provider(member, narrator);
        ControlLoop loop =
            new ControlLoop(
                engine,
                provider,
                member.settings(),
                narrator,
                SystemPorts.ports(),
                FaultPoints.NONE,
                part);
        loops.put(member.name(), loop);
        if (stopped) {
          return;
        }
        narrator.say(
            "%s, policy %s", act ? "acting" : "dry run", member.settings().policy().name());
        RunCommand.warnings(act, member.settings()).forEach(line -> narrator.say("%s", line));
        provider
            .flatMap(starts -> RunCommand.warning(starts.offer(), member.settings()))
            .ifPresent(line -> narrator.say("%s", line));
        Optional<Executor.Outcome> last = loop.run(act, plans, abandon, standby);
        last.filter(outcome -> outcome.how() == PlanOutcome.UNFINISHED)
            .ifPresent(outcome -> narrator.say("%s", outcome.why()));
        if (last.filter(outcome -> outcome.how().wentWrong(plans)).isPresent()) {
          wrong = true;
        }
        if (plans > 0 || loop.endedOnRequest()) {
          narrator.say("has ended");
          return;
        }
        problem = "the cluster was lost";
      } catch (EngineException | UserError e) {
        problem = e.getMessage();
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        // A bug that one cluster brings to light is no reason to leave the others alone.
        problem = "an error of the program: " + e;
      } catch (VirtualMachineError e) {
        // Nobody can tell what of the process still works: its supervisor starts another.
        wrong = true;
        narrator.say("an error of the program: %s; the autopilot ends for all clusters", e);
        stop();
        return;
      } finally {
        loops.remove(member.name());
      }
      String counted = part.unseen().map(how -> "; " + how).orElse("");
      narrator.say("%s; trying again in %d s%s", problem, again.toSeconds(), counted);
      pause();
    }
  }

  /** Made once, since it may keep connections and threads as long as the program runs. */
  private Optional<NodeProvider> provider(FleetFile.FleetMember member, Narrator narrator) {
    Optional<NodeProvider> known = providers.get(member.name());
    if (known != null) {
      return known;
    }
    Optional<NodeProvider> made = member.choice().provider(line -> narrator.say("%s", line));
    providers.put(member.name(), made);
    return made;
  }

  private void pause() {
    long endNs = System.nanoTime() + again.toNanos();
    try {
      while (!stopped && System.nanoTime() - endNs < 0) {
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopped = true;
    }
  }
}
