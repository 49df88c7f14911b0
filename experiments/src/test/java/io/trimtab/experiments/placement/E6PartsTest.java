package io.trimtab.experiments.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.experiments.Order;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.workload.TenantSpec;
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

class E6PartsTest {
  @TempDir private Path folder;

  private Order order(int runs) {
    return new Order(
        runs,
        7,
        folder,
        Optional.empty(),
        "lab",
        KeptRuns.Start.CONTINUE,
        List.of(),
        Optional.empty(),
        Duration.ofHours(1));
  }

  private KeptRuns<SplitPart> kept() throws Exception {
    return KeptRuns.open(folder, SplitPart.class, E6Parts.NAME, KeptRuns.Start.CONTINUE);
  }

  /** All is made, so that no cluster is started. */
  @Test
  void theReportTellsHowMuchIsTheEngines() throws Exception {
    KeptRuns<SplitPart> before = kept();
    before.madeWith(List.of("a machine"));
    for (SplitLoad load : SplitLoad.values()) {
      double alone = load == SplitLoad.NO_LOG ? 3_900 : load == SplitLoad.READS ? 4_100 : 3_400;
      double split = load == SplitLoad.READS ? 8_000 : 6_000;
      for (SplitPart part : SplitGainTest.parts(load, 1, split, alone)) {
        before.add(part);
      }
    }
    Console console =
        new Console(
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8), false);

    Path report = new E6Parts(console, order(1)).run();

    assertThat(Files.readString(report))
        .contains(
            "192 threads: the split by load reaches 1.50 times the split by size, 0.50 less than"
                + " 2. Both nodes alone, each with half of the clients, reach 1.70 times: 0.30, or"
                + " 60 % of what is missing, is the engine's.")
        .contains(
            "192 threads, reads only: the split by load reaches 2.00 times the split by size;"
                + " nothing is missing to 2.")
        .contains("reach 1.95 times: 0.05, or 10 % of what is missing, is the engine's.")
        .contains("| 64 threads | 1 | 1.50 (1.50–1.50) | 1.70 (1.70–1.70) | 0.50 (0.50–0.50) |")
        .contains("20 of 20 measurements are made");
  }

  @Test
  void aReportOfSomeRunsTellsWhichAreMissing() throws Exception {
    KeptRuns<SplitPart> some = kept();
    some.madeWith(List.of("a machine"));
    some.add(SplitGainTest.part(SplitLoad.OWN, SplitArm.SIZE, 1, 4_000));

    Path report = new E6PartsReport(order(2)).write(kept());

    assertThat(Files.readString(report))
        .contains("192 threads: not measured yet.")
        .contains("| 192 threads | 0 | – | – |")
        .contains("1 of 40 measurements are made");
  }

  @Test
  void aNodeAloneHasHalfOfTheClientsAndReadsAloneUpdateNothing() {
    TenantSpec own = E6.spec(TestbedSettings.pair()).tenants().get(0);

    assertThat(SplitArm.LOAD.threads(SplitLoad.MANY)).isEqualTo(384);
    assertThat(SplitArm.SECOND.threads(SplitLoad.MANY)).isEqualTo(192);
    assertThat(SplitLoad.OWN.tenant(own, own.threads())).isEqualTo(own);
    assertThat(SplitLoad.READS.tenant(own, 96).mix().update()).isZero();
    assertThat(SplitLoad.READS.tenant(own, 96).threads()).isEqualTo(96);
  }
}
