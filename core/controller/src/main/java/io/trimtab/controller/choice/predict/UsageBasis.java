package io.trimtab.controller.choice.predict;

import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.engineapi.Profile;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.UsageEstimate;
import io.trimtab.models.usage.UsageModel.Load;
import java.util.Optional;

/** What the usage of nodes is predicted from. */
public sealed interface UsageBasis {
  /** Usage without load. */
  Forecast none();

  /**
   * Usage of a usual node by what it holds, uncorrected.
   *
   * @param missFactor how many times as many blocks its cache misses as one that evicts what was
   *     used longest ago
   */
  Forecast forecast(Demand held, Memory memory, double missFactor);

  /**
   * How many times as many blocks a node's cache misses as one that evicts what was used longest
   * ago; 1 where misses are of no account. Some twenty times as much work as a prediction.
   */
  double missFactor(Demand held, Memory memory);

  /** Whether CPU and disk are told apart. */
  boolean isApart();

  /** What a cached block is worth: seconds of a node that one more miss costs. */
  double missSeconds();

  /** What kind of basis this is. */
  Origin origin();

  /** The end of "predicted from …". */
  String title();

  /**
   * A model of what requests cost, and the blocks that they ask for.
   *
   * @param seen part of how busy disks are that the model tells as waits, in (0, 1]: see {@link
   *     SeenWaits}
   */
  record Costs(UsageEstimate model, Origin origin, String title, double seen)
      implements UsageBasis {
    private static final double MEMSTORE_MEASURED = Profile.HOMOGENEOUS.memstoreFraction();

    /** Of what updates cost, the part that is flushes and compactions (ours). */
    private static final double REWRITTEN = 0.5;

    /** Share of the requests; of so few misses no factor can be told. */
    private static final double NEXT_TO_NOTHING = 1e-3;

    /** The same that tells another part of how busy disks are. */
    public Costs seeing(double share) {
      return new Costs(model, origin, title, share);
    }

    @Override
    public Forecast none() {
      return forecast(Load.NONE, 0);
    }

    @Override
    public Forecast forecast(Demand held, Memory memory, double missFactor) {
      double hits = held.cache().hitRatio(memory.cacheBytes());
      // To the last digit where the factor is 1.
      double more = (1 - hits) * (1 - missFactor);
      Load load = held.load().withHitRatio(Math.max(0, Math.min(1, hits + more)));
      return forecast(load, moreRewrites(memory));
    }

    /**
     * @param rewrites what is rewritten more than where the model was measured, as a share
     */
    private Forecast forecast(Load load, double rewrites) {
      Load updates = Load.withoutScans(1, 0, load.updates(), load.updateBytes());
      double rewritten = load.updates() == 0 ? 0 : REWRITTEN * rewrites;
      double more = rewritten == 0 ? 0 : rewritten * (model.usage(updates) - model.idle());
      double usage = model.usage(load) + more;
      Optional<UsageEstimate.Parts> parts = model.parts(load);
      if (parts.isEmpty()) {
        return Forecast.of(usage, model.deviation(load));
      }
      double cpu = parts.get().cpu();
      double wait = parts.get().waiting();
      if (rewritten != 0) {
        UsageEstimate.Parts without = model.parts(Load.NONE).orElseThrow();
        UsageEstimate.Parts with = model.parts(updates).orElseThrow();
        cpu += rewritten * (with.cpu() - without.cpu());
        wait += rewritten * (with.waiting() - without.waiting());
      }
      return new Forecast(cpu, wait / seen, usage, model.deviation(load));
    }

    @Override
    public double missFactor(Demand held, Memory memory) {
      double missed = memory.twoParts() ? 1 - held.cache().hitRatio(memory.cacheBytes()) : 0;
      return missed > NEXT_TO_NOTHING
          ? (1 - held.cache().hitRatioOfTwoParts(memory.cacheBytes())) / missed
          : 1;
    }

    @Override
    public boolean isApart() {
      return model.parts(Load.NONE).isPresent();
    }

    @Override
    public double missSeconds() {
      return model.missSeconds();
    }

    /**
     * With a smaller memstore, flushes are smaller and what they wrote is rewritten more often: by
     * the square root of the sizes (ours; a model is measured with one size only).
     */
    private static double moreRewrites(Memory memory) {
      return Math.sqrt(MEMSTORE_MEASURED / memory.memstoreShare()) - 1;
    }
  }

  /**
   * Requests alone: a partition causes as much of its node's usage as it has of its requests, and
   * takes that along wherever it goes.
   *
   * @param why nothing better is known
   */
  record Requests(String why) implements UsageBasis {
    /** Of what is predicted, one standard deviation: caches are not known of. */
    private static final double UNCERTAIN = 0.1;

    private static final double MISS_SECONDS = 5e-4;

    /** Share of a node's blocks that are taken to be read from disk where it does not tell. */
    public static final double MISSES = 0.1;

    /** Before anything was learned. */
    private static final UsageEstimate USUAL = CostLearner.NOTHING.costs();

    /**
     * What a node would use beyond idle for requests, if they cost what such requests usually do.
     *
     * @param missed share of the blocks that are not in its cache, in [0, 1]
     */
    public static double usual(Load load, double missed) {
      return USUAL.usage(load.withHitRatio(1 - missed)) - USUAL.idle();
    }

    @Override
    public Forecast none() {
      return Forecast.of(0, 0);
    }

    @Override
    public Forecast forecast(Demand held, Memory memory, double missFactor) {
      return Forecast.of(held.alone(), UNCERTAIN * held.alone());
    }

    @Override
    public double missFactor(Demand held, Memory memory) {
      return 1;
    }

    @Override
    public boolean isApart() {
      return false;
    }

    @Override
    public double missSeconds() {
      return MISS_SECONDS;
    }

    @Override
    public Origin origin() {
      return Origin.REQUESTS;
    }

    @Override
    public String title() {
      return Origin.REQUESTS.title() + " (" + why + ")";
    }
  }
}
