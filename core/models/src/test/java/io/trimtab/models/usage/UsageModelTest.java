package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsageModel.Measurement;
import io.trimtab.models.usage.UsageModel.ReadPoint;
import io.trimtab.models.usage.UsageModel.UpdatePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UsageModelTest {
  private static final double IDLE = 0.03;
  private static final double HIT = 1e-4;
  private static final double MISS = 6e-3;
  private static final double UPDATE = 4e-4;

  /** A node where each hit, miss and update costs the same whatever else happens. */
  private static double truth(double hitRatio, double reads, double updates) {
    return IDLE + reads * (HIT + (1 - hitRatio) * MISS) + updates * UPDATE;
  }

  private static UsageModel model() {
    List<ReadPoint> reads = new ArrayList<>();
    List<UpdatePoint> updates = new ArrayList<>();
    for (double level : new double[] {0.2, 0.4, 0.6, 0.8}) {
      for (double hits : new double[] {1, 0.9, 0.7, 0.5}) {
        double ops = (level - IDLE) / (HIT + (1 - hits) * MISS);
        reads.add(
            new ReadPoint(
                hits,
                level,
                ops,
                List.of(
                    new Measurement(ops, level + 0.01, 0, hits, 10),
                    new Measurement(ops, level - 0.01, 0, hits, 10))));
      }
      updates.add(new UpdatePoint(level, (level - IDLE) / UPDATE, List.of()));
    }
    return new UsageModel(
        UsageModel.SCHEMA,
        "hbase",
        new TreeMap<>(),
        IDLE,
        reads,
        updates,
        new UsageModel.ScanCosts(1e-5, 1e-6, 2e-5, 6e-3, 8e-5, 0.01),
        new UsageModel.CompactionCost(1e-8, 2));
  }

  @Test
  void readsBetweenTheMeasuredPointsAreToldToTheirPlace() {
    UsageModel model = model();
    for (double hits : new double[] {1, 0.97, 0.9, 0.83, 0.75, 0.6, 0.5}) {
      for (double usage : new double[] {0.05, 0.3, 0.5, 0.79}) {
        double reads = (usage - IDLE) / (HIT + (1 - hits) * MISS);
        assertThat(model.predict(Load.ofReads(hits, reads)).usage())
            .as("%s hits, %s reads", hits, reads)
            .isCloseTo(usage, within(0.002));
      }
    }
  }

  @Test
  void thePartsAddUp() {
    Load load = new Load(0.9, 100, 10, new ScanShape(4, 31, 2, 2), 200, 1_000);
    UsageModel.Prediction p = model().predict(load);

    assertThat(p.reads()).isCloseTo(100 * (HIT + 0.1 * MISS), within(0.002));
    assertThat(p.updates()).isCloseTo(200 * UPDATE, within(1e-9));
    assertThat(p.compaction()).isCloseTo(200 * 1_000 * 2 * 1e-8, within(1e-9));
    double extra = 10 * (1e-5 * 30 + 1e-6 * 31 + 2e-5 * 0.9 + 6e-3 * 0.1 + 8e-5 * 3);
    assertThat(p.scans()).isCloseTo(10 * (HIT + 0.1 * MISS) + extra, within(0.002));
    assertThat(p.usage())
        .isCloseTo(IDLE + p.reads() + p.scans() + p.updates() + p.compaction(), within(1e-12));
    assertThat(p.extrapolated()).isEmpty();
  }

  @Test
  void aScanOfOneRowIsARead() {
    Load scans = new Load(0.8, 0, 50, ScanShape.ONE_ROW, 0, 0);
    assertThat(model().predict(scans).usage())
        .isCloseTo(model().predict(Load.ofReads(0.8, 50)).usage(), within(1e-12));
  }

  /** The unit is the scan: its rows and blocks are those of all its calls. */
  @Test
  void theSameRowsInMoreCallsCostTheCalls() {
    UsageModel model = model();
    Load once = new Load(0.9, 0, 5, new ScanShape(1, 1_000, 1, 32), 0, 0);
    Load often = new Load(0.9, 0, 5, new ScanShape(10, 1_000, 1, 32), 0, 0);
    assertThat(model.predict(often).usage() - model.predict(once).usage())
        .isCloseTo(5 * 9 * 8e-5, within(1e-12));
  }

  /** As in a file that an earlier version wrote. */
  @Test
  void aModelWithoutTheCostOfACallTakesItForACachedReadAndSaysSo() {
    UsageModel model = model();
    UsageModel older =
        new UsageModel(
            UsageModel.SCHEMA,
            "hbase",
            new TreeMap<>(),
            IDLE,
            model.reads(),
            model.updates(),
            new UsageModel.ScanCosts(1e-5, 1e-6, 2e-5, 6e-3, null, 0.01),
            null);
    Load once = new Load(0.9, 0, 5, new ScanShape(1, 100, 1, 4), 0, 0);
    Load often = new Load(0.9, 0, 5, new ScanShape(10, 100, 1, 4), 0, 0);
    assertThat(older.predict(once).extrapolated()).isEmpty();
    UsageModel.Prediction p = older.predict(often);
    assertThat(p.usage() - older.predict(once).usage()).isCloseTo(5 * 9 * HIT, within(1e-4));
    assertThat(p.extrapolated())
        .containsExactly("further calls of a scan, which the model has not measured");
    assertThat(model.predict(often).extrapolated()).isEmpty();
  }

  @Test
  void scansTogetherHaveTheirMeansAndArePartedAgain() {
    Load one = new Load(1, 10, 1, new ScanShape(1, 10, 1, 2), 0, 0);
    Load other = new Load(1, 0, 3, new ScanShape(5, 50, 10, 4), 4, 100);
    Load both = one.plus(other);
    assertThat(both.scans()).isEqualTo(4);
    assertThat(both.scan().calls()).isEqualTo(4);
    assertThat(both.scan().rows()).isEqualTo(40);
    // 10 rows of one column and 150 of ten.
    assertThat(both.scan().columns()).isCloseTo(1_510 / 160.0, within(1e-12));
    assertThat(both.scan().blocks()).isEqualTo(3.5);
    double parts = model().predict(one).scans() + model().predict(other).scans();
    assertThat(parts).isGreaterThan(0.004);
    assertThat(model().predict(both).scans()).isCloseTo(parts, within(1e-4));
    Load left = both.minus(other);
    assertThat(left.scans()).isEqualTo(1);
    assertThat(left.scan().columns()).isCloseTo(1, within(1e-9));
    assertThat(left.scan().rows()).isCloseTo(10, within(1e-9));
    assertThat(left.scan().calls()).isCloseTo(1, within(1e-9));
    assertThat(both.minus(one).minus(other).scans()).isZero();
  }

  @Test
  void aNodeIsWokenOnceByReadsAndUpdatesTogether() {
    RequestCosts costs = new RequestCosts(0.4, 20, HIT, MISS);
    List<ReadPoint> reads = new ArrayList<>();
    for (double ops : new double[] {5, 10, 20, 40, 80, 160}) {
      double usage = IDLE + costs.waking(ops) + costs.reading(0.9, ops);
      double cached = IDLE + costs.waking(ops) + costs.reading(1, ops);
      reads.add(new ReadPoint(0.9, usage, ops, List.of()));
      reads.add(new ReadPoint(1, cached, ops, List.of()));
    }
    List<UpdatePoint> updates = new ArrayList<>();
    for (double ops : new double[] {5, 10, 20, 40, 80, 160}) {
      updates.add(new UpdatePoint(IDLE + costs.waking(ops) + ops * UPDATE, ops, List.of()));
    }
    UsageModel model =
        new UsageModel(
            UsageModel.SCHEMA, "cassandra", new TreeMap<>(), IDLE, reads, updates, null, null);

    UsageModel.Prediction p = model.predict(Load.withoutScans(0.9, 60, 40, 0));

    double truth = IDLE + costs.waking(100) + costs.reading(0.9, 60) + 40 * UPDATE;
    assertThat(p.usage()).isCloseTo(truth, within(0.01));
    assertThat(p.reads() + p.updates()).isCloseTo(p.usage() - IDLE, within(1e-12));
    assertThat(model.predict(Load.withoutScans(1, 0, 40, 0)).usage())
        .isCloseTo(IDLE + costs.waking(40) + 40 * UPDATE, within(0.01));
  }

  @Test
  void aRunThatServedNothingSaysNothing() {
    UsageModel model = model();
    List<ReadPoint> reads = new ArrayList<>(model.reads());
    Measurement stalled = new Measurement(0, 0.5, 0.5, Double.NaN, 10);
    reads.add(new ReadPoint(0.5, 0.2, 10, List.of(stalled)));
    UsageModel with =
        new UsageModel(UsageModel.SCHEMA, "hbase", new TreeMap<>(), IDLE, reads, null, null, null);
    assertThat(with.predict(Load.ofReads(0.7, 150)).usage())
        .isCloseTo(truth(0.7, 150, 0), within(0.002));
  }

  @Test
  void theIntervalHoldsWhatTheMeasurementsScatter() {
    UsageModel model = model();
    assertThat(model.readResidual()).isCloseTo(0.01, within(1e-6));
    UsageModel.Prediction p = model.predict(Load.ofReads(0.7, 150));
    assertThat(p.high() - p.low()).isCloseTo(2 * 1.96 * 0.01, within(1e-4));
  }

  @Test
  void whatLiesOutsideTheMeasurementsIsSaidAndWider() {
    UsageModel model = model();
    UsageModel.Prediction low = model.predict(Load.ofReads(0.3, 50));
    assertThat(low.extrapolated()).singleElement().asString().contains("hit ratio below");
    assertThat(low.usage()).isCloseTo(truth(0.3, 50, 0), within(0.02));
    assertThat(low.high() - low.low()).isCloseTo(4 * 1.96 * 0.01, within(1e-3));

    UsageModel.Prediction many = model.predict(Load.ofReads(1, 20_000));
    assertThat(many.extrapolated()).singleElement().asString().contains("more reads");
    assertThat(many.usage()).isGreaterThan(1);
    assertThat(model.predict(Load.withoutScans(1, 0, 5_000, 0)).extrapolated())
        .singleElement()
        .asString()
        .contains("more updates");
  }

  @Test
  void usageNeverFallsWithThroughputNorWithMisses() {
    UsageModel model = model();
    double last = 0;
    for (int reads = 0; reads < 10_000; reads += 100) {
      double usage = model.predict(Load.ofReads(0.95, reads)).usage();
      assertThat(usage).isGreaterThanOrEqualTo(last);
      last = usage;
    }
    last = 0;
    for (double hits = 1; hits > 0.2; hits -= 0.01) {
      double usage = model.predict(Load.ofReads(hits, 100)).usage();
      assertThat(usage).isGreaterThanOrEqualTo(last - 1e-9);
      last = usage;
    }
  }

  @Test
  void theHeadroomIsWhereTheUsageIsReached() {
    UsageModel model = model();
    Load load = new Load(0.9, 10, 1, new ScanShape(1, 10, 1, 1), 10, 1_000);
    double times = model.headroom(load, 0.8);
    assertThat(model.predict(load.times(times)).usage()).isCloseTo(0.8, within(1e-6));
    assertThat(model.headroom(load, 0.02)).isZero();
    assertThat(model.headroom(Load.NONE, 0.8)).isZero();
  }

  @Test
  void impossibleInputIsRefused() {
    UsageModel model = model();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Load.ofReads(1.2, 10))
        .withMessage("the hit ratio must be in [0, 1], not 1.2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Load.ofReads(Double.NaN, 10))
        .withMessageContaining("NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Load.ofReads(1, -1))
        .withMessage("reads must be ≥ 0, not -1.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ScanShape(0.5, 1, 1, 1))
        .withMessage("calls per scan must be ≥ 1, not 0.5");
    assertThatIllegalArgumentException().isThrownBy(() -> model.headroom(Load.ofReads(1, 1), 0));
    UsageModel readsOnly =
        new UsageModel(
            UsageModel.SCHEMA, "hbase", new TreeMap<>(), IDLE, model.reads(), null, null, null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> readsOnly.predict(new Load(1, 0, 1, new ScanShape(1, 2, 1, 1), 0, 0)))
        .withMessageContaining("no scans");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> readsOnly.predict(Load.withoutScans(1, 0, 1, 0)))
        .withMessageContaining("no updates");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new UsageModel(2, "hbase", new TreeMap<>(), IDLE, model.reads(), null, null, null))
        .withMessageContaining("schema 2 is not known");
  }

  @Test
  void aFirstTryFarAboveTheHighestLevelDoesNotMakeTheModelUnsure() {
    UsageModel model = model();
    List<UpdatePoint> updates = new ArrayList<>(model.updates());
    double ops = (0.8 - IDLE) / UPDATE;
    updates.set(
        updates.size() - 1,
        new UpdatePoint(
            0.8,
            ops,
            List.of(
                new Measurement(ops, 0.8, 0, 1, 10), new Measurement(3 * ops, 0.99, 0, 1, 10))));
    UsageModel tried =
        new UsageModel(
            UsageModel.SCHEMA, "hbase", new TreeMap<>(), IDLE, model.reads(), updates, null, null);
    assertThat(tried.updateResidual()).isCloseTo(0, within(1e-6));
  }
}
