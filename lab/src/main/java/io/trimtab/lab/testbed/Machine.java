package io.trimtab.lab.testbed;

import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.process.Isolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a measurement was made on, for reports. */
public final class Machine {
  /** Linux counts CPU time for programs in hundredths of a second. */
  private static final double TICKS_PER_S = 100;

  private Machine() {}

  public static String describe() {
    return "%s, %d cores, %d GiB; Linux %s; Java %s"
        .formatted(
            processor(),
            cores(),
            memoryBytes() >> 30,
            System.getProperty("os.version"),
            System.getProperty("java.version"));
  }

  public static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** 0 if Linux does not tell it. */
  public static long memoryBytes() {
    String kibibytes = value("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
    return kibibytes.isEmpty() ? 0 : Long.parseLong(kibibytes) << 10;
  }

  /** Seconds of all cores together in which they were busy, since the machine started. */
  public static double busySeconds() throws IOException {
    String[] all = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
    double ticks = 0;
    for (int i = 1; i < all.length; i++) {
      // Idle, and idle with a disk read under way; the last two are part of others.
      ticks += i == 4 || i == 5 || i > 8 ? 0 : Double.parseDouble(all[i]);
    }
    return ticks / TICKS_PER_S;
  }

  /** What bounds the reads of a lab's nodes, in words. */
  static String reads(Lab lab, int limit) {
    return lab.diskKind().equals(Isolation.MACHINES_DISK)
        ? limit + " reads/s from disk"
        : "a disk " + lab.diskKind();
  }

  static String processor() {
    return value("/proc/cpuinfo", "model name");
  }

  /** The value of the first {@code key : value} line; empty where there is none. */
  private static String value(String file, String key) {
    try (var lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
