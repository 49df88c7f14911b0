package io.trimtab.models.usage;

import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsageModel.Measurement;
import io.trimtab.models.usage.UsageModel.Prediction;
import io.trimtab.models.usage.UsageModel.ReadPoint;
import io.trimtab.models.usage.UsageModel.UpdatePoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Predicts with a {@link UsageModel}; its costs are found once. Immutable. */
public final class UsagePredictor implements UsageEstimate {
  /** A predicted share has this many standard deviations to either side: 95 %. */
  private static final double WIDTH = 1.96;

  private static final int HALVINGS = 100;

  /** How far below the smallest measured hit ratio nothing is said yet. */
  private static final double HIT_RATIO_SLACK = 0.01;

  /** How far above the highest level a measurement still says something of it, in usage. */
  private static final double LEVEL_SLACK = 0.08;

  private final UsageModel model;
  private final RequestCosts costs;
  private final double scanCall;
  private final double smallestHitRatio;
  private final double highestLevel;
  private final MonotoneSpline updateUsage;
  private final double updatesMost;
  private final double readResidual;
  private final double updateResidual;

  public UsagePredictor(UsageModel model) {
    this.model = model;
    smallestHitRatio = model.reads().stream().mapToDouble(ReadPoint::hitRatio).min().orElse(1);
    highestLevel = model.reads().stream().mapToDouble(ReadPoint::level).max().orElse(1);
    List<Measurement> reads = measured(model.reads());
    costs = RequestCosts.fit(reads, model.idle());
    scanCall = scanCall();
    var ops = new ArrayList<Double>(List.of(0.0));
    var usage = new ArrayList<Double>(List.of(model.idle()));
    model.updates().stream()
        .sorted(Comparator.comparingDouble(UpdatePoint::opsPerSecond))
        .filter(p -> p.opsPerSecond() > ops.get(ops.size() - 1))
        .forEach(
            p -> {
              ops.add(p.opsPerSecond());
              usage.add(Math.max(p.level(), usage.get(usage.size() - 1)));
            });
    updateUsage = new MonotoneSpline(array(ops), array(usage));
    updatesMost = ops.get(ops.size() - 1);
    readResidual = residual(reads, run -> readUsage(run.hitRatio(), run.opsPerSecond()));
    updateResidual =
        residual(
            model.updates().stream()
                .flatMap(p -> p.runs().stream())
                .filter(run -> run.opsPerSecond() <= updatesMost)
                .toList(),
            run -> updateUsage.at(run.opsPerSecond()));
  }

  /**
   * What was measured; where that is not told, the points that were made of it. A run that served
   * nothing says nothing, and what is beyond the highest level, as a search's first try may be,
   * neither: a node that has no more to give is used the same by any load.
   */
  private List<Measurement> measured(List<ReadPoint> points) {
    List<Measurement> runs =
        points.stream()
            .flatMap(p -> p.runs().stream())
            .filter(run -> run.opsPerSecond() > 0 && !Double.isNaN(run.hitRatio()))
            .filter(run -> run.usage() <= highestLevel + LEVEL_SLACK)
            .toList();
    return runs.isEmpty()
        ? points.stream()
            .map(p -> new Measurement(p.opsPerSecond(), p.level(), 0, p.hitRatio(), 0))
            .toList()
        : runs;
  }

  /** What a scan's further call costs; where it was not measured, no more than a cached read. */
  private double scanCall() {
    UsageModel.ScanCosts scans = model.scans();
    return scans == null || scans.call() == null ? costs.reading(1, 1) : scans.call();
  }

  private static double residual(List<Measurement> runs, ToDoubleFunction<Measurement> usage) {
    return Math.sqrt(
        runs.stream()
            .mapToDouble(run -> Math.pow(run.usage() - usage.applyAsDouble(run), 2))
            .average()
            .orElse(0));
  }

  @Override
  public double idle() {
    return model.idle();
  }

  @Override
  public double missSeconds() {
    return costs.perMiss();
  }

  /** Usage alone, without interval or reasons: for searches over many loads. */
  @Override
  public double usage(Load load) {
    double single = load.reads() + load.scans();
    return model.idle()
        + costs.waking(single + load.updates())
        + costs.reading(load.hitRatio(), single)
        + scanExtra(load)
        + updates(load.updates())
        + compaction(load);
  }

  /** As {@link UsageModel#predict}. */
  public Prediction predict(Load load) {
    double single = load.reads() + load.scans();
    double requests = single + load.updates();
    // Whoever asks more often keeps the node awake more.
    double waking = requests > 0 ? costs.waking(requests) / requests : 0;
    double read = costs.reading(load.hitRatio(), 1) + waking;
    List<String> beyond = beyond(load);
    double usage = usage(load);
    double width = WIDTH * deviation(load) * (beyond.isEmpty() ? 1 : 2);
    return new Prediction(
        usage,
        Math.max(0, usage - width),
        usage + width,
        load.reads() * read,
        load.scans() * read + scanExtra(load),
        load.updates() * waking + updates(load.updates()),
        compaction(load),
        beyond);
  }

  private List<String> beyond(Load load) {
    var beyond = new ArrayList<String>();
    double single = load.reads() + load.scans();
    if (single > 0 && load.hitRatio() < smallestHitRatio - HIT_RATIO_SLACK) {
      beyond.add("hit ratio below the measured " + percent(smallestHitRatio));
    }
    if (readUsage(load.hitRatio(), single) > highestLevel + 1e-9) {
      beyond.add("more reads than at the highest measured usage, " + percent(highestLevel));
    }
    boolean called = model.scans() != null && model.scans().call() != null;
    if (load.scans() > 0 && load.scan().calls() > 1 && !called) {
      beyond.add("further calls of a scan, which the model has not measured");
    }
    if (load.updates() > updatesMost && updatesMost > 0) {
      beyond.add(
          "more updates than at the highest measured usage, "
              + percent(updateUsage.at(updatesMost)));
    }
    return beyond;
  }

  /** As {@link UsageModel#headroom}. */
  public double headroom(Load load, double targetUsage) {
    if (!(targetUsage > 0 && targetUsage <= 1)) {
      throw new IllegalArgumentException("the usage must be in (0, 1], not " + targetUsage);
    }
    double largest = Math.max(load.reads(), Math.max(load.scans(), load.updates()));
    if (model.idle() >= targetUsage || largest == 0) {
      return 0;
    }
    double most = UsageModel.SEARCH_MAX / Math.max(1, largest);
    double low = 0;
    double high = Math.min(1, most);
    while (usage(load.times(high)) < targetUsage) {
      low = high;
      high *= 2;
      if (high > most) {
        return most;
      }
    }
    for (int i = 0; i < HALVINGS && high - low > 1e-9 * high; i++) {
      double middle = (low + high) / 2;
      if (usage(load.times(middle)) < targetUsage) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private double readUsage(double hitRatio, double perSecond) {
    return model.idle() + costs.waking(perSecond) + costs.reading(hitRatio, perSecond);
  }

  private double scanExtra(Load load) {
    if (load.scans() == 0) {
      return 0;
    }
    if (model.scans() == null) {
      throw new IllegalArgumentException("the model has no scans; build it with them");
    }
    ScanShape scan = load.scan();
    double blocks = scan.blocks() - 1;
    return load.scans()
        * (model.scans().row() * (scan.rows() - 1)
            + model.scans().column() * (scan.columns() - 1) * scan.rows()
            + model.scans().blockHit() * blocks * load.hitRatio()
            + model.scans().blockMiss() * blocks * (1 - load.hitRatio())
            + scanCall * (scan.calls() - 1));
  }

  /** What updates use beyond keeping the node awake, which other requests may do already. */
  private double updates(double perSecond) {
    if (perSecond == 0) {
      return 0;
    }
    if (updatesMost == 0) {
      throw new IllegalArgumentException("the model has no updates; build it with them");
    }
    return Math.max(0, updateUsage.at(perSecond) - model.idle() - costs.waking(perSecond));
  }

  private double compaction(Load load) {
    return model.compaction() == null || load.updates() == 0
        ? 0
        : load.updates()
            * load.updateBytes()
            * model.compaction().rewrites()
            * model.compaction().perByte();
  }

  /** Standard deviation of a prediction: of the model's own measurements about it. */
  @Override
  public double deviation(Load load) {
    double squares = 0;
    if (load.reads() + load.scans() > 0) {
      squares += readResidual * readResidual;
    }
    if (load.scans() > 0) {
      squares += Math.pow(model.scans().residual(), 2);
    }
    if (load.updates() > 0) {
      squares += updateResidual * updateResidual;
    }
    return Math.sqrt(squares);
  }

  double readResidual() {
    return readResidual;
  }

  double updateResidual() {
    return updateResidual;
  }

  RequestCosts costs() {
    return costs;
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }
}
