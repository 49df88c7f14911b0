package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FailedListenerTest {
  /** Otherwise a run of hours that has ended in its first second looks like one that is done. */
  @Test
  void aRunThatAFailureHasEndedIsNotTakenForOneThatIsDone() throws Exception {
    WorkloadSpec spec =
        WorkloadSpec.parse(
            "test.yaml",
            """
            duration: 1h
            tenants:
              - {name: t, records: 100, fields: 1, mix: {read: 1.0}}
            """);
    MemoryTarget target = new MemoryTarget();
    Map<String, AcknowledgedWrites> ledgers = new Loader(spec, target).load((done, of) -> {});
    try (WorkloadRun run =
        WorkloadRun.start(
            spec,
            target,
            ledgers,
            samples -> {
              throw new IllegalArgumentException("told to fail");
            })) {
      assertThatThrownBy(run::await)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("told to fail");
      assertThat(run.running()).isFalse();
    }
  }
}
