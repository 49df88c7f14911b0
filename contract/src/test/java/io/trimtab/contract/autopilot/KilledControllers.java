package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.OtherEngine;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Controllers in processes of their own, each killed where none before it was. */
final class KilledControllers {
  private static final int MOST = 60;

  /** Controllers that start and connect while another one acts, which takes less time than that. */
  private static final int AHEAD = 2;

  private KilledControllers() {}

  /**
   * One of the controllers gets a SIGTERM instead, as where it is upgraded.
   *
   * @param after the death that it follows
   * @param when it gets it: some seconds after this is true
   */
  record Terminated(String after, BooleanSupplier when) {}

  /** Hears the last fault point after each death, while no controller acts. */
  interface Between {
    void after(String point) throws Exception;
  }

  /** As {@link #untilDone(Path, String, Path, int, Optional, Between, String...)}, all killed. */
  static List<String> untilDone(Path home, String lab, Path deaths, int expected, Between between)
      throws Exception {
    return untilDone(home, lab, deaths, expected, Optional.empty(), between);
  }

  /**
   * Controller after controller, until one comes to the plan's end alive.
   *
   * @param deaths points at which controllers have died, or are not to die, a line each
   * @param expected about how many controllers it takes; others are not started ahead
   * @param more of {@link DoomedController}'s arguments
   * @return the same with those at which one did
   */
  static List<String> untilDone(
      Path home,
      String lab,
      Path deaths,
      int expected,
      Optional<Terminated> terminated,
      Between between,
      String... more)
      throws Exception {
    List<String> args = new ArrayList<>(List.of(lab, deaths.toString()));
    args.addAll(List.of(more));
    boolean due = terminated.isPresent();
    List<Process> controllers = new ArrayList<>();
    try {
      for (int i = 0; i < MOST; i++) {
        int last = Math.max(i, Math.min(i + AHEAD, expected - 1));
        for (int next = controllers.size(); next <= last; next++) {
          controllers.add(start(home, said(home, next), args.toArray(String[]::new)));
        }
        Process controller = controllers.get(i);
        controller.getOutputStream().close();
        if (due && Files.readAllLines(deaths).contains(terminated.get().after())) {
          due = false;
          terminate(controller, terminated.get().when(), said(home, i));
          continue;
        }
        assertThat(controller.waitFor(5, TimeUnit.MINUTES)).as("a controller ends").isTrue();
        String said = Files.readString(said(home, i));
        assertThat(controller.exitValue()).as("%s", said).isEqualTo(DoomedController.DIED);
        List<String> died = Files.readAllLines(deaths);
        between.after(died.get(died.size() - 1));
        if (died.contains("plan-ended")) {
          // Nothing is left for a next one.
          return died;
        }
      }
      throw new AssertionError("no controller came to the end: " + Files.readString(deaths));
    } finally {
      controllers.forEach(Process::destroyForcibly);
    }
  }

  /** What it has begun goes on inside the database. */
  private static void terminate(Process controller, BooleanSupplier when, Path said)
      throws Exception {
    while (!when.getAsBoolean()) {
      assertThat(controller.isAlive()).as("%s", said).isTrue();
      TimeUnit.MILLISECONDS.sleep(200);
    }
    TimeUnit.SECONDS.sleep(5);
    controller.destroy();
    assertThat(controller.waitFor(1, TimeUnit.MINUTES)).as("it ends at a SIGTERM").isTrue();
    assertThat(Files.readString(said)).contains("detached: ");
  }

  private static Path said(Path home, int controller) {
    return home.resolve("controller-" + controller + ".out");
  }

  /**
   * A controller in a process of its own, which acts when its input ends.
   *
   * @param said where its output goes
   * @param args of {@link DoomedController}
   */
  static Process start(Path home, Path said, String... args) throws IOException {
    return start(DoomedController.class, home, said, args);
  }

  /** The same for another kind of controller. */
  static Process start(Class<?> main, Path home, Path said, String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dtrimtab.home=" + home,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                OtherEngine.ownClassPath(),
                main.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(said.toFile())
        .start();
  }

  /** Before and after one action of every kind, and the plan's own points. */
  static List<String> fatal(Plan plan) {
    List<String> fatal =
        new ArrayList<>(List.of("balancer-paused", "before-restore", "restored", "plan-ended"));
    Set<String> kinds = new HashSet<>();
    for (PlannedAction planned : plan.actions()) {
      if (kinds.add(planned.action().kind())) {
        fatal.add("action-started-" + planned.step());
        fatal.add("action-performed-" + planned.step());
      }
    }
    return fatal;
  }

  /** All points but these. */
  static List<String> passed(Plan plan) {
    List<String> passed = new ArrayList<>();
    for (PlannedAction planned : plan.actions()) {
      for (String moment : List.of("started", "performed", "ended")) {
        passed.add("action-" + moment + "-" + planned.step());
      }
    }
    passed.removeAll(fatal(plan));
    return passed;
  }
}
