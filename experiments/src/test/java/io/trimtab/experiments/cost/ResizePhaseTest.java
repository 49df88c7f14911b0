package io.trimtab.experiments.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.workload.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ResizePhaseTest {
  private final List<Sample> samples = new ArrayList<>();
  private final SecondLatencies latencies = new SecondLatencies();

  /** Operations that all took as long. */
  private void second(long operations, long micros) {
    Histogram all = new Histogram(3);
    all.recordValueWithCount(micros, operations);
    latencies.latencies("t", all);
    int second = samples.size();
    samples.add(
        new Sample(second, "t", operations, 1, 0, 0, 0, micros, micros, micros, micros, micros));
  }

  private List<String> row(int from, int to) {
    return new ResizePhase("it joins", from, to, 2.6, new TreeMap<>()).row(samples, latencies);
  }

  /** Of 2,010 operations 10 were slow: not the hundredth part. */
  @Test
  void aPhasesPercentileIsThatOfItsOperationsAndNotOfItsSeconds() {
    second(5, 5_000_000);
    second(1_000, 10_000);
    second(10, 900_000);
    second(1_000, 10_000);
    second(500, 700_000);

    assertThat(row(1, 4)).containsExactly("it joins", "2.6", "670", "670", "10", "3", "0");
    assertThat(row(0, 3).get(4)).as("15 of 1,015 were slow").isEqualTo("900");
  }

  @Test
  void whereNothingEndedThereIsNoPercentile() {
    second(1_000, 10_000);
    second(0, 0);

    assertThat(row(1, 2).get(4)).isEqualTo("NaN");
    assertThat(row(0, 2).get(4)).isEqualTo("10");
  }
}
