package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Nobody is served, and how long that takes is told all the same. */
class FailedLatencyTest {
  private static final long GIVE_UP_MILLIS = 100;

  private final MemoryTarget target = new MemoryTarget();
  private Thread thread;

  private static WorkloadSpec spec(String more) {
    return WorkloadSpec.parse(
        "test.yaml",
        """
        tenants:
          - {name: t, records: 100, fields: 1, threads: 1%s}
        """
            .formatted(more));
  }

  /** Some operations have failed, and none succeeds. */
  private TenantRun failing(String more, int failures) throws Exception {
    WorkloadSpec spec = spec(more);
    AcknowledgedWrites ledger = new Loader(spec, target).load((done, of) -> {}).get("t");
    target.failuresLeft.set(Integer.MAX_VALUE);
    TenantRun run =
        new TenantRun(
            spec.tenants().get(0), target, ledger, TimeUnit.MILLISECONDS.toNanos(GIVE_UP_MILLIS));
    thread = new Thread(() -> run.work(0, 0, System.nanoTime()));
    thread.start();
    while (run.errors.sum() < failures) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return run;
  }

  private void end(TenantRun run) throws InterruptedException {
    run.stop();
    thread.join();
    assertThat(run.operations.sum()).isZero();
  }

  @Test
  void anOperationThatFailsCountsWithTheTimeThatItWasWaitedFor() throws Exception {
    TenantRun run = failing(", mix: {read: 1.0}", 2);
    end(run);

    Histogram reads = run.readMicros.getIntervalHistogram();
    assertThat(reads.getTotalCount())
        .as("not the one that the stop has cut off")
        .isEqualTo(run.errors.sum());
    assertThat(reads.getMinValue()).isGreaterThanOrEqualTo(GIVE_UP_MILLIS * 1_000);
    assertThat(run.writeMicros.getIntervalHistogram().getTotalCount()).isZero();
  }

  /** They are due every 2 ms and take 100: the second waits for the first. */
  @Test
  void inAnOpenLoopItCountsFromWhenItWasDue() throws Exception {
    TenantRun run = failing(", mix: {update: 1.0}, targetRate: 500, loop: open", 3);

    // Before the end, at which what is overdue counts, too.
    Histogram writes = run.writeMicros.getIntervalHistogram();
    end(run);
    assertThat(writes.getTotalCount()).isBetween(2L, run.errors.sum());
    assertThat(writes.getMaxValue()).isGreaterThanOrEqualTo(2 * GIVE_UP_MILLIS * 1_000 - 2_100);
  }

  @Test
  void eachSecondTellsHowLongTheOldestUnderWayHasBeenWaitedFor() throws Exception {
    record Waiting(long reads, long writes) {}
    BlockingQueue<Waiting> told = new LinkedBlockingQueue<>();
    LatencyListener listener =
        new LatencyListener() {
          @Override
          public void latencies(String tenant, Histogram ofSecond) {}

          @Override
          public void waiting(String tenant, long readMicros, long writeMicros) {
            told.add(new Waiting(readMicros, writeMicros));
          }
        };
    WorkloadSpec spec = spec(", mix: {update: 1.0}");
    var ledgers = new Loader(spec, target).load((done, of) -> {});
    target.delayMillis = 1_800;
    try (WorkloadRun run = WorkloadRun.start(spec, target, ledgers, second -> {}, listener)) {
      Waiting first = told.poll(10, TimeUnit.SECONDS);
      assertThat(first.reads()).isZero();
      assertThat(first.writes()).isBetween(500_000L, 1_800_000L);
      target.delayMillis = 0;
      assertThat(told.poll(10, TimeUnit.SECONDS).writes())
          .as("another one by now")
          .isLessThan(900_000);
    }
  }
}
