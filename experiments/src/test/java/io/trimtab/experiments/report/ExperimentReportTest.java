package io.trimtab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExperimentReportTest {
  private static NodeUsage from(WaitSource source) {
    return new NodeUsage(0.1, 0, 0.2, 1, source);
  }

  @Test
  void aFallbackIsNamedAsSuch() {
    assertThat(ExperimentReport.usageFrom(List.of(from(WaitSource.DELAY_ACCOUNTING))))
        .endsWith("I/O wait from the block-I/O delay of the node's tasks");
    assertThat(
            ExperimentReport.usageFrom(
                List.of(from(WaitSource.DELAY_ACCOUNTING), from(WaitSource.READS_BY_LIMIT))))
        .endsWith(
            "from the block-I/O delay of the node's tasks (1 of 2), reads ÷ read limit, a fallback"
                + " that measures no wait (1 of 2)");
  }
}
