package io.trimtab.simulator.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReplicaSimulationTest {
  private static ReplicaModel model(long requests, long seed) {
    return new ReplicaModel(
        50, 4, 4, ServiceTimes.EXPONENTIAL, 3, 150, 0.25, 0.7, 50, 3, 0.1, requests, 0, seed);
  }

  private static ReplicaResult run(ReplicaModel model, String ranking) {
    return new ReplicaSimulation(model, SimulatedRanking.of(ranking)).run();
  }

  @Test
  void theSameSeedGivesTheSame() {
    ReplicaResult one = run(model(20_000, 3), "trimtab");
    ReplicaResult again = run(model(20_000, 3), "trimtab");
    ReplicaResult other = run(model(20_000, 4), "trimtab");

    assertThat(again.meanMs()).isEqualTo(one.meanMs());
    assertThat(again.latencies()).isEqualTo(one.latencies());
    assertThat(other.meanMs()).isNotEqualTo(one.meanMs());
  }

  @Test
  void whoeverKnowsMoreIsFaster() {
    double before = 0;
    for (String name : List.of("oracle", "trimtab", "c3", "least-outstanding", "random")) {
      double mean = run(model(60_000, 1), name).meanMs();
      assertThat(mean).as(name).isGreaterThan(before);
      before = mean;
    }
  }

  /** Erlang's formula C: four workers at 70 % make requests wait for 0.357 of a service time. */
  @Test
  void aServerAloneIsAnMMcQueue() {
    ReplicaModel alone =
        new ReplicaModel(1, 4, 4, ServiceTimes.EXPONENTIAL, 1, 1, 0, 0.7, 50, 1, 0, 400_000, 0, 1);

    assertThat(alone.arrivalsPerSecond()).isCloseTo(700, within(1e-9));
    assertThat(run(alone, "random").meanMs()).isCloseTo(4 * (1 + 0.357), within(0.1));
  }

  @Test
  void shadowReadsUseCapacity() {
    assertThat(model(1, 1).realUtilization()).isCloseTo(0.84, within(1e-9));
  }

  @Test
  void serviceTimesHaveTheMeanOne() {
    Random random = new Random(5);
    for (ServiceTimes times : ServiceTimes.values()) {
      double sum = 0;
      for (int i = 0; i < 400_000; i++) {
        sum += times.next(random);
      }
      assertThat(sum / 400_000).as(times.name()).isCloseTo(1, within(0.03));
    }
  }

  @Test
  void eventsComeByTimeAndThenByOrder() {
    Random random = new Random(1);
    Events events = new Events();
    TreeMap<Long, List<Integer>> expected = new TreeMap<>();
    for (int i = 0; i < 5_000; i++) {
      long time = random.nextInt(500);
      events.add(time, i);
      expected.computeIfAbsent(time, t -> new ArrayList<>()).add(i);
    }
    expected.forEach(
        (time, numbers) ->
            numbers.forEach(
                number -> {
                  assertThat(events.nextTime()).isEqualTo(time);
                  assertThat(events.take()).isEqualTo(number);
                }));
    assertThat(events.isEmpty()).isTrue();
  }
}
