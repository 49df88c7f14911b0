package io.trimtab.lab.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a measurement was made on, for reports. */
public final class Machine {
  private Machine() {}

  public static String describe() {
    long memory =
        value("/proc/meminfo", "MemTotal").isEmpty()
            ? 0
            : Long.parseLong(value("/proc/meminfo", "MemTotal").replaceAll("\\D", "")) / (1 << 20);
    return "%s, %d cores, %d GiB; Linux %s; Java %s"
        .formatted(
            processor(),
            java.lang.Runtime.getRuntime().availableProcessors(),
            memory,
            System.getProperty("os.version"),
            System.getProperty("java.version"));
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
