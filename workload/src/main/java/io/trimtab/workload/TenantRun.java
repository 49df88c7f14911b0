package io.trimtab.workload;

import io.trimtab.workload.lengths.Lengths;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.generator.CounterGenerator;
import site.ycsb.generator.ExponentialGenerator;
import site.ycsb.generator.HotspotIntegerGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.SkewedLatestGenerator;
import site.ycsb.generator.UniformLongGenerator;
import site.ycsb.generator.ZipfianGenerator;

/** One tenant at work: its threads, what they count, and what they found wrong. */
final class TenantRun {
  private static final Logger LOG = LoggerFactory.getLogger(TenantRun.class);

  private static final long LOGGED = 20;

  /** After this long without success an operation has failed. */
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long PAUSE_FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long PAUSE_MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** However little is admitted, each thread tells from time to time how it is served. */
  private static final double INTERVAL_MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long OVERDUE_MAX = 10_000;

  private static final long LATENCY_MAX_MICROS = TimeUnit.MINUTES.toMicros(2);

  final TenantSpec spec;
  final AcknowledgedWrites ledger;
  final LongAdder operations = new LongAdder();
  final LongAdder errors = new LongAdder();
  final LongAdder retries = new LongAdder();
  final LongAdder wrong = new LongAdder();
  final LongAdder lost = new LongAdder();

  /** Tries that were repeated, by what had gone wrong. */
  final ConcurrentMap<String, LongAdder> retryReasons = new ConcurrentHashMap<>();

  final Recorder readMicros = new Recorder(1, LATENCY_MAX_MICROS, 3);

  /** Of updates and inserts. */
  final Recorder writeMicros = new Recorder(1, LATENCY_MAX_MICROS, 3);

  private final Target target;
  private final Keys keys;
  private final Values content;
  private final Checks checks;
  private final Lengths scanLengths;
  private final NumberGenerator chooser;
  private final long giveUpNanos;

  /** What each thread is waiting for; null of a thread that pauses. */
  private final AtomicReferenceArray<Request> underWay;

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong done = new AtomicLong();
  private volatile boolean stopped;
  private volatile long stoppedNanos;
  private volatile boolean countReached;
  private volatile long countReachedNanos;

  /** Between two operations of a thread, at least; 0 while nobody asks for less. */
  private volatile long admittedNanos;

  TenantRun(TenantSpec spec, Target target, AcknowledgedWrites ledger) {
    this(spec, target, ledger, GIVE_UP_NANOS);
  }

  TenantRun(TenantSpec spec, Target target, AcknowledgedWrites ledger, long giveUpNanos) {
    this.spec = spec;
    this.target = target;
    this.ledger = ledger;
    this.keys = new Keys(spec);
    this.content = new Values(spec);
    this.checks = new Checks(spec, content, ledger, target.ordered());
    this.scanLengths = spec.scanLengths().function(spec.scanLength());
    this.chooser = chooser(spec);
    this.giveUpNanos = giveUpNanos;
    this.underWay = new AtomicReferenceArray<>(spec.threads());
  }

  /** YCSB's generators draw from the thread's own random numbers, which can't be seeded. */
  private static NumberGenerator chooser(TenantSpec spec) {
    long last = spec.records() - 1L;
    Distribution d = spec.distribution();
    return switch (d.kind()) {
      case UNIFORM -> new UniformLongGenerator(0, last);
      case ZIPFIAN -> new ZipfianGenerator(0, last);
      case SCRAMBLED -> new ScrambledZipfianGenerator(0, last);
      case LATEST -> new SkewedLatestGenerator(new CounterGenerator(spec.records()));
      case HOTSPOT -> new HotspotIntegerGenerator(0, last, d.hotKeys(), d.hotOperations());
      case EXPONENTIAL -> new ExponentialGenerator(d.percentile(), spec.records() * d.fraction());
    };
  }

  void stop() {
    if (!stopped) {
      stoppedNanos = System.nanoTime();
    }
    stopped = true;
  }

  /**
   * All threads together begin no more operations than these, whatever their target rate.
   *
   * @param perSecond &gt; 0; infinite where the tenant's own rate is all that counts
   */
  void admit(double perSecond) {
    admittedNanos =
        (long) Math.min(INTERVAL_MAX_NANOS, Math.rint(1e9 * spec.threads() / perSecond));
  }

  /** Whether all of the tenant's operations have ended; never where it has no count. */
  boolean countReached() {
    return countReached;
  }

  /** When the last of the operations ended, as {@link System#nanoTime()}; see above. */
  long countReachedNanos() {
    return countReachedNanos;
  }

  /** Whether another operation may begin. */
  private boolean mayBegin() {
    return spec.operations() == null || begun.getAndIncrement() < spec.operations();
  }

  private void operationEnded() {
    if (spec.operations() != null && done.incrementAndGet() == spec.operations()) {
      countReachedNanos = System.nanoTime();
      countReached = true;
      stopped = true;
    }
  }

  /**
   * The body of one of the tenant's threads.
   *
   * @param phase in [0, 1), keeps tenants apart that ask at the same rate: requests that come
   *     together cost a server less
   */
  void work(int thread, double phase, long startNanos) {
    double rate = spec.targetRate() == null ? 0 : spec.targetRate() / spec.threads();
    boolean open = spec.loop() == TenantSpec.Loop.OPEN;
    long ownNanos = rate > 0 ? Math.round(1e9 / rate) : 0;
    long due = startNanos + (long) (ownNanos * (thread + phase) / spec.threads());
    long obeyedNanos = admittedNanos;
    sleepUntil(due, obeyedNanos);
    while (!stopped && !Thread.currentThread().isInterrupted()) {
      if (admittedNanos != obeyedNanos) {
        // Spread, or all threads would ask at the same times from now on.
        obeyedNanos = admittedNanos;
        double spread = Math.max(ownNanos, obeyedNanos) * (thread + phase) / spec.threads();
        due = System.nanoTime() + (long) spread;
      }
      long intervalNanos = Math.max(ownNanos, obeyedNanos);
      if (intervalNanos > 0 && !sleepUntil(due, obeyedNanos)) {
        continue;
      }
      if (open && stopped) {
        // It is not due.
        break;
      }
      if (!mayBegin()) {
        return;
      }
      Request request = request(open ? due : System.nanoTime());
      underWay.set(thread, request);
      Ended ended = retrying(request.operation());
      underWay.set(thread, null);
      if (ended == Ended.CANCELLED) {
        break;
      }
      if (ended == Ended.WELL) {
        operations.increment();
      }
      // Those that fail have waited longest: without them an outage would look fast.
      (request.writes() ? writeMicros : readMicros)
          .recordValue(micros(System.nanoTime() - request.sinceNanos()));
      operationEnded();
      if (intervalNanos > 0) {
        due += intervalNanos;
        if (!open) {
          // A throttled closed loop does not catch up with what it missed. Whole intervals are left
          // out, so that threads that were all held up once do not ask at the same times ever
          // after.
          due += Math.max(0, (System.nanoTime() - due) / intervalNanos) * intervalNanos;
        }
      }
    }
    if (open && stopped && !countReached && admittedNanos == obeyedNanos) {
      overdue(due, Math.max(ownNanos, obeyedNanos));
    }
  }

  /** What was due at the stop and could not begin, or end, had waited so long at least. */
  private void overdue(long firstNanos, long intervalNanos) {
    Recorder slow = spec.mix().update() + spec.mix().insert() < 1 ? readMicros : writeMicros;
    long waitedNanos = stoppedNanos - firstNanos;
    // Of very many some stand for all.
    long each = Math.max(1, waitedNanos / intervalNanos / OVERDUE_MAX);
    for (long waited = waitedNanos; waited > 0; waited -= each * intervalNanos) {
      slow.recordValueWithCount(micros(waited), each);
    }
  }

  private static long micros(long nanos) {
    return Math.min(LATENCY_MAX_MICROS, Math.max(1, nanos / 1_000));
  }

  /**
   * For how long the oldest of the requests that have not ended has been waited for, in µs.
   *
   * @param writes of these, or else of the others
   * @return 0 if there is none
   */
  long oldestMicros(boolean writes) {
    long now = System.nanoTime();
    long oldest = 0;
    for (int thread = 0; thread < underWay.length(); thread++) {
      Request request = underWay.get(thread);
      if (request != null && request.writes() == writes) {
        oldest = Math.max(oldest, micros(now - request.sinceNanos()));
      }
    }
    return oldest;
  }

  /** Returns whether it is time; false where something else is admitted meanwhile. */
  private boolean sleepUntil(long nanos, long obeyedNanos) {
    long left = nanos - System.nanoTime();
    while (left > 0 && !stopped) {
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(200)));
      if (Thread.currentThread().isInterrupted()) {
        return true;
      }
      if (admittedNanos != obeyedNanos) {
        return false;
      }
      left = nanos - System.nanoTime();
    }
    return true;
  }

  /** How an operation has ended. */
  private enum Ended {
    WELL,
    FAILED,
    /** The run was stopped meanwhile. */
    CANCELLED
  }

  /**
   * One operation with its retries.
   *
   * @param writes whether it does nothing else; one that reads and writes counts as a read
   * @param sinceNanos from when on it is waited for, as {@link System#nanoTime()}
   */
  private record Request(boolean writes, long sinceNanos, Operation operation) {}

  private Request request(long sinceNanos) {
    double draw = ThreadLocalRandom.current().nextDouble();
    Mix mix = spec.mix();
    int record = record();
    if ((draw -= mix.read()) < 0) {
      return new Request(false, sinceNanos, () -> read(record));
    }
    if ((draw -= mix.update()) < 0) {
      return new Request(true, sinceNanos, () -> update(record));
    }
    if ((draw -= mix.insert()) < 0) {
      long number = ledger.nextInsert();
      return new Request(true, sinceNanos, () -> insert(number));
    }
    if ((draw -= mix.scan()) < 0) {
      int length = scanLengths.of(ThreadLocalRandom.current().nextDouble());
      return new Request(false, sinceNanos, () -> scan(record, length));
    }
    return new Request(
        false,
        sinceNanos,
        () -> {
          read(record);
          update(record);
        });
  }

  private int record() {
    long drawn = chooser.nextValue().longValue();
    if (spec.distribution().kind() == Distribution.Kind.EXPONENTIAL) {
      drawn = spec.records() - 1 - drawn;
    }
    return (int) Math.floorMod(drawn, (long) spec.records());
  }

  private interface Operation {
    void run() throws IOException;
  }

  private Ended retrying(Operation operation) {
    long deadline = System.nanoTime() + giveUpNanos;
    long pause = PAUSE_FIRST_NANOS;
    while (true) {
      try {
        operation.run();
        return Ended.WELL;
      } catch (IOException | RuntimeException e) {
        // A client's bug must show as retries and errors, not as a thread that is silently gone.
        if (stopped) {
          return Ended.CANCELLED;
        }
        if (System.nanoTime() > deadline) {
          errors.increment();
          LOG.warn("tenant {}: an operation failed permanently", spec.name(), e);
          return Ended.FAILED;
        }
        retries.increment();
        retryReasons.computeIfAbsent(reason(e), r -> new LongAdder()).increment();
        LOG.debug("tenant {}: retrying after {}", spec.name(), e.toString());
        LockSupport.parkNanos(pause);
        pause = Math.min(PAUSE_MAX_NANOS, pause * 2);
      }
    }
  }

  /** The first cause: clients wrap what the server said in what they made of it. */
  private String reason(Throwable thrown) {
    Throwable first = thrown;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return target.reason(first);
  }

  private void read(int record) throws IOException {
    int floor = ledger.floor(record);
    byte[][] values = target.read(spec, keys.key(record));
    checks.read(record, floor, values).ifPresent(this::tell);
  }

  /** Logged, but not each of thousands: where reads ask one copy they may miss what others have. */
  private void tell(Checks.Finding finding) {
    LongAdder counted = finding.lost() ? lost : wrong;
    counted.increment();
    if (counted.sum() <= LOGGED) {
      LOG.error("tenant {}: {}", spec.name(), finding.what());
    }
    if (counted.sum() == LOGGED) {
      LOG.error("tenant {}: more of these are only counted", spec.name());
    }
  }

  private void update(int record) throws IOException {
    int version = ledger.issue(record);
    target.write(spec, keys.key(record), version, content.of(record, version));
    ledger.acknowledge(record, version);
  }

  private void insert(long number) throws IOException {
    target.write(
        spec,
        keys.key(number),
        AcknowledgedWrites.LOADED,
        content.of(number, AcknowledgedWrites.LOADED));
    ledger.acknowledgeInsert(number);
  }

  private void scan(int record, int length) throws IOException {
    Checks.Expected expected = checks.expected(record, length);
    List<Target.Row> rows = target.scan(spec, keys.key(record), length);
    checks.scan(expected, length, rows).ifPresent(this::tell);
  }
}
