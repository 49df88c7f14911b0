package io.trimtab.host;

import io.trimtab.engineapi.snapshot.DiskWait;
import io.trimtab.engineapi.snapshot.DiskWait.Disk;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long disks took for reads, by the kernel's counts of each disk ({@code
 * Documentation/block/stat.rst}). What waits for a control group's limit has not reached the disk,
 * and does not count; nor do writes. What is read ahead counts though nobody waits for it. A node
 * whose data are on a network's file system has no such disk: what it reads from others is all that
 * is seen.
 */
final class DiskTimes {
  private static final double MS_PER_S = 1e3;

  /** Fields of a disk's counts. */
  private static final int READS = 0;

  /** Reads that were made part of another one; control groups count them, too. */
  private static final int MERGED_READS = 1;

  private static final int READ_MS = 3;
  private static final int BUSY_MS = 9;

  private DiskTimes() {}

  /**
   * Of the disks that a node has read from.
   *
   * @param sys {@code /sys}
   * @param reads of the node, by {@code major:minor}
   * @return empty if it has read from none, or they don't tell
   */
  static Optional<DiskWait> of(Path sys, Map<String, Double> reads) throws IOException {
    Map<String, Disk> disks = new HashMap<>();
    for (Map.Entry<String, Double> of : reads.entrySet()) {
      Path folder = sys.resolve("dev/block").resolve(of.getKey());
      if (Files.exists(folder.resolve("stat")) && counts(folder) && !isMadeOfOthers(folder)) {
        disks.put(of.getKey(), disk(folder, of.getValue()));
      }
    }
    return disks.isEmpty() ? Optional.empty() : Optional.of(DiskWait.ofDisks(disks));
  }

  private static Disk disk(Path folder, double own) throws IOException {
    String[] counts = Files.readString(folder.resolve("stat")).strip().split(" +");
    return new Disk(
        own,
        Double.parseDouble(counts[READS]) + Double.parseDouble(counts[MERGED_READS]),
        Double.parseDouble(counts[READ_MS]) / MS_PER_S,
        Double.parseDouble(counts[BUSY_MS]) / MS_PER_S);
  }

  /** Counting can be switched off for a disk. */
  private static boolean counts(Path folder) throws IOException {
    Path setting = folder.resolve("queue/iostats");
    return !Files.exists(setting) || !Files.readString(setting).strip().equals("0");
  }

  /** Reads of a volume or an encrypted disk are reads of what is below it as well. */
  private static boolean isMadeOfOthers(Path folder) throws IOException {
    Path below = folder.resolve("slaves");
    if (!Files.isDirectory(below)) {
      return false;
    }
    try (DirectoryStream<Path> any = Files.newDirectoryStream(below)) {
      return any.iterator().hasNext();
    }
  }
}
