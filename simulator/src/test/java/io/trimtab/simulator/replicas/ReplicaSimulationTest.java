package io.trimtab.simulator.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReplicaSimulationTest {
  private static final long MS = 1_000_000;

  private static ReplicaModel model(long requests, long seed) {
    return ReplicaModel.of(
        ReplicaModel.CLIENTS,
        ReplicaModel.UTILIZATION,
        ReplicaModel.FLUCTUATION_MS,
        requests,
        seed,
        Disturbances.NONE,
        Shape.PLAIN);
  }

  private static ReplicaModel with(Disturbances disturbances, Shape shape) {
    return new ReplicaModel(
        20,
        4,
        4,
        ServiceTimes.EXPONENTIAL,
        3,
        20,
        0.25,
        0.5,
        50,
        1,
        0,
        40_000,
        0,
        1,
        disturbances,
        shape);
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
        new ReplicaModel(
            1,
            4,
            4,
            ServiceTimes.EXPONENTIAL,
            1,
            1,
            0,
            0.7,
            50,
            1,
            0,
            400_000,
            0,
            1,
            Disturbances.NONE,
            Shape.PLAIN);

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

  @Test
  void disturbancesTakeCapacityAndReadsAreFewerByIt() {
    Disturbances by = new Disturbances(1, 250, 0.5, 2_000, 2, 0.2, 2);

    assertThat(by.left()).isCloseTo(0.9 * 0.8 * 0.75, within(1e-9));
    assertThat(with(by, Shape.PLAIN).arrivalsPerSecond())
        .isCloseTo(with(Disturbances.NONE, Shape.PLAIN).arrivalsPerSecond() * 0.54, within(1e-6));
  }

  @Test
  void pausesMakeTheTail() {
    ReplicaResult calm = run(with(Disturbances.NONE, Shape.PLAIN), "random");
    ReplicaResult stopping =
        run(with(new Disturbances(0.2, 100, 0, 0, 1, 0, 1), Shape.PLAIN), "random");

    assertThat(stopping.percentile(50)).isCloseTo(calm.percentile(50), within(1.0));
    assertThat(stopping.percentile(99.9)).isGreaterThan(calm.percentile(99.9) + 50);
  }

  @Test
  void aSecondReplicaHelpsWhereTheFirstStops() {
    Disturbances by = new Disturbances(0.2, 100, 0, 0, 1, 0, 1);
    ReplicaResult alone = run(with(by, Shape.PLAIN), "random");
    ReplicaResult hedged = run(with(by, new Shape(false, 0, 30)), "random");

    assertThat(alone.hedged()).isZero();
    assertThat(hedged.hedged()).isBetween(0.001, 0.1);
    assertThat(hedged.percentile(99.9)).isLessThan(alone.percentile(99.9) - 20);
  }

  @Test
  void slowServersGetFewerReadsOfWhoeverNotices() {
    Disturbances by = new Disturbances(0, 0, 0, 0, 1, 0.25, 3);

    assertThat(run(with(by, Shape.PLAIN), "random").loadSpread()).isLessThan(0.1);
    assertThat(run(with(by, Shape.PLAIN), "trimtab").loadSpread()).isGreaterThan(0.2);
  }

  @Test
  void aCoordinatorNeedsNoNetworkToItself() {
    double remote = run(with(Disturbances.NONE, Shape.PLAIN), "random").meanMs();
    double local = run(with(Disturbances.NONE, new Shape(true, 0, 0)), "random").meanMs();

    // One read of 20 is of the coordinator's own, without twice 0.25 ms.
    assertThat(remote - local).isCloseTo(0.5 / 20, within(0.02));
  }

  @Test
  void unequalRecordsMakeTheTail() {
    ReplicaResult alike = run(with(Disturbances.NONE, Shape.PLAIN), "random");
    ReplicaResult unequal = run(with(Disturbances.NONE, new Shape(false, 1, 0)), "random");

    assertThat(unequal.percentile(99.9)).isGreaterThan(2 * alike.percentile(99.9));
  }

  /**
   * With 5 clients a server answers each of them 28 times in an interval, by which a rate can be
   * told; with 150 it answers once in five intervals.
   */
  @Test
  void rateControlHoldsBackOnlyWhereARateCanBeTold() {
    ReplicaModel few = ReplicaModel.of(5, 0.7, 50, 100_000, 1, Disturbances.NONE, Shape.PLAIN);

    assertThat(run(few, "c3:rate-control=1").meanMs()).isGreaterThan(run(few, "c3").meanMs());
    assertThat(run(model(60_000, 1), "c3:rate-control=1").throughput())
        .isCloseTo(run(model(60_000, 1), "c3").throughput(), withinPercentage(2));
  }

  @Test
  void theThesisKnowsMoreTheOftenerItScores() {
    ReplicaResult seldom = run(model(60_000, 1), "thesis");
    ReplicaResult always = run(model(60_000, 1), "thesis:period-ms=0.001");

    assertThat(always.meanMs()).isNotCloseTo(seldom.meanMs(), withinPercentage(1));
  }

  @Test
  void whatADiskDoesNotAllowWaitsForTheNextSlice() {
    Disk disk = new Disk(20, 30 * MS);

    assertThat(disk.delay(0)).isZero();
    assertThat(disk.delay(10 * MS)).isZero();
    assertThat(disk.delay(20 * MS)).isEqualTo(50 * MS);
    assertThat(disk.delay(30 * MS)).isEqualTo(40 * MS);
    assertThat(disk.ahead(40 * MS)).isEqualTo(130 * MS);
    assertThat(disk.delay(40 * MS)).isEqualTo(130 * MS);
    disk.limit(10);
    assertThat(disk.delay(40 * MS)).isEqualTo(230 * MS);
    assertThat(disk.delay(1_000 * MS)).isZero();
    assertThat(disk.delay(1_000 * MS)).as("one slice's was left over").isZero();
    assertThat(disk.delay(1_000 * MS)).as("what else was is lost").isEqualTo(70 * MS);
  }

  @Test
  void aSlowDiskIsAvoidedByWhoeverNotices() {
    ReplicaModel disks = ReplicaModel.ofDisks(50_000, 1);
    assertThat(disks.arrivalsPerSecond()).isCloseTo(294, within(1.0));

    ReplicaResult random = run(disks, "random");
    ReplicaResult ours = run(disks, "trimtab");

    assertThat(random.percentile(99)).isGreaterThan(80);
    assertThat(ours.percentile(99)).isLessThan(random.percentile(99) / 4);
    assertThat(ours.percentile(99.9)).isLessThan(100);
  }
}
