package io.trimtab.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Tenants at work: until stopped, for a duration, or until their operations have ended. */
public final class WorkloadRun implements AutoCloseable {
  /** Its multiples lie apart, however many there are. */
  private static final double GOLDEN = 0.618_033_988_7;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(65);

  private final Map<String, TenantRun> tenants = new LinkedHashMap<>();
  private final Map<String, Histogram> histograms = new LinkedHashMap<>();
  private final Map<String, Histogram> window = new LinkedHashMap<>();
  private final Map<String, long[]> last = new LinkedHashMap<>();
  private final List<Sample> samples = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Duration duration;
  private final Consumer<List<Sample>> listener;
  private final LatencyListener latencies;
  private final long startNanos;
  private volatile boolean stopped;
  private volatile long endNanos;

  /** What a listener has thrown, which ended the run; null where none has. */
  private volatile RuntimeException failed;

  private WorkloadRun(
      WorkloadSpec spec,
      Target target,
      Map<String, AcknowledgedWrites> ledgers,
      Consumer<List<Sample>> listener,
      LatencyListener latencies) {
    this.duration = spec.duration();
    this.listener = listener;
    this.latencies = latencies;
    for (TenantSpec tenant : spec.tenants()) {
      tenants.put(tenant.name(), new TenantRun(tenant, target, ledgers.get(tenant.name())));
      histograms.put(tenant.name(), new Histogram(3));
      window.put(tenant.name(), new Histogram(3));
      last.put(tenant.name(), new long[5]);
    }
    // Large tables take seconds until then.
    startNanos = System.nanoTime();
    int number = 0;
    for (TenantRun run : tenants.values()) {
      prepare(run, number++ * GOLDEN % 1, spec.rampUp());
    }
    Thread clock = new Thread(this::count, "workload-clock");
    clock.setDaemon(true);
    threads.forEach(Thread::start);
    clock.start();
  }

  private void prepare(TenantRun run, double phase, Duration rampUp) {
    int all = run.spec.threads();
    for (int i = 0; i < all; i++) {
      int index = i;
      long begin = startNanos + rampUp.toNanos() * i / all;
      Thread thread =
          new Thread(() -> run.work(index, phase, begin), "tenant-" + run.spec.name() + "-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  /**
   * Starts a run.
   *
   * @param ledgers by tenant, from {@link Loader} or {@link #ledgers(WorkloadSpec)}
   * @param listener hears each second's samples; must be quick
   */
  public static WorkloadRun start(
      WorkloadSpec spec,
      Target target,
      Map<String, AcknowledgedWrites> ledgers,
      Consumer<List<Sample>> listener) {
    return start(spec, target, ledgers, listener, (tenant, ofSecond) -> {});
  }

  /**
   * Starts a run.
   *
   * @param latencies hears each tenant's latencies of a second, in microseconds, before the
   *     listener hears the second's samples; must be quick
   */
  public static WorkloadRun start(
      WorkloadSpec spec,
      Target target,
      Map<String, AcknowledgedWrites> ledgers,
      Consumer<List<Sample>> listener,
      LatencyListener latencies) {
    return new WorkloadRun(spec, target, ledgers, listener, latencies);
  }

  /** Stops one tenant; the others go on. */
  public void stopTenant(String name) {
    tenants.get(name).stop();
  }

  /**
   * Bounds what a tenant asks for, on top of its own target rate.
   *
   * @param perSecond operations of all its threads, &gt; 0; infinite for no bound
   */
  public void admit(String tenant, double perSecond) {
    tenants.get(tenant).admit(perSecond);
  }

  /** Stops all tenants and waits for the operations that are under way. */
  public void stop() throws InterruptedException {
    stopped = true;
    tenants.values().forEach(TenantRun::stop);
    long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
    for (Thread thread : threads) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left > 0) {
        thread.join(left);
      }
      thread.interrupt();
    }
    ended.await();
    synchronized (samples) {
      // What ended, or was found overdue, since the last whole second.
      tenants.forEach((name, tenant) -> histograms.get(name).add(latencies(tenant)));
    }
  }

  private static Histogram latencies(TenantRun tenant) {
    Histogram all = tenant.readMicros.getIntervalHistogram();
    all.add(tenant.writeMicros.getIntervalHistogram());
    return all;
  }

  /**
   * Waits for the run's duration, its tenants' counts of operations, or for {@link #stop()}.
   *
   * @throws IllegalStateException if a listener has failed, and the run ended for that
   */
  public void await() throws InterruptedException {
    ended.await();
    stop();
    if (failed != null) {
      throw new IllegalStateException("the run ended before its time: " + failed, failed);
    }
  }

  public boolean running() {
    return ended.getCount() > 0;
  }

  /** Whole seconds since the start that have been counted. */
  public int seconds() {
    synchronized (samples) {
      return samples.size() / tenants.size();
    }
  }

  public List<Sample> samples() {
    synchronized (samples) {
      return List.copyOf(samples);
    }
  }

  /** Successful operations of each second, by tenant. */
  public Map<String, double[]> opsPerSecond() {
    var series = new LinkedHashMap<String, double[]>();
    synchronized (samples) {
      int seconds = samples.size() / tenants.size();
      tenants.keySet().forEach(name -> series.put(name, new double[seconds]));
      samples.forEach(s -> series.get(s.tenant())[s.second()] = s.operations());
    }
    return series;
  }

  /** From now on latencies count for {@link #windowP99Micros}, and no longer those of before. */
  public void beginWindow() {
    synchronized (samples) {
      window.values().forEach(Histogram::reset);
    }
  }

  /** 99th percentile since the window began, or the run where none did, in µs by tenant. */
  public SortedMap<String, Long> windowP99Micros() {
    SortedMap<String, Long> slow = new TreeMap<>();
    synchronized (samples) {
      window.forEach((tenant, its) -> slow.put(tenant, its.getValueAtPercentile(99)));
    }
    return slow;
  }

  private void count() {
    try {
      for (int second = 0; !stopped; second++) {
        long due = startNanos + (second + 1) * SECOND_NANOS;
        long wait = due - System.nanoTime();
        while (wait > 0 && !countsReached()) {
          TimeUnit.NANOSECONDS.sleep(Math.min(wait, CHECK_NANOS));
          wait = due - System.nanoTime();
        }
        boolean counted = countsReached();
        listener.accept(sample(second));
        if (counted) {
          break;
        }
        if (duration != null && (second + 1) * SECOND_NANOS >= duration.toNanos()) {
          break;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failed = e;
    } finally {
      endNanos = System.nanoTime();
      tenants.values().forEach(TenantRun::stop);
      ended.countDown();
    }
  }

  /** A tenant without a count goes on where a duration bounds it, and else ends with the others. */
  private boolean countsReached() {
    boolean any = false;
    for (TenantRun tenant : tenants.values()) {
      if (tenant.spec.operations() == null) {
        if (duration != null) {
          return false;
        }
      } else if (!tenant.countReached()) {
        return false;
      } else {
        any = true;
      }
    }
    return any;
  }

  /** The tenants that have ended by their count of operations. */
  public List<TenantSpec> endedByCount() {
    return tenants.values().stream().filter(TenantRun::countReached).map(t -> t.spec).toList();
  }

  private List<Sample> sample(int second) {
    var fresh = new ArrayList<Sample>();
    for (TenantRun t : tenants.values()) {
      Histogram reads = t.readMicros.getIntervalHistogram();
      Histogram writes = t.writeMicros.getIntervalHistogram();
      Histogram latency = reads.copy();
      latency.add(writes);
      synchronized (samples) {
        histograms.get(t.spec.name()).add(latency);
        window.get(t.spec.name()).add(latency);
      }
      latencies.latencies(t.spec.name(), latency);
      latencies.kinds(t.spec.name(), reads, writes);
      latencies.waiting(t.spec.name(), t.oldestMicros(false), t.oldestMicros(true));
      long[] now = {
        t.operations.sum(), t.errors.sum(), t.retries.sum(), t.wrong.sum(), t.lost.sum()
      };
      long[] before = last.put(t.spec.name(), now);
      fresh.add(
          new Sample(
              second,
              t.spec.name(),
              now[0] - before[0],
              now[1] - before[1],
              now[2] - before[2],
              now[3] - before[3],
              now[4] - before[4],
              latency.getMean(),
              latency.getValueAtPercentile(50),
              latency.getValueAtPercentile(95),
              latency.getValueAtPercentile(99),
              latency.getMaxValue()));
    }
    synchronized (samples) {
      samples.addAll(fresh);
    }
    return fresh;
  }

  private static SortedMap<String, Long> reasons(TenantRun tenant) {
    var reasons = new TreeMap<String, Long>();
    tenant.retryReasons.forEach((reason, times) -> reasons.put(reason, times.sum()));
    return reasons;
  }

  /** Why tries have been repeated until now, all tenants together. */
  public SortedMap<String, Long> retryReasons() {
    var all = new TreeMap<String, Long>();
    tenants
        .values()
        .forEach(t -> reasons(t).forEach((reason, times) -> all.merge(reason, times, Long::sum)));
    return all;
  }

  /** Per tenant; whole only after the run has ended. */
  public List<Summary> summaries() {
    long end = running() ? System.nanoTime() : endNanos;
    return tenants.values().stream()
        .map(
            t -> {
              Histogram h;
              synchronized (samples) {
                h = histograms.get(t.spec.name()).copy();
              }
              double seconds =
                  ((t.countReached() ? t.countReachedNanos() : end) - startNanos) / 1e9;
              long operations = t.operations.sum();
              return new Summary(
                  t.spec.name(),
                  seconds,
                  operations,
                  operations / seconds,
                  t.errors.sum(),
                  t.retries.sum(),
                  t.wrong.sum(),
                  t.lost.sum(),
                  h.getMean(),
                  h.getValueAtPercentile(50),
                  h.getValueAtPercentile(95),
                  h.getValueAtPercentile(99),
                  h.getValueAtPercentile(99.9),
                  h.getMaxValue(),
                  reasons(t));
            })
        .toList();
  }

  @Override
  public void close() throws InterruptedException {
    stop();
  }
}
