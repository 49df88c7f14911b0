package io.trimtab.hbaseplugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineLoadTest {
  @TempDir Path proc;

  private NodeReport report() throws IOException {
    NodeReport.Builder report = NodeReport.builder();
    new MachineLoad(proc).into(report);
    return report.build();
  }

  @Test
  void cpuTimesAreToldInMilliseconds() throws IOException {
    Files.writeString(
        proc.resolve("stat"),
        "cpu  100 20 30 4000 500 6 7 0 0 0\ncpu0 1 2 3\ncpu1 1 2 3\nintr 1\n");
    Files.writeString(proc.resolve("loadavg"), "0.10 1.25 3.00 1/100 5\n");
    NodeReport report = report();

    assertThat(report.number(Field.CPU_USER_MS)).isEqualTo(1200);
    assertThat(report.number(Field.CPU_SYSTEM_MS)).isEqualTo(430);
    assertThat(report.number(Field.CPU_IDLE_MS)).isEqualTo(40_000);
    assertThat(report.number(Field.CPU_IO_WAIT_MS)).isEqualTo(5000);
    assertThat(report.number(Field.CORES)).isEqualTo(2);
    assertThat(report.number(Field.LOAD5_MILLI)).isEqualTo(1250);
  }

  @Test
  void aSystemWithoutProcSendsNothing() throws IOException {
    assertThat(report().number(Field.CPU_USER_MS)).isEqualTo(-1);
  }
}
