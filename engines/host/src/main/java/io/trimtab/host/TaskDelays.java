package io.trimtab.host;

import io.trimtab.engineapi.snapshot.DiskWait;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long tasks have waited for block I/O, by the kernel's delay accounting. A read that a control
 * group's limit holds up counts, since the task sleeps as it does for a disk. Tasks are kept apart,
 * since one that ends takes its time along. Only tasks that were started while accounting was on
 * are accounted, so that it must be switched on before the nodes start; older ones show no wait.
 */
final class TaskDelays {
  /** Since Linux 5.14, where accounting is off unless somebody switches it on. */
  private static final String SWITCH = "sys/kernel/task_delayacct";

  private TaskDelays() {}

  /**
   * What all tasks of some processes have waited.
   *
   * @param proc {@code /proc}
   * @return empty if accounting is off, or tasks may not be read
   */
  static Optional<DiskWait> of(Path proc, Collection<Long> pids) throws IOException {
    if (pids.isEmpty() || !isOn(proc)) {
      return Optional.empty();
    }
    Map<String, Double> seconds = new HashMap<>();
    try {
      for (long pid : pids) {
        add(proc.resolve(pid + "/task"), seconds);
      }
    } catch (AccessDeniedException e) {
      return Optional.empty();
    }
    return Optional.of(new DiskWait(WaitSource.DELAY_ACCOUNTING, seconds));
  }

  private static boolean isOn(Path proc) throws IOException {
    Path setting = proc.resolve(SWITCH);
    return Files.exists(setting) && Files.readString(setting).strip().equals("1");
  }

  private static void add(Path tasks, Map<String, Double> seconds) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
      for (Path task : all) {
        add(task, task.getFileName().toString(), seconds);
      }
    } catch (NoSuchFileException | DirectoryIteratorException e) {
      // The process has ended since the group was read.
      return;
    }
  }

  private static void add(Path task, String id, Map<String, Double> seconds) throws IOException {
    try {
      ProcessStat stat = ProcessStat.read(task);
      // Numbers of tasks are used again.
      seconds.put(
          id + "@" + stat.ticks(ProcessStat.STARTED_TICKS),
          stat.seconds(ProcessStat.BLOCK_IO_DELAY_TICKS));
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      // It has ended since the folder was listed: a file that is gone, or can't be read any more.
      return;
    }
  }
}
