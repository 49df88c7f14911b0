package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.models.usage.UsageModel.Measurement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class ThroughputSearchTest {
  private static final double IDLE = 0.03;
  private static final double TOLERANCE = 0.01;

  /** How many measurements all levels together take. */
  private static int search(
      DoubleUnaryOperator usage,
      double most,
      double[] levels,
      double bound,
      List<Measurement> all) {
    for (double level : levels) {
      for (int i = 0; i < 20; i++) {
        OptionalDouble next = ThroughputSearch.next(all, IDLE, level, TOLERANCE, bound);
        if (next.isEmpty()) {
          break;
        }
        // A node that can't do more does what it can.
        double ops = Math.min(most, next.getAsDouble());
        all.add(new Measurement(ops, usage.applyAsDouble(ops), 0, 1, 10));
      }
    }
    return all.size();
  }

  @Test
  void curvesOfAnyShapeAreFoundInFewMeasurements() {
    double[] levels = {0.2, 0.4, 0.6, 0.8};
    Random random = new Random(5);
    for (int world = 0; world < 200; world++) {
      double scale = 20 * Math.pow(1_000, random.nextDouble());
      double bend = 0.6 + random.nextDouble();
      DoubleUnaryOperator usage = r -> Math.min(1, IDLE + 0.97 * Math.pow(r / scale, bend));
      List<Measurement> all = new ArrayList<>();
      assertThat(search(usage, scale, levels, 20_000, all)).isLessThan(28);
      for (double level : levels) {
        double truth = scale * Math.pow((level - IDLE) / 0.97, 1 / bend);
        if (truth < 20_000) {
          assertThat(ThroughputSearch.at(all, IDLE, level, TOLERANCE).orElseThrow())
              .as("world %s level %s", world, level)
              .isCloseTo(truth, within(0.05 * truth + 1));
        }
      }
    }
  }

  @Test
  void aLevelOutOfReachEndsTheSearch() {
    List<Measurement> all = new ArrayList<>();
    assertThat(search(r -> IDLE + r / 1_000, 300, new double[] {0.8}, 300, all)).isLessThan(20);
    assertThat(ThroughputSearch.at(all, IDLE, 0.8, TOLERANCE)).isEmpty();
    assertThat(ThroughputSearch.next(all, IDLE, 0.02, TOLERANCE, 300)).isEmpty();
  }

  @Test
  void measurementsWithErrorsAllCount() {
    Random random = new Random(11);
    double all = 0;
    double nearest = 0;
    for (int world = 0; world < 200; world++) {
      List<Measurement> known = new ArrayList<>();
      for (int i = 1; i <= 12; i++) {
        double ops = 80.0 * i;
        double error = 0.05 * random.nextGaussian();
        known.add(new Measurement(ops, Math.max(0, IDLE + ops / 1_000 + error), 0, 1, 10));
      }
      double found = ThroughputSearch.at(known, IDLE, 0.5, TOLERANCE).orElseThrow();
      all += Math.abs(found - 470) / 200;
      double next =
          known.stream()
              .min(Comparator.comparingDouble(m -> Math.abs(m.usage() - 0.5)))
              .orElseThrow()
              .opsPerSecond();
      nearest += Math.abs(next - 470) / 200;
    }
    assertThat(all).isLessThan(35).isLessThan(0.8 * nearest);
  }
}
