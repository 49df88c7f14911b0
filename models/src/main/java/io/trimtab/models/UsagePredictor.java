package io.trimtab.models;

import io.trimtab.models.UsageModel.Load;
import io.trimtab.models.UsageModel.Measurement;
import io.trimtab.models.UsageModel.Prediction;
import io.trimtab.models.UsageModel.ReadPoint;
import io.trimtab.models.UsageModel.UpdatePoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Predicts with a {@link UsageModel}; its curves are drawn once. Immutable. */
public final class UsagePredictor {
  /** A predicted share has this many standard deviations to either side: 95 %. */
  private static final double WIDTH = 1.96;

  private static final int HALVINGS = 100;

  /** How far below the smallest measured hit ratio nothing is said yet. */
  private static final double HIT_RATIO_SLACK = 0.01;

  private final UsageModel model;
  private final double[] levels;

  /** Seconds between two reads, over the miss ratio, at each level. */
  private final MonotoneSpline[] readSeconds;

  private final double smallestHitRatio;
  private final double[] leastMissRatio;
  private final MonotoneSpline updateUsage;
  private final double updatesMost;
  private final double readResidual;
  private final double updateResidual;

  public UsagePredictor(UsageModel model) {
    this.model = model;
    levels = model.reads().stream().mapToDouble(ReadPoint::level).distinct().sorted().toArray();
    readSeconds = new MonotoneSpline[levels.length];
    leastMissRatio = new double[levels.length];
    for (int i = 0; i < levels.length; i++) {
      drawReads(i);
    }
    smallestHitRatio = model.reads().stream().mapToDouble(ReadPoint::hitRatio).min().orElse(1);
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
    // What is beyond the highest level, as a search's first try may be, says nothing of the curve:
    // a node that has no more to give is used the same by any load.
    readResidual =
        residual(
            model.reads().stream()
                .flatMap(p -> p.runs().stream())
                .filter(run -> run.opsPerSecond() <= opsAt(levels.length - 1, run.hitRatio()))
                .toList(),
            run -> readUsage(run.hitRatio(), run.opsPerSecond()));
    updateResidual =
        residual(
            model.updates().stream()
                .flatMap(p -> p.runs().stream())
                .filter(run -> run.opsPerSecond() <= updatesMost)
                .toList(),
            run -> updateUsage.at(run.opsPerSecond()));
  }

  private void drawReads(int level) {
    double[] missRatio = new double[model.reads().size()];
    double[] seconds = new double[missRatio.length];
    int n = 0;
    var points =
        model.reads().stream()
            .filter(p -> p.level() == levels[level])
            .sorted(Comparator.comparingDouble(p -> 1 - p.hitRatio()))
            .toList();
    for (ReadPoint point : points) {
      double miss = 1 - point.hitRatio();
      if (n == 0 || miss > missRatio[n - 1]) {
        missRatio[n] = miss;
        seconds[n++] = 1 / point.opsPerSecond();
      }
    }
    leastMissRatio[level] = missRatio[0];
    readSeconds[level] = new MonotoneSpline(Arrays.copyOf(missRatio, n), Arrays.copyOf(seconds, n));
  }

  private static double residual(List<Measurement> runs, ToDoubleFunction<Measurement> usage) {
    return Math.sqrt(
        runs.stream()
            .mapToDouble(run -> Math.pow(run.usage() - usage.applyAsDouble(run), 2))
            .average()
            .orElse(0));
  }

  /** Usage alone, without interval or reasons: for searches over many loads. */
  public double usage(Load load) {
    double points = readUsage(load.hitRatio(), load.reads() + load.scans()) - model.idle();
    return points + scanExtra(load) + updates(load.updates()) + compaction(load);
  }

  /** As {@link UsageModel#predict}. */
  public Prediction predict(Load load) {
    double single = load.reads() + load.scans();
    double points = readUsage(load.hitRatio(), single) - model.idle();
    double readPart = single > 0 ? points * load.reads() / single : 0;
    double scanPart = points - readPart + scanExtra(load);
    double updatePart = updates(load.updates()) - model.idle();
    List<String> beyond = beyond(load);
    double usage = model.idle() + readPart + scanPart + updatePart + compaction(load);
    double width = WIDTH * deviation(load) * (beyond.isEmpty() ? 1 : 2);
    return new Prediction(
        usage,
        Math.max(0, usage - width),
        usage + width,
        readPart,
        scanPart,
        updatePart,
        compaction(load),
        beyond);
  }

  private List<String> beyond(Load load) {
    var beyond = new ArrayList<String>();
    double single = load.reads() + load.scans();
    if (single > 0 && load.hitRatio() < smallestHitRatio - HIT_RATIO_SLACK) {
      beyond.add("hit ratio below the measured " + percent(smallestHitRatio));
    }
    if (single > opsAt(levels.length - 1, load.hitRatio())) {
      beyond.add(
          "more reads than at the highest measured usage, " + percent(levels[levels.length - 1]));
    }
    if (load.updates() > updatesMost && updatesMost > 0) {
      beyond.add(
          "more updates than at the highest measured usage, "
              + percent(updateUsage.at(updatesMost)));
    }
    return beyond;
  }

  /** As {@link UsageModel#headroom}. */
  public double headroom(Load load, double wanted) {
    if (!(wanted > 0 && wanted <= 1)) {
      throw new IllegalArgumentException("the usage must be in (0, 1], not " + wanted);
    }
    double largest = Math.max(load.reads(), Math.max(load.scans(), load.updates()));
    if (model.idle() >= wanted || largest == 0) {
      return 0;
    }
    double most = UsageModel.SEARCH_MAX / Math.max(1, largest);
    double low = 0;
    double high = Math.min(1, most);
    while (usage(load.times(high)) < wanted) {
      low = high;
      high *= 2;
      if (high > most) {
        return most;
      }
    }
    for (int i = 0; i < HALVINGS && high - low > 1e-9 * high; i++) {
      double middle = (low + high) / 2;
      if (usage(load.times(middle)) < wanted) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Linear between levels, and on beyond the highest. */
  private double readUsage(double hitRatio, double perSecond) {
    if (perSecond == 0) {
      return model.idle();
    }
    double fromOps = 0;
    double fromUsage = model.idle();
    double slope = 0;
    for (int i = 0; i < levels.length; i++) {
      // A curve that dips under the level below it would make usage fall with throughput.
      double ops = Math.max(fromOps * (1 + 1e-9) + 1e-9, opsAt(i, hitRatio));
      slope = (levels[i] - fromUsage) / (ops - fromOps);
      if (perSecond <= ops || i == levels.length - 1) {
        break;
      }
      fromOps = ops;
      fromUsage = levels[i];
    }
    return fromUsage + slope * (perSecond - fromOps);
  }

  private double opsAt(int level, double hitRatio) {
    double miss = Math.max(1 - hitRatio, leastMissRatio[level]);
    return 1 / Math.max(1e-9, readSeconds[level].at(miss));
  }

  private double scanExtra(Load load) {
    if (load.scans() == 0) {
      return 0;
    }
    if (model.scans() == null) {
      throw new IllegalArgumentException("the model has no scans; build it with them");
    }
    double blocks = load.blocksPerScan() - 1;
    return load.scans()
        * (model.scans().row() * (load.scanLength() - 1)
            + model.scans().column() * (load.columns() - 1) * load.scanLength()
            + model.scans().blockHit() * blocks * load.hitRatio()
            + model.scans().blockMiss() * blocks * (1 - load.hitRatio()));
  }

  /** Usage with updates alone. */
  private double updates(double perSecond) {
    if (perSecond == 0) {
      return model.idle();
    }
    if (updatesMost == 0) {
      throw new IllegalArgumentException("the model has no updates; build it with them");
    }
    return updateUsage.at(perSecond);
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
  private double deviation(Load load) {
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

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }
}
