package io.trimtab.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Identifies a controller's process in the lock.
 *
 * @param machine identifies a running kernel and a container's process namespace
 * @param pid process id on that machine
 * @param startedTicks start time in the kernel's ticks since its boot, which does not change with
 *     the wall clock and distinguishes it from a later process with the same id; −1 if unknown
 * @param host for display
 * @param owner for display
 */
public record ControllerId(String machine, long pid, long startedTicks, String host, String owner) {

  private static final long EPOCH_MS_MIN = 1_000_000_000_000L;

  public static ControllerId of(ProcessHandle process, String owner) {
    long started = started(process);
    return new ControllerId(
        machineId(), process.pid(), started, hostName(), owner.replace('\n', ' '));
  }

  private static long started(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      // The second field is the program's name in brackets, and may hold anything.
      return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
    } catch (IOException | RuntimeException e) {
      return -1;
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
      return boot + "/" + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    } catch (IOException e) {
      return hostName();
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

  /** Whether it ran on the same machine as the other one and has ended. */
  public boolean diedBeside(ControllerId other) {
    if (!machine.equals(other.machine)) {
      return false;
    }
    Optional<ProcessHandle> running = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    return running.isEmpty() || (startedTicks >= 0 && started(running.get()) != startedTicks);
  }

  @Override
  public String toString() {
    return owner + " (" + host + ":" + pid + ")";
  }
}
