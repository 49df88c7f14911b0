package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tenants that keep to what they are asked to. */
class AdmittedRateTest {
  private static final String TENANT =
      """
      tenants:
        - {name: t, records: 100, fields: 1, threads: 4, mix: {read: 1.0}%s}
      """;

  private final BlockingQueue<Long> seconds = new LinkedBlockingQueue<>();

  private WorkloadRun start(String more) throws Exception {
    WorkloadSpec spec = WorkloadSpec.parse("test.yaml", TENANT.formatted(more));
    MemoryTarget target = new MemoryTarget();
    target.delayMillis = 1;
    Map<String, AcknowledgedWrites> ledgers = new Loader(spec, target).load((done, of) -> {});
    return WorkloadRun.start(spec, target, ledgers, this::heard);
  }

  private void heard(List<Sample> second) {
    seconds.add(second.get(0).operations());
  }

  /** Operations of the first whole second from now on. */
  private long operations() throws InterruptedException {
    seconds.clear();
    seconds.take();
    return seconds.take();
  }

  @Test
  void aClosedLoopKeepsToWhatIsAdmittedAndGoesOnWhenItMay() throws Exception {
    try (WorkloadRun run = start("")) {
      assertThat(operations()).isGreaterThan(200);

      run.admit("t", 20);
      assertThat(operations()).isBetween(1L, 100L);

      // Less than one in a minute: a thread's turn would be in a minute.
      run.admit("t", 0.01);
      assertThat(operations()).isLessThanOrEqualTo(4);

      run.admit("t", Double.POSITIVE_INFINITY);
      assertThat(operations()).isGreaterThan(200);
    }
  }

  @Test
  void aTargetRateThatIsLowerStillCounts() throws Exception {
    try (WorkloadRun run = start(", targetRate: 20")) {
      run.admit("t", 200);
      assertThat(operations()).isBetween(1L, 100L);
    }
  }

  @Test
  void anOpenLoopAsksLessAndIsNotChargedForWhatItDidNotAsk() throws Exception {
    try (WorkloadRun run = start(", targetRate: 200, loop: open")) {
      run.admit("t", 20);
      assertThat(operations()).isBetween(1L, 100L);
      assertThat(operations()).isBetween(1L, 100L);
      assertThat(run.samples().get(run.samples().size() - 1).maxMicros())
          .as("no queue has grown")
          .isLessThan(1_000_000);
    }
  }
}
