package io.trimtab.host.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Nanoseconds since an arbitrary moment, monotonic, also counting the time in which the machine was
 * suspended, which {@link System#nanoTime} on Linux does not: a lease goes on meanwhile. Read from
 * the kernel's uptime, to 10 ms; where there is none, from another clock.
 */
public final class SuspendAwareTime implements LongSupplier {
  private final Path uptime;
  private final LongSupplier otherwise;

  /**
   * @param proc {@code /proc}
   * @param otherwise used where there is no {@code /proc/uptime}
   */
  public SuspendAwareTime(Path proc, LongSupplier otherwise) {
    this.uptime = Files.isReadable(proc.resolve("uptime")) ? proc.resolve("uptime") : null;
    this.otherwise = otherwise;
  }

  @Override
  public long getAsLong() {
    if (uptime == null) {
      return otherwise.getAsLong();
    }
    try {
      String seconds = Files.readString(uptime).split(" ", 2)[0];
      return (long) (Double.parseDouble(seconds) * 1e9);
    } catch (IOException | NumberFormatException e) {
      throw new IllegalStateException(uptime + " can't be read: " + e.getMessage(), e);
    }
  }
}
