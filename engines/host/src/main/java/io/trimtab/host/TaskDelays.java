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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long tasks have waited for block I/O, by the kernel's delay accounting. A read that a control
 * group's limit holds up counts, since the task sleeps as it does for a disk. Tasks are kept apart,
 * since one that ends takes its time along. Only tasks that were started while accounting was on
 * are accounted, so that it must be switched on before the nodes start; older ones show no wait.
 *
 * <p>Since Linux 6.12 a task that is about to sleep may stay in its run queue for a while. When it
 * is taken out, the beginning of its wait is noted for the task that runs then ({@code
 * __block_task} of {@code kernel/sched/sched.h}), and what is added as it wakes up is the time
 * since an earlier wait: seconds for a read of milliseconds. So nothing is taken from such kernels.
 */
public final class TaskDelays {
  /** {@code 6.12.9-amd64}. */
  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");

  /** The first release that accounts waits wrongly, major and minor. */
  private static final int WRONG_SINCE = 6 * 1000 + 12;

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
    if (pids.isEmpty() || !isOn(proc) || !isRight(proc)) {
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

  /** Whether the kernel accounts waits as they are; also where it does not tell its release. */
  public static boolean isRight(Path proc) throws IOException {
    Path release = proc.resolve("sys/kernel/osrelease");
    if (!Files.exists(release)) {
      return true;
    }
    Matcher its = RELEASE.matcher(Files.readString(release).strip());
    return !its.matches()
        || 1000 * Integer.parseInt(its.group(1)) + Integer.parseInt(its.group(2)) < WRONG_SINCE;
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
