package io.trimtab.experiments.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Ownership;
import io.trimtab.experiments.Order;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.testbed.Console;
import io.trimtab.simulator.days.DayResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyDaysTest {
  private static final long SEED = 3;

  @TempDir private Path folder;

  private KeptRuns<PolicyRun> kept(KeptRuns.Start start) throws Exception {
    return KeptRuns.open(folder, PolicyRun.class, "POLICIES", start);
  }

  private static PolicyRun made(String policy) {
    DayResult result =
        new DayResult(Ownership.ASSIGNED, 12_345, 96, 1, 1, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0.5);
    return new PolicyRun(SEED, policy, result, 2, "");
  }

  @Test
  void onlyWhatIsMissingOrHasFailedIsMade() throws Exception {
    KeptRuns<PolicyRun> before = kept(KeptRuns.Start.NEW);
    before.madeWith(PolicyDays.setting());
    for (String policy : List.of("met-1", "met", "tiramola", "autopilot")) {
      before.add(made(policy));
    }
    before.add(new PolicyRun(SEED, "none", null, 2, "java.lang.IllegalStateException: broken"));
    Console console =
        new Console(
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8), false);
    Order order =
        new Order(
            1,
            SEED,
            folder,
            Optional.empty(),
            "lab",
            KeptRuns.Start.CONTINUE,
            List.of(),
            Optional.empty(),
            Duration.ofHours(1));

    Path report = new PolicyDays(console, order).run();

    List<PolicyRun> after = kept(KeptRuns.Start.CONTINUE).runs();
    assertThat(after)
        .extracting(PolicyRun::policy)
        .containsExactly("met-1", "met", "tiramola", "autopilot", "none");
    assertThat(after).allMatch(run -> run.failure().isEmpty());
    assertThat(after.get(4).result().nodeHours()).isPositive();
    assertThat(Files.readAllLines(report))
        .anyMatch(line -> line.startsWith("| met-1 | 1 | 12,345 | 96 |"))
        .noneMatch(line -> line.contains("failed"));
  }
}
