package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.models.usage.UsageModel.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RequestCostsTest {
  private static final double IDLE = 0.03;

  private static List<Measurement> measured(RequestCosts truth, double noise) {
    Random random = new Random(5);
    List<Measurement> all = new ArrayList<>();
    for (double hits : new double[] {1, 0.85, 0.65, 0.45}) {
      for (double reads : new double[] {6, 16, 30, 45, 70, 400, 1_600}) {
        double usage = IDLE + truth.waking(reads) + truth.reading(hits, reads);
        if (usage < 0.9) {
          all.add(new Measurement(reads, usage + noise * random.nextGaussian(), 0, hits, 20));
        }
      }
    }
    return all;
  }

  @Test
  void eachCostIsFoundFromMeasurements() {
    RequestCosts truth = new RequestCosts(0.5, 35, 5e-5, 0.01);

    RequestCosts found = RequestCosts.fit(measured(truth, 0.01), IDLE);

    assertThat(found.awake()).isCloseTo(truth.awake(), within(0.03));
    assertThat(found.awakeAt()).isCloseTo(truth.awakeAt(), within(5.0));
    assertThat(found.perRead()).isCloseTo(truth.perRead(), within(2e-5));
    assertThat(found.perMiss()).isCloseTo(truth.perMiss(), within(1e-3));
  }

  @Test
  void aNodeThatCostsNothingToWakeIsToldSo() {
    RequestCosts found = RequestCosts.fit(measured(new RequestCosts(0, 1, 1e-4, 8e-3), 0), IDLE);

    assertThat(found.waking(50)).isCloseTo(0, within(1e-6));
    assertThat(found.reading(0.5, 100)).isCloseTo(0.41, within(1e-6));
  }

  @Test
  void wakingGrowsWithTheFirstRequestsAndThenNoMore() {
    RequestCosts costs = new RequestCosts(0.4, 50, 0, 0);

    assertThat(costs.waking(0)).isZero();
    assertThat(costs.waking(50)).isCloseTo(0.4 * 0.632, within(1e-3));
    assertThat(costs.waking(5_000)).isCloseTo(0.4, within(1e-9));
  }

  @Test
  void oneMeasurementAlreadyGivesCostsThatFitIt() {
    RequestCosts found = RequestCosts.fit(List.of(new Measurement(100, 0.5, 0, 0.8, 20)), IDLE);

    assertThat(IDLE + found.waking(100) + found.reading(0.8, 100)).isCloseTo(0.5, within(1e-9));
    assertThat(RequestCosts.fit(List.of(), IDLE).waking(100)).isZero();
  }

  @Test
  void aCostBelowNothingIsNoneAndTheOthersAreFoundAnew() {
    double[][] x = {{1, 1}, {2, 1}, {3, 1}};
    double[] y = {1, 3, 5};

    // Without the bound: 2 and −1.
    double[] costs = NonNegativeLeastSquares.solve(x, y);

    assertThat(costs[1]).isZero();
    assertThat(costs[0]).isCloseTo(22 / 14.0, within(1e-12));
  }
}
