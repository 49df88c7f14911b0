package io.trimtab.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine's memory. */
public final class Memory {
  private Memory() {}

  /** What new processes could take, bytes; without bounds where Linux does not tell. */
  public static long availableBytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
        if (line.startsWith("MemAvailable:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
      return Long.MAX_VALUE;
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }
}
