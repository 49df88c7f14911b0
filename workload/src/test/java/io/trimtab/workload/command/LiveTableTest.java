package io.trimtab.workload.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.clikit.Terminal;
import io.trimtab.workload.Sample;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveTableTest {
  private static final String TENANTS =
      """
      tenants:
        - {name: counted, records: 10, mix: {read: 1.0}, operations: 1000}
        - {name: free, records: 10, mix: {read: 1.0}}
      """;

  private static Sample sample(int second, String tenant, long operations, long errors) {
    return new Sample(second, tenant, operations, errors, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  private static List<String> shown(List<TenantSpec> tenants) {
    StringWriter out = new StringWriter();
    var live =
        new WorkloadCommand.LiveTable(
            new Terminal(out, new StringWriter(), false, false, false), tenants);
    for (int second = 0; second < 10; second++) {
      live.show(List.of(sample(second, "counted", 30, 1), sample(second, "free", 50, 0)));
    }
    return out.toString().lines().toList();
  }

  /** In a pipe one table in ten is shown; the seconds between count as well. */
  @Test
  void theOperationsThatAreLeftAreShownWhereThereIsACount() {
    List<String> lines = shown(WorkloadSpec.parse("t.yaml", TENANTS).tenants());
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).endsWith("  ops left");
    assertThat(lines.get(1)).startsWith("counted").endsWith(" 690");
    assertThat(lines.get(2)).startsWith("free").endsWith(" 0");
  }

  @Test
  void withoutACountThereIsNoSuchColumn() {
    String free = TENANTS.replace(", operations: 1000", "");
    List<String> lines = shown(WorkloadSpec.parse("t.yaml", free).tenants());
    assertThat(lines.get(0)).endsWith("  lost");
  }
}
