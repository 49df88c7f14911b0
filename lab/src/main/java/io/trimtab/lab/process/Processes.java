package io.trimtab.lab.process;

import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.lab.cluster.LabDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A lab's processes, by name. Who is alive is read from /proc, so any JVM can ask. */
public final class Processes {
  private static final long POLL_MS = 100;

  private final LabDir dir;

  public Processes(LabDir dir) {
    this.dir = dir;
  }

  /**
   * Starts a process that outlives this JVM; returns once its pid file is written.
   *
   * @param java the arguments of {@code java}
   */
  public void start(String process, List<String> java, List<Path> cgroups) {
    Path jvm = Path.of(System.getProperty("java.home"), "bin", "java");
    start(process, jvm, java, cgroups, Map.of());
  }

  /**
   * The same by another JVM, with more variables of its environment.
   *
   * @param jvm the program {@code java}
   * @param variables by name; {@code TRIMTAB_TIMER_SLACK_NS} sets what the name says
   */
  public void start(
      String process,
      Path jvm,
      List<String> java,
      List<Path> cgroups,
      Map<String, String> variables) {
    Path arguments = dir.run().resolve(process + ".args");
    try {
      Files.writeString(arguments, JavaCommand.argumentFile(java));
    } catch (IOException e) {
      throw new UserError(process + ": can't be started: " + e.getMessage(), e);
    }
    run(process, List.of(jvm.toString(), "@" + arguments), cgroups, variables);
  }

  /**
   * The same of any program.
   *
   * @param program with its arguments
   * @param variables by name, as above
   */
  public void run(
      String process, List<String> program, List<Path> cgroups, Map<String, String> variables) {
    List<String> command = new ArrayList<>(List.of("setsid", "sh", dir.script().toString()));
    command.addAll(List.of("start", dir.root().toString(), process));
    cgroups.forEach(folder -> command.add(folder.toString()));
    command.add("--");
    command.addAll(program);
    try {
      Files.deleteIfExists(dir.pid(process));
      Files.createDirectories(dir.tmp(process));
      ProcessBuilder builder = new ProcessBuilder(command).directory(dir.root().toFile());
      builder.environment().put("TRIMTAB_LAB", dir.root().toString());
      // With glibc's many arenas, native memory grows with the number of threads.
      builder.environment().put("MALLOC_ARENA_MAX", "2");
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      builder.environment().putAll(variables);
      builder.redirectInput(new java.io.File("/dev/null"));
      builder.redirectErrorStream(true);
      builder.redirectOutput(dir.out(process).toFile());
      Process started = builder.start();
      while (!Files.exists(dir.pid(process)) && started.isAlive()) {
        sleep(5);
      }
    } catch (IOException e) {
      throw new UserError(process + ": can't be started: " + e.getMessage(), e);
    }
  }

  /** The pid, while the process lives. */
  public OptionalLong pid(String process) {
    try {
      String[] parts = Files.readString(dir.pid(process)).strip().split(" ");
      if (parts.length == 2 && startTicks(Long.parseLong(parts[0])).equals(parts[1])) {
        return OptionalLong.of(Long.parseLong(parts[0]));
      }
      return OptionalLong.empty();
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  public boolean alive(String process) {
    return pid(process).isPresent();
  }

  /** The start time of a process in clock ticks since boot; empty text when it is gone. */
  public static String startTicks(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return fields[0].equals("Z") ? "" : fields[19];
    } catch (IOException e) {
      return "";
    }
  }

  /** Asks the process to end, and ends it by force when it has not within the limit. */
  public void stop(String process, Duration limit) {
    signal(process, false);
    if (!awaitEnd(process, limit)) {
      kill(process);
    }
    forget(process);
  }

  /** Ends the process at once. */
  public void kill(String process) {
    signal(process, true);
    awaitEnd(process, Duration.ofSeconds(30));
    forget(process);
  }

  /** A pid file without a process then means that the process ended by itself. */
  public void forget(String process) {
    try {
      Files.deleteIfExists(dir.pid(process));
    } catch (IOException e) {
      throw new UserError(dir.pid(process) + ": can't be removed: " + FileProblem.of(e), e);
    }
  }

  private void signal(String process, boolean force) {
    OptionalLong pid = pid(process);
    if (pid.isPresent()) {
      ProcessHandle.of(pid.getAsLong())
          .ifPresent(
              handle -> {
                var unused = force ? handle.destroyForcibly() : handle.destroy();
              });
    }
  }

  private boolean awaitEnd(String process, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    while (alive(process)) {
      if (System.nanoTime() > end) {
        return false;
      }
      sleep(POLL_MS);
    }
    return true;
  }

  /** Where the process writes what it does: its log or, without one, its output. */
  public Path told(String process) {
    Path log = dir.log(process);
    return log.toFile().length() > 0 ? log : dir.out(process);
  }

  /** The last lines of that file. */
  public List<String> logTail(String process, int lines) {
    Path file = told(process);
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      List<String> all = Files.readAllLines(file, StandardCharsets.UTF_8);
      return List.copyOf(all.subList(Math.max(0, all.size() - lines), all.size()));
    } catch (IOException e) {
      return List.of(file + ": can't be read: " + FileProblem.of(e));
    }
  }

  /** Waits; an interrupt ends the lab's operation. */
  public static void sleep(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted", e);
    }
  }
}
