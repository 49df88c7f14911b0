package io.trimtab.host.control;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a controller's lock alive, and knows for how long it can be relied on: for two thirds of
 * the lease after the last request that the cluster answered, counted from when it was sent. A
 * process that stood still, or whose machine was suspended, so knows that the lease may be over
 * before anybody tells it. A lock that was lost is not regained. Thread-safe.
 */
public final class LockWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LockWatch.class);

  /** After this much silence the cluster may give the lock to another controller. */
  public static final Duration LEASE = Duration.ofSeconds(12);

  private static final Duration RENEWED = Duration.ofSeconds(3);
  private static final Duration STOPS_READ = Duration.ofMillis(500);

  private final Renewal renewal;
  private final LongSupplier nanos;
  private final long trustNs;
  private final ScheduledExecutorService asking;
  private long answeredAtNs;
  private boolean lost;
  private volatile Set<String> stops = Set.of();

  /** The requests that a lock's database is asked. */
  public interface Renewal {
    /**
     * Shows the cluster that the holder lives, and that it still is the holder.
     *
     * @throws LostControlException if it is not
     */
    void renew() throws EngineException;

    /** Requests to stop. */
    Set<String> stops() throws EngineException;
  }

  /**
   * Begins to renew.
   *
   * @param name of the thread
   * @param lease as the cluster has agreed to
   * @param nanos a clock that goes on while the machine is suspended ({@link SuspendAwareTime})
   * @param sentAtNs when the request was sent that acquired the lock
   */
  public LockWatch(
      String name, Renewal renewal, Duration lease, LongSupplier nanos, long sentAtNs) {
    this.renewal = renewal;
    this.nanos = nanos;
    this.trustNs = lease.toNanos() * 2 / 3;
    this.answeredAtNs = sentAtNs;
    this.asking =
        Executors.newScheduledThreadPool(
            2,
            work -> {
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
    schedule(this::renew, RENEWED);
    schedule(this::readStops, STOPS_READ);
  }

  private void schedule(Runnable work, Duration every) {
    asking.scheduleWithFixedDelay(work, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void renew() {
    try {
      long sentAtNs = nanos.getAsLong();
      renewal.renew();
      answered(sentAtNs);
    } catch (LostControlException e) {
      LOG.error("the lock was lost", e);
      lose();
    } catch (EngineException | RuntimeException e) {
      LOG.warn("the lock could not be renewed", e);
    }
  }

  private void readStops() {
    try {
      stops = renewal.stops();
    } catch (EngineException | RuntimeException e) {
      LOG.debug("stop requests could not be read", e);
    }
  }

  /** A request that was sent at this time, and showed that the lock is held, was answered. */
  public synchronized void answered(long sentAtNs) {
    answeredAtNs = Math.max(answeredAtNs, sentAtNs);
  }

  /** The lock has ended. */
  public synchronized void lose() {
    lost = true;
  }

  /** Whether the lock can be relied on; not where the time can't be told. */
  public synchronized boolean held() {
    try {
      lost |= nanos.getAsLong() - answeredAtNs >= trustNs;
    } catch (RuntimeException e) {
      LOG.error("the lock is given up: the time can't be told", e);
      lost = true;
    }
    return !lost;
  }

  public Set<String> stops() {
    return stops;
  }

  /** Ends the renewal. */
  @Override
  public void close() {
    lose();
    asking.shutdownNow();
  }
}
