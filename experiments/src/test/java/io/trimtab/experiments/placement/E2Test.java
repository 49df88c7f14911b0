package io.trimtab.experiments.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.experiments.bed.AutopilotRun;
import io.trimtab.lab.testbed.RunResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class E2Test {
  @Test
  void besideAllOperationsThereIsWhatTheTenantsHave() {
    RunResult result = TenantLevelsTest.run(2_000, 50);
    E2.OnlineRun run =
        new E2.OnlineRun(
            result,
            new AutopilotRun(5, 6, 9, "done", "", List.of(), List.of()),
            1_100,
            TenantLevels.of(result, 0, 10),
            1_100,
            1_100,
            1_100,
            2_050);
    List<String> column = E2.column(List.of(run), List.of(TenantLevelsTest.run(2_000, 100)));
    Map<String, String> told = new LinkedHashMap<>();
    for (int i = 0; i < column.size(); i++) {
      told.put(E2.rows().get(i).get(0), column.get(i));
    }

    assertThat(told)
        .hasSize(E2.rows().size())
        .containsEntry("all operations after / Manual-Heterogeneous", "0.98 (0.98–0.98)")
        .containsEntry(
            "geometric mean over the tenants after / Manual-Heterogeneous", "0.71 (0.71–0.71)")
        .containsEntry("worst tenant after / Manual-Heterogeneous", "small: 0.50 (0.50–0.50)")
        .containsEntry("all operations after / before", "1.86 (1.86–1.86)")
        .containsEntry("geometric mean over the tenants after / before", "1.00 (1.00–1.00)")
        .containsEntry("worst tenant after / before", "small: 0.50 (0.50–0.50)")
        .containsEntry("first to last action, s", "3 (3–3)")
        .containsEntry("wrong or lost reads", "0");
  }
}
