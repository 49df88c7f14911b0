package io.trimtab.runtime.ports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * This machine's clocks, threads, processes and files. The only class of the runtime that may use
 * them; checked by an architecture test.
 */
public final class SystemPorts {
  static final MonotonicTime TIME = System::nanoTime;
  static final Waiter WAITER = new SystemWaiter();
  static final ControllerProcesses PROCESSES = new OwnProcesses();

  /** Interval of checks of the kill switch while waiting. */
  private static final Duration POLL = Duration.ofMillis(200);

  /** Actions are polled more often, since the end of one may start the next. */
  private static final long TASK_POLL_MS = 100;

  private static final Ports PORTS =
      new Ports(
          Clock.systemUTC(),
          TIME,
          WAITER,
          new Threads(Executors.newCachedThreadPool(daemons("action"))),
          Executors.newCachedThreadPool(daemons("client-reports")),
          "user " + System.getProperty("user.name"),
          version(),
          StateDir::of);

  private SystemPorts() {}

  private static String version() {
    String version = SystemPorts.class.getPackage().getImplementationVersion();
    return version == null ? "development build" : version;
  }

  /** For production. */
  public static Ports ports() {
    return PORTS;
  }

  /** Who asks something of a controller that may run on another host, for display. */
  public static String requester() {
    return PORTS.owner() + " on host " + host();
  }

  /** Not by the name service, which may be slow when something has to be stopped. */
  private static String host() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static ThreadFactory daemons(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private static final class SystemWaiter implements Waiter {
    @Override
    public boolean pause(Duration time, BooleanSupplier stop) {
      long end = System.nanoTime() + time.toNanos();
      while (!interrupted() && !stop.getAsBoolean()) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          return true;
        }
        try {
          TimeUnit.NANOSECONDS.sleep(Math.min(left, POLL.toNanos()));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return false;
    }

    @Override
    public boolean interrupted() {
      return Thread.currentThread().isInterrupted();
    }
  }

  private record Threads(ExecutorService pool) implements Workers {
    @Override
    public <R> Task<R> begin(Callable<R> work) {
      CountDownLatch left = new CountDownLatch(1);
      AtomicBoolean entered = new AtomicBoolean();
      Future<R> future =
          pool.submit(
              () -> {
                entered.set(true);
                try {
                  return work.call();
                } finally {
                  left.countDown();
                }
              });
      return new Submitted<>(future, entered, left);
    }
  }

  /**
   * @param entered whether its code has begun to run; if it was cancelled before, it never will
   * @param left counted down when its code has ended
   */
  private record Submitted<R>(Future<R> future, AtomicBoolean entered, CountDownLatch left)
      implements Workers.Task<R> {
    @Override
    public Optional<R> await(BooleanSupplier stop) throws ExecutionException {
      while (true) {
        try {
          return Optional.of(future.get(TASK_POLL_MS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
          if (stop.getAsBoolean()) {
            return Optional.empty();
          }
        } catch (CancellationException e) {
          return Optional.empty();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return Optional.empty();
        }
      }
    }

    @Override
    public void cancel() {
      future.cancel(true);
    }

    @Override
    public boolean ended(Duration limit) {
      if (future.isCancelled() && !entered.get()) {
        return true;
      }
      boolean interrupted = Thread.interrupted();
      try {
        return left.await(limit.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
        return left.getCount() == 0;
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private static final class OwnProcesses implements ControllerProcesses {
    @Override
    public long own() {
      return ProcessHandle.current().pid();
    }

    @Override
    public String space() {
      try {
        String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        return boot + "/" + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
      } catch (IOException e) {
        return "unknown";
      }
    }

    @Override
    public boolean alive(long id) {
      return ProcessHandle.of(id).filter(ProcessHandle::isAlive).isPresent();
    }
  }
}
