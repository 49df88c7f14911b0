package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.models.usage.ScanRegression.ScanSample;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScanRegressionTest {
  private static final double ROW = 1e-5;
  private static final double COLUMN = 2e-6;
  private static final double HIT = 3e-5;
  private static final double CALL = 9e-5;

  private static List<ScanSample> samples(double miss) {
    List<ScanSample> samples = new ArrayList<>();
    for (double length : new double[] {1, 20, 80}) {
      for (double columns : new double[] {1, 10}) {
        for (double perBlock : new double[] {8, 30}) {
          for (double hits : new double[] {1, 0.5}) {
            double scans = 100;
            double blocks = 1 + (length - 1) / perBlock;
            double calls = perBlock < 10 ? Math.ceil(length / 10) : 1;
            double extra =
                scans
                    * (ROW * (length - 1)
                        + COLUMN * (columns - 1) * length
                        + HIT * (blocks - 1) * hits
                        + miss * (blocks - 1) * (1 - hits)
                        + CALL * (calls - 1));
            ScanShape scan = new ScanShape(calls, length, columns, blocks);
            samples.add(new ScanSample(scans, scan, hits, extra));
          }
        }
      }
    }
    return samples;
  }

  @Test
  void theFiveConstantsAreFound() {
    UsageModel.ScanCosts costs = ScanRegression.fit(samples(6e-3));

    assertThat(costs.row()).isCloseTo(ROW, within(1e-9));
    assertThat(costs.column()).isCloseTo(COLUMN, within(1e-9));
    assertThat(costs.blockHit()).isCloseTo(HIT, within(1e-9));
    assertThat(costs.blockMiss()).isCloseTo(6e-3, within(1e-8));
    assertThat(costs.call()).isCloseTo(CALL, within(1e-8));
    assertThat(costs.residual()).isLessThan(1e-9);
  }

  @Test
  void noCostIsBelowNothing() {
    UsageModel.ScanCosts costs = ScanRegression.fit(samples(-1e-3));

    assertThat(costs.blockMiss()).isZero();
    assertThat(costs.row()).isNotNegative();
    assertThat(costs.blockHit()).isNotNegative();
    assertThat(costs.residual()).isPositive();
  }

  @Test
  void whatFurtherCallsCostIsOpenWhereThereWereNone() {
    List<ScanSample> oneCall = samples(6e-3).stream().filter(s -> s.scan().calls() == 1).toList();

    assertThat(ScanRegression.fit(oneCall).call()).isNull();
    assertThat(ScanRegression.fit(samples(6e-3)).call()).isNotNull();
  }

  @Test
  void whatWasNeverVariedCostsNothing() {
    List<ScanSample> oneColumn =
        samples(6e-3).stream().filter(s -> s.scan().columns() == 1).toList();
    assertThat(ScanRegression.fit(oneColumn).column()).isZero();
    assertThat(ScanRegression.fit(oneColumn).row()).isCloseTo(ROW, within(1e-9));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ScanRegression.fit(oneColumn.subList(0, 5)))
        .withMessage("5 scan measurements are too few for 5 constants");
  }
}
