package io.trimtab.experiments.latency.simulated;

import io.trimtab.simulator.replicas.Disturbances;
import io.trimtab.simulator.replicas.ReplicaModel;
import io.trimtab.simulator.replicas.Shape;
import java.util.List;
import java.util.Locale;

/**
 * A cluster and load on which rankings are compared in REPLICAS.
 *
 * @param title as the report names it
 * @param rankings that are compared there
 */
record ReplicaCondition(String title, Model model, List<String> rankings) {
  private static final List<String> MAIN =
      List.of(
          "oracle",
          Replicas.OURS,
          Replicas.C3,
          "thesis",
          "least-outstanding",
          "dynamic-snitch-0.1");
  private static final List<String> FEW_CLIENTS =
      List.of(Replicas.OURS, Replicas.C3, "c3:rate-control=1");

  /** Parts of ours that are for slow disks among them. */
  private static final List<String> DISKS =
      List.of(
          Replicas.OURS,
          Replicas.C3,
          "thesis",
          "least-outstanding",
          "random",
          "trimtab:tell=0",
          "trimtab:silence=0",
          "trimtab:even=0",
          "trimtab:even=3",
          "trimtab:way=0",
          "trimtab:memory-ms=50",
          "trimtab:memory-ms=30000",
          "trimtab:queue-memory=20",
          "trimtab:chance=0",
          "trimtab:doubt=0",
          "trimtab:exponent=3");

  /** Makes the model of one run. */
  interface Model {
    ReplicaModel of(long requests, long seed);
  }

  static ReplicaCondition usual() {
    return load(ReplicaModel.UTILIZATION, ReplicaModel.FLUCTUATION_MS);
  }

  static ReplicaCondition load(double utilization, double fluctuationMs) {
    String title =
        String.format(
            Locale.ROOT, "utilization %.2f, fluctuation %.0f ms", utilization, fluctuationMs);
    return new ReplicaCondition(
        title,
        (requests, seed) ->
            ReplicaModel.of(
                ReplicaModel.CLIENTS,
                utilization,
                fluctuationMs,
                requests,
                seed,
                Disturbances.NONE,
                Shape.PLAIN),
        MAIN);
  }

  private static ReplicaCondition with(String title, Disturbances by, Shape shape) {
    return with(title, ReplicaModel.CLIENTS, ReplicaModel.UTILIZATION, by, shape, MAIN);
  }

  private static ReplicaCondition with(
      String title,
      int clients,
      double utilization,
      Disturbances by,
      Shape shape,
      List<String> rankings) {
    return new ReplicaCondition(
        title,
        (requests, seed) ->
            ReplicaModel.of(
                clients, utilization, ReplicaModel.FLUCTUATION_MS, requests, seed, by, shape),
        rankings);
  }

  /** Other ones than the usual, one thing at a time. */
  static List<ReplicaCondition> others() {
    Disturbances none = Disturbances.NONE;
    return List.of(
        with(
            "each server stops for 100 ms every 5 s",
            new Disturbances(0.2, 100, 0, 0, 1, 0, 1),
            Shape.PLAIN),
        with(
            "each server is half as fast for 2 s every 10 s",
            new Disturbances(0, 0, 0.1, 2_000, 2, 0, 1),
            Shape.PLAIN),
        with(
            "a fifth of the servers is half as fast",
            new Disturbances(0, 0, 0, 0, 1, 0.2, 2),
            Shape.PLAIN),
        with("servers coordinate", none, new Shape(true, 0, 0)),
        with("sizes of records: σ of the logarithm 1", none, new Shape(false, 1, 0)),
        with(
            "utilization 0.5, hedged after 40 ms",
            ReplicaModel.CLIENTS,
            0.5,
            none,
            new Shape(false, 0, 40),
            MAIN),
        with("15 clients", 15, ReplicaModel.UTILIZATION, none, Shape.PLAIN, FEW_CLIENTS),
        new ReplicaCondition(
            "six servers that coordinate, whose disks read 100 a second, half of which are used;"
                + " every 45 s one of them reads 10 a second for 6 s",
            ReplicaModel::ofDisks,
            DISKS));
  }
}
