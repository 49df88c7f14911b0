package io.trimtab.contract.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the kernel tells of this machine; ticks and milliseconds since it started.
 *
 * @param ticks of all kinds, of all cores
 * @param memoryUsedBytes without what programs could have
 * @param diskBusyMs by device, without those in memory
 */
record MachineFigures(
    long atNs,
    double userTicks,
    double systemTicks,
    double waitTicks,
    double ticks,
    int cores,
    long memoryBytes,
    long memoryUsedBytes,
    Map<String, Long> diskBusyMs) {
  private static final Path PROC = Path.of("/proc");

  static MachineFigures read() throws IOException {
    List<String> stat = Files.readAllLines(PROC.resolve("stat"));
    // user nice system idle iowait irq softirq steal; what comes then is in user and nice already.
    double[] of =
        Arrays.stream(stat.get(0).split(" +"))
            .skip(1)
            .limit(8)
            .mapToDouble(Double::parseDouble)
            .toArray();
    Map<String, Long> memory = memory();
    return new MachineFigures(
        System.nanoTime(),
        of[0] + of[1],
        of[2] + of[5] + of[6],
        of[4],
        Arrays.stream(of).sum(),
        (int) stat.stream().filter(line -> line.matches("cpu\\d+ .*")).count(),
        memory.get("MemTotal"),
        memory.get("MemTotal") - memory.get("MemAvailable"),
        disks());
  }

  private static Map<String, Long> memory() throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    for (String line : Files.readAllLines(PROC.resolve("meminfo"))) {
      String[] words = line.split("[: ]+");
      bytes.put(words[0], 1024 * Long.parseLong(words[1]));
    }
    return bytes;
  }

  private static Map<String, Long> disks() throws IOException {
    Map<String, Long> busyMs = new TreeMap<>();
    for (String line : Files.readAllLines(PROC.resolve("diskstats"))) {
      String[] words = line.strip().split(" +");
      if (!words[2].matches("(ram|loop|fd)\\d+")) {
        busyMs.put(words[2], Long.parseLong(words[12]));
      }
    }
    return busyMs;
  }

  /** Share of all cores in user mode since then. */
  double user(MachineFigures before) {
    return (userTicks - before.userTicks) / (ticks - before.ticks);
  }

  /** Share of all cores in the kernel since then. */
  double system(MachineFigures before) {
    return (systemTicks - before.systemTicks) / (ticks - before.ticks);
  }

  /** Share of all cores that waited for a disk since then. */
  double ioWait(MachineFigures before) {
    return (waitTicks - before.waitTicks) / (ticks - before.ticks);
  }

  /** Share of the time since then in which the busiest disk was busy; 0 without disks. */
  double diskBusy(MachineFigures before) {
    double elapsedMs = (atNs - before.atNs) / 1e6;
    return diskBusyMs.entrySet().stream()
        .mapToDouble(disk -> disk.getValue() - before.diskBusyMs.getOrDefault(disk.getKey(), 0L))
        .map(busyMs -> busyMs / elapsedMs)
        .max()
        .orElse(0);
  }
}
