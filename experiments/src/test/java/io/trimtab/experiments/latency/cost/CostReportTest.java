package io.trimtab.experiments.latency.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.experiments.latency.cost.CostHalf.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostReportTest {
  @TempDir Path folder;

  private static CostHalf cores(Phase phase, int block, CostArm arm, double cores, int perSecond) {
    long bytes = arm == CostArm.TRIMTAB ? 31_000 : 30_000;
    long reads = 10L * perSecond;
    int round = 1 + Math.max(0, block) / 7;
    return new CostHalf(
        round,
        phase,
        block,
        0,
        arm,
        perSecond,
        10,
        reads,
        10 * cores,
        reads,
        reads * bytes,
        2 * reads,
        0.01);
  }

  private static List<CostHalf> halves() {
    List<CostHalf> all = new ArrayList<>();
    for (CostArm arm : List.of(CostArm.STOCK, CostArm.TRIMTAB)) {
      all.add(cores(Phase.IDLE, -1, arm, 0.03, 0));
    }
    for (CostArm arm : List.of(CostArm.STOCK, CostArm.OWN_FIRST)) {
      all.add(cores(Phase.LOW, -1, arm, 0.10, 100));
    }
    for (CostArm arm : CostArm.values()) {
      for (int block = 0; block < 21; block++) {
        double more = arm == CostArm.TRIMTAB ? 0.046 : 0;
        all.add(cores(Phase.COMPARED, block, arm, 0.461 + more, 1_000));
      }
    }
    return all;
  }

  private CostReport report() {
    return new CostReport(folder, CostPlan.standard(3), 3, "5.0.9", 0.25);
  }

  @Test
  void theReportIsComputedFromTheHalves() throws IOException {
    String text = Files.readString(report().write(halves()));

    assertThat(text)
        .contains("lab run COST --runs 3 --seed 3", "21 of 21 blocks")
        .contains("| stock | 460 (460–460) | 30,000 (30,000–30,000) | 2.00 (2.00–2.00) |")
        .contains(
            "| trimtab | stock | 1.100 | 1.100 to 1.100 | 1.100 to 1.100 | 21 |"
                + " 1.100; 1.100; 1.100 | missed |")
        .contains(
            "| plug-in, ranking off | stock | 1.000 | 1.000 to 1.000 | 1.000 to 1.000 | 21 |"
                + " 1.000; 1.000; 1.000 | met |")
        .contains(
            "| trimtab | stock, dynamic_snitch: false | 1,000 | 1,000 to 1,000 | 1,000 to 1,000 |"
                + " 21 | 1,000; 1,000; 1,000 | missed |")
        .contains("97.3 % interval", "with it: plug-in, ranking off 1.000")
        .contains("100 reads/s, stock: 0.100 (0.100–0.100) cores; a further read takes 401 µs")
        .contains("nobody asks, stock: 0.030 (0.030–0.030) cores")
        .contains("load average before the start 0.25");
  }

  @Test
  void filesHaveEveryHalfAndTheSetting() throws IOException {
    report().write(halves());
    List<String> raw = Files.readAllLines(folder.resolve("halves.csv"));
    List<String> summary = Files.readAllLines(folder.resolve("summary.csv"));

    assertThat(raw).contains(CostHalf.HEADER).anyMatch(line -> line.startsWith("# seed 3"));
    assertThat(raw.stream().filter(line -> !line.startsWith("#"))).hasSize(1 + halves().size());
    assertThat(raw)
        .contains("1,COMPARED,0,0,STOCK,1000,10.000,10000,4.610,10000,300000000,20000,0.010");
    assertThat(summary)
        .contains(
            "cpu ratio,TRIMTAB,STOCK,21,1.1000,1.1000,1.1000,0.9734,1.1000,1.1000,1.0200,MISSED")
        .contains("bytes more,OWN_FIRST,PLAIN,21,0.0,0.0,0.0,0.9734,0.0,0.0,600.0,MET")
        .contains("cpu ratio,OWN_FIRST,FILTERS,21,1.0000,1.0000,1.0000,0.9734,1.0000,1.0000,,NONE");
    for (String line : summary.subList(summary.size() - 14, summary.size())) {
      assertThat(line.split(",", -1)).hasSize(12);
    }
  }

  /** Where a run ends early, what it measured is there. */
  @Test
  void measurementsAreKeptBeforeThereIsAReport() throws IOException {
    report().keep(halves().subList(0, 1));

    assertThat(Files.readAllLines(folder.resolve("halves.csv")))
        .contains("1,IDLE,-1,0,STOCK,0,10.000,0,0.300,0,0,0,0.010");
    assertThat(folder.resolve("README.md")).doesNotExist();
  }

  @Test
  void halvesInWhichMuchWasCompiledAreNamed() throws IOException {
    List<CostHalf> all = new ArrayList<>(halves());
    CostHalf one = CostComparisonTest.half(Phase.COMPARED, 3, 21, CostArm.STOCK, 1, 0.001);
    assertThat(one.compiling()).isGreaterThan(0.02);
    all.add(one);

    assertThat(Files.readString(report().write(all))).contains("in 1 of 106 halves");
    assertThat(Files.readString(report().write(halves()))).contains("in 0 of 105 halves");
  }
}
