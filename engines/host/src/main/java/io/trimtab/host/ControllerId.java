package io.trimtab.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Identifies a controller's process in the lock.
 *
 * @param machine identifies a running kernel, a container's process namespace and a user, who sees
 *     its own processes wherever /proc hides those of others; empty if unknown
 * @param pid process id on that machine
 * @param startedTicks start time in the kernel's ticks since its boot, which does not change with
 *     the wall clock and distinguishes it from a later process with the same id; −1 if unknown
 * @param host for display
 * @param owner for display
 */
public record ControllerId(String machine, long pid, long startedTicks, String host, String owner) {

  private static final long EPOCH_MS_MIN = 1_000_000_000_000L;
  private static final Path PROC = Path.of("/proc");

  public static ControllerId of(ProcessHandle process, String owner) {
    long started;
    try {
      started = started(PROC, process.pid());
    } catch (IOException e) {
      started = -1;
    }
    return new ControllerId(
        machineId(), process.pid(), started, hostName(), owner.replace('\n', ' '));
  }

  /**
   * A process's start time in ticks.
   *
   * @throws NoSuchFileException if there is no such process
   * @throws IOException if that can't be told, for want of file handles, for example
   */
  private static long started(Path proc, long pid) throws IOException {
    String stat = Files.readString(proc.resolve(pid + "/stat"));
    try {
      // The second field is the program's name in brackets, and may hold anything.
      return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
    } catch (RuntimeException e) {
      throw new IOException("not a process's state: " + stat, e);
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }

  /** Host names may be equal among containers, so the kernel's own ids are used. */
  private static String machineId() {
    try {
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
      return boot
          + "/"
          + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
          + "/"
          + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException | RuntimeException e) {
      // Nor are its processes known then.
      return "";
    }
  }

  public String text() {
    return String.join("\n", machine, Long.toString(pid), Long.toString(startedTicks), host, owner);
  }

  /** An unreadable id counts as that of a controller on another machine, whose state is unknown. */
  public static ControllerId parse(String text) {
    String[] lines = text.split("\n", 5);
    try {
      long started = Long.parseLong(lines[2]);
      // Earlier versions wrote milliseconds since 1970, which are no ticks of any machine.
      long ticks = started < EPOCH_MS_MIN ? started : -1;
      return new ControllerId(lines[0], Long.parseLong(lines[1]), ticks, lines[3], lines[4]);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return new ControllerId("", -1, -1, "unknown-host", text.replace('\n', ' '));
    }
  }

  /**
   * Whether it ran on the same machine as the other one and has ended. False where that can't be
   * told: its lock then ends by itself.
   */
  public boolean diedBeside(ControllerId other) {
    return diedBeside(other, PROC);
  }

  /**
   * @param proc where the machine's processes are listed
   */
  boolean diedBeside(ControllerId other, Path proc) {
    if (machine.isEmpty() || !machine.equals(other.machine)) {
      return false;
    }
    try {
      return started(proc, pid) != startedTicks && startedTicks >= 0;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return owner + " (" + host + ":" + pid + ")";
  }
}
