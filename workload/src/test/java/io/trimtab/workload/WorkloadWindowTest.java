package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkloadWindowTest {
  @Test
  void latenciesOfBeforeDoNotCountInAWindow() throws Exception {
    WorkloadSpec spec =
        WorkloadSpec.parse(
            "test.yaml",
            """
            duration: 1s
            tenants:
              - {name: t, records: 100, mix: {read: 1.0}}
            """);
    MemoryTarget target = new MemoryTarget();
    Map<String, AcknowledgedWrites> ledgers = new Loader(spec, target).load((done, of) -> {});
    target.delayMillis = 20;
    try (WorkloadRun run = WorkloadRun.start(spec, target, ledgers, samples -> {})) {
      run.await();

      assertThat(run.windowP99Micros().get("t")).isGreaterThanOrEqualTo(15_000);
      run.beginWindow();
      assertThat(run.windowP99Micros()).containsExactly(Map.entry("t", 0L));
    }
  }
}
