package io.trimtab.experiments.latency;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** CPU time of the threads with which a JVM compiles; only the kernel tells it. */
public final class CompilerThreads {
  /** Linux counts CPU time for programs in hundredths of a second. */
  private static final double TICKS_PER_S = 100;

  private static final int NAME_MOST = 15;

  private CompilerThreads() {}

  /**
   * Of the compilers that run now.
   *
   * @param proc {@code /proc}
   * @return seconds by the thread's id
   */
  public static Map<String, Double> cpuS(Path proc, long pid) throws IOException {
    Map<String, Double> all = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(proc.resolve(pid + "/task"))) {
      for (Path thread : threads) {
        String stat = stat(thread);
        int end = stat.lastIndexOf(')');
        if (end > 0 && isCompiler(stat.substring(stat.indexOf('(') + 1, end))) {
          String[] fields = stat.substring(end + 2).split(" ");
          all.put(
              thread.getFileName().toString(),
              (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_S);
        }
      }
    }
    return all;
  }

  /** Empty for a thread that has just ended. */
  private static String stat(Path thread) throws IOException {
    try {
      return Files.readString(thread.resolve("stat"));
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("No such process")) {
        return "";
      }
      throw e;
    }
  }

  /** The kernel cuts names off. */
  private static boolean isCompiler(String name) {
    return Arrays.asList("C1 CompilerThread", "C2 CompilerThread").stream()
        .anyMatch(full -> name.startsWith(full.substring(0, NAME_MOST - 1)));
  }

  /** Seconds between two looks; of a thread that is new, all. */
  public static double between(Map<String, Double> before, Map<String, Double> after) {
    return after.entrySet().stream()
        .mapToDouble(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0.0))
        .sum();
  }
}
