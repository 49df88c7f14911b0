package io.trimtab.controller.observe;

import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.RequestTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * How long the requests of a whole cluster take, and how many are not served at all. It tells what
 * the number of requests does not: clients that don't wait for answers send as many when they get
 * slower.
 *
 * @param p99Ms mean of the nodes' 99th percentiles, weighted by their requests; NaN if not known
 * @param refused share of the requests that were refused, dropped or timed out, in [0, 1]; NaN if
 *     not known
 * @param clientsMs mean response time that clients report; NaN if there are no reports
 */
public record ServedTimes(double p99Ms, double refused, double clientsMs) {
  public static final ServedTimes UNKNOWN = new ServedTimes(Double.NaN, Double.NaN, Double.NaN);

  /** A percentile of fewer requests than this is a matter of chance. */
  private static final double REQUESTS_MIN = 400;

  /** As many samples as are kept of the requests' number. */
  private static final int SAMPLES_MAX = 24;

  /** One slow sample must not permit a plan to be as slow. */
  private static final double OF_MEDIAN_MAX = 2;

  /** Between two snapshots; of live nodes that have not been restarted meanwhile. */
  public static ServedTimes between(ClusterSnapshot earlier, ClusterSnapshot now) {
    double weighted = 0;
    double timed = 0;
    double served = 0;
    double refused = 0;
    for (NodeState node : now.liveNodes()) {
      Optional<RequestTimes> before =
          earlier
              .node(node.id())
              .filter(n -> n.incarnation() == node.incarnation())
              .map(n -> n.gauges().times());
      RequestTimes is = node.gauges().times();
      long was = before.map(RequestTimes::requests).orElse(-1L);
      if (was < 0 || is.requests() < was) {
        continue;
      }
      double requests = is.requests() - was;
      if (!Double.isNaN(is.p99Ms())) {
        weighted += requests * is.p99Ms();
        timed += requests;
      }
      long lost = before.get().refused();
      if (lost >= 0 && is.refused() >= lost) {
        refused += is.refused() - lost;
        served += requests;
      }
    }
    return new ServedTimes(
        timed >= REQUESTS_MIN ? weighted / timed : Double.NaN,
        served + refused >= REQUESTS_MIN ? Math.min(1, refused / (served + refused)) : Double.NaN,
        Double.NaN);
  }

  /** The same with what clients report. */
  public ServedTimes withClients(double ms) {
    return new ServedTimes(p99Ms, refused, ms);
  }

  /** Whether anything is known. */
  public boolean known() {
    return !Double.isNaN(p99Ms) || !Double.isNaN(refused) || !Double.isNaN(clientsMs);
  }

  /** The last samples, with one more. */
  static List<ServedTimes> append(List<ServedTimes> samples, ServedTimes next) {
    if (!next.known()) {
      return samples;
    }
    List<ServedTimes> all = new ArrayList<>(samples);
    all.add(next);
    return List.copyOf(all.subList(Math.max(0, all.size() - SAMPLES_MAX), all.size()));
  }

  /**
   * What is usual at worst: the greatest of some samples, and at most twice their median.
   *
   * @param samples may be none; then nothing is known
   */
  public static ServedTimes worst(List<ServedTimes> samples) {
    return new ServedTimes(
        worst(samples, ServedTimes::p99Ms),
        worst(samples, ServedTimes::refused),
        worst(samples, ServedTimes::clientsMs));
  }

  private static double worst(List<ServedTimes> samples, ToDoubleFunction<ServedTimes> what) {
    double[] known =
        samples.stream().mapToDouble(what).filter(value -> !Double.isNaN(value)).sorted().toArray();
    return known.length == 0
        ? Double.NaN
        : Math.min(known[known.length - 1], OF_MEDIAN_MAX * known[known.length / 2]);
  }
}
