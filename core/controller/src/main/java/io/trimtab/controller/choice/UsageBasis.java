package io.trimtab.controller.choice;

import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.engineapi.Profile;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.UsageEstimate;
import io.trimtab.models.usage.UsageModel.Load;

/** What the usage of nodes is predicted from. */
sealed interface UsageBasis {
  /** Usage without load. */
  double idle();

  /** Usage of a node by what it holds, uncorrected. */
  Forecast forecast(Demand held, Memory memory);

  /** What a cached block is worth: seconds of a node that one more miss costs. */
  double missSeconds();

  /** What kind of basis this is. */
  Origin origin();

  /** The end of "predicted from …". */
  String title();

  /** A model of what requests cost, and the blocks that they ask for. */
  record Costs(UsageEstimate model, Origin origin, String title) implements UsageBasis {
    private static final double MEMSTORE_MEASURED = Profile.HOMOGENEOUS.memstoreFraction();

    /** Of what updates cost, the part that is flushes and compactions (ours). */
    private static final double REWRITTEN = 0.5;

    @Override
    public double idle() {
      return model.idle();
    }

    @Override
    public Forecast forecast(Demand held, Memory memory) {
      Load load = held.load().withHitRatio(held.cache().hitRatio(memory.cacheBytes()));
      return new Forecast(model.usage(load) + rewrites(load, memory), model.deviation(load));
    }

    @Override
    public double missSeconds() {
      return model.missSeconds();
    }

    /**
     * With a smaller memstore, flushes are smaller and what they wrote is rewritten more often: by
     * the square root of the sizes (ours; a model is measured with one size only).
     */
    private double rewrites(Load load, Memory memory) {
      if (load.updates() == 0) {
        return 0;
      }
      Load updates = Load.withoutScans(1, 0, load.updates(), load.updateBytes());
      double more = Math.sqrt(MEMSTORE_MEASURED / memory.memstoreShare()) - 1;
      return REWRITTEN * (model.usage(updates) - model.idle()) * more;
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

    /** Before anything was learned. */
    private static final UsageEstimate USUAL = CostLearner.NOTHING.costs();

    /**
     * What a node would use beyond idle for requests, if they cost what such requests usually do.
     *
     * @param missed share of the blocks that are not in its cache, in [0, 1]
     */
    static double usual(Load load, double missed) {
      return USUAL.usage(load.withHitRatio(1 - missed)) - USUAL.idle();
    }

    @Override
    public double idle() {
      return 0;
    }

    @Override
    public Forecast forecast(Demand held, Memory memory) {
      return new Forecast(held.alone(), UNCERTAIN * held.alone());
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
