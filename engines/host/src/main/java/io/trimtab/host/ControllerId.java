package io.trimtab.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A controller's process, as it signs the lock.
 *
 * @param machine tells a running kernel, and a container's view of its processes, from every other
 * @param pid the process's number there
 * @param startedAtMs when it started, which tells it from a later one of the same number; −1 if
 *     unknown
 * @param host for people
 * @param owner for people
 */
public record ControllerId(String machine, long pid, long startedAtMs, String host, String owner) {

  public static ControllerId of(ProcessHandle process, String owner) {
    long started = started(process);
    return new ControllerId(
        machineId(), process.pid(), started, hostName(), owner.replace('\n', ' '));
  }

  private static long started(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(-1L);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }

  /** Host names repeat among containers, so the kernel's own numbers are better. */
  private static String machineId() {
    try {
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
      return boot + "/" + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    } catch (IOException e) {
      return hostName();
    }
  }

  public String text() {
    return String.join("\n", machine, Long.toString(pid), Long.toString(startedAtMs), host, owner);
  }

  /** What it can't read counts as a controller of another machine, which no one here can judge. */
  public static ControllerId parse(String text) {
    String[] lines = text.split("\n", 5);
    try {
      return new ControllerId(
          lines[0], Long.parseLong(lines[1]), Long.parseLong(lines[2]), lines[3], lines[4]);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return new ControllerId("", -1, -1, "unknown-host", text.replace('\n', ' '));
    }
  }

  /** Whether it ran on the same machine as another, and runs no more. */
  public boolean diedBeside(ControllerId other) {
    if (!machine.equals(other.machine)) {
      return false;
    }
    Optional<ProcessHandle> running = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    return running.isEmpty() || (startedAtMs >= 0 && started(running.get()) != startedAtMs);
  }

  @Override
  public String toString() {
    return owner + " (" + host + ":" + pid + ")";
  }
}
