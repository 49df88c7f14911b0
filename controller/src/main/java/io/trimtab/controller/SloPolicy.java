package io.trimtab.controller;

import io.trimtab.controller.Service.Check;
import io.trimtab.engineapi.Action;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeState;
import io.trimtab.engineapi.Profile;
import io.trimtab.models.Provisioner;
import io.trimtab.models.Provisioner.Objective;
import io.trimtab.models.ProvisioningTable.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Keeps an agreement (Chalkiadaki 2013, §3.4): once caches are full, the mean of the last checks
 * decides. What is broken takes a node more, or as many as the table says; what the table says that
 * fewer nodes keep too, with something to spare, gives one back. Partitions are only evened out by
 * number, as with {@link TiramolaPolicy}.
 */
final class SloPolicy implements Policy {
  @Override
  public String name() {
    return "slo";
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.SERVICE);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    List<NodeId> present = MetPolicy.usable(seen).stream().map(NodeState::id).toList();
    if (present.isEmpty()) {
      return new Decision.Hold("no node could take load", "", state);
    }
    if (seen.service().isEmpty()) {
      return new Decision.Hold("no agreement was given", "slo.sla", state);
    }
    Service service = seen.service().get();
    int needed = settings.slo().checks();
    int have = service.checks().size();
    if (have < needed) {
      return new Decision.Hold(
          "%d of %d checks of what %s's clients report since the last change"
              .formatted(have, needed, service.tenant()),
          "slo.checks",
          state);
    }
    List<Check> window = service.checks().subList(have - needed, have);
    if (!warm(window)) {
      return new Decision.Hold("caches are still filling", "", state);
    }
    Seen now = Seen.of(window, service.objective());
    return now.misses().isEmpty()
        ? shrink(seen, state, settings, service, present, now)
        : grow(seen, state, settings, service, present, now);
  }

  /**
   * What the window says.
   *
   * @param asked the objective for the clients that there are now
   */
  private record Seen(Objective asked, List<String> misses, String said) {
    static Seen of(List<Check> window, Objective promised) {
      int clients = Math.max(1, window.get(window.size() - 1).clients());
      Objective asked =
          new Objective(
              promised.workload(),
              clients,
              promised.responseTimeMs(),
              promised.p95Ms(),
              promised.p99Ms(),
              promised.throughputMBps(),
              promised.maxNodes());
      double ms = mean(window, Check::responseTimeMs);
      double p95 = mean(window, Check::p95Ms);
      double p99 = mean(window, Check::p99Ms);
      double rate = mean(window, Check::throughputMBps);
      List<String> misses = new ArrayList<>();
      atMost("mean response time", ms, asked.responseTimeMs(), misses);
      atMost("95th percentile", p95, asked.p95Ms(), misses);
      atMost("99th percentile", p99, asked.p99Ms(), misses);
      if (rate < asked.throughputMBps()) {
        misses.add(
            String.format(
                Locale.ROOT, "throughput %.1f MB/s < %.1f", rate, asked.throughputMBps()));
      }
      String said =
          String.format(
              Locale.ROOT,
              "%d clients, %.1f ms, %.1f MB/s over %d checks",
              clients,
              ms,
              rate,
              window.size());
      return new Seen(asked, misses, said);
    }

    private static double mean(List<Check> window, ToDoubleFunction<Check> what) {
      return window.stream().mapToDouble(what).average().orElse(Double.NaN);
    }

    private static void atMost(String what, double value, double limit, List<String> misses) {
      // What clients do not say can't be kept, and must not look as if it were.
      if (!Double.isNaN(limit) && !(value <= limit)) {
        misses.add(String.format(Locale.ROOT, "%s %.1f ms > %.1f", what, value, limit));
      }
    }
  }

  private static boolean warm(List<Check> window) {
    Check first = window.get(0);
    Check last = window.get(window.size() - 1);
    if (first.cacheUsedBytes() < 0 || last.cacheMaxBytes() <= 0) {
      return true;
    }
    return Warmth.full(first.cacheUsedBytes(), last.cacheUsedBytes(), last.cacheMaxBytes());
  }

  private static Decision grow(
      Observation.Usable seen,
      PolicyState state,
      Settings settings,
      Service service,
      List<NodeId> present,
      Seen now) {
    String broken = service.tenant() + ": " + String.join(", ", now.misses());
    int most = Math.min(settings.guard().maxNodes(), now.asked().maxNodes());
    if (present.size() >= most) {
      boolean guard = settings.guard().maxNodes() <= now.asked().maxNodes();
      return new Decision.Hold(
          broken + ", but " + present.size() + " nodes are the most allowed",
          guard ? "guard.maxNodes" : "maxNodes of the agreement",
          state);
    }
    int wanted = Math.min(most, Math.max(present.size() + 1, enough(service, now.asked())));
    List<NodeId> all = new ArrayList<>(present);
    for (int i = 1; all.size() < wanted; i++) {
      all.add(new Action.AddNode(i, Profile.HOMOGENEOUS).placeholder());
    }
    return TiramolaPolicy.act(
        seen, settings, all, List.of(), state, broken + "; " + now.said(), "slo");
  }

  /** The fewest nodes that the table says keep it; 0 where none do or it does not know. */
  private static int enough(Service service, Objective asked) {
    return service.table().nodes(asked.workload(), service.nodeType()).stream()
        .filter(n -> Provisioner.misses(asked, at(service, asked, n)).isEmpty())
        .findFirst()
        .orElse(0);
  }

  private static Estimate at(Service service, Objective asked, int nodes) {
    return service.table().at(asked.workload(), service.nodeType(), asked.clients(), nodes);
  }

  private static Decision shrink(
      Observation.Usable seen,
      PolicyState state,
      Settings settings,
      Service service,
      List<NodeId> present,
      Seen now) {
    String kept = service.tenant() + "'s agreement is kept: " + now.said();
    int fewer = present.size() - 1;
    FewestNodes least = FewestNodes.of(seen.snapshot(), settings);
    if (fewer < least.nodes()) {
      return new Decision.Hold(kept + "; " + least.refusal(present.size()), least.setting(), state);
    }
    if (!service.table().nodes(now.asked().workload(), service.nodeType()).contains(fewer)) {
      return new Decision.Hold(
          kept + "; no table says what " + fewer + " nodes would do", "slo.tables", state);
    }
    Estimate estimate = at(service, now.asked(), fewer);
    if (!estimate.extrapolated().isEmpty()) {
      return new Decision.Hold(
          kept + "; the tables do not reach: " + String.join(", ", estimate.extrapolated()),
          "slo.tables",
          state);
    }
    List<String> misses = Provisioner.misses(stricter(now.asked(), settings), estimate);
    if (!misses.isEmpty()) {
      return new Decision.Hold(
          kept + "; " + fewer + " nodes would not do: " + String.join(", ", misses),
          "slo.margin",
          state);
    }
    NodeId leaves = MetPolicy.leastLoaded(seen, present);
    return TiramolaPolicy.act(
        seen,
        settings,
        present.stream().filter(n -> !n.equals(leaves)).toList(),
        List.of(leaves),
        state,
        kept
            + String.format(
                Locale.ROOT,
                "; %d nodes would answer in %.1f ms",
                fewer,
                estimate.responseTimeMs().value()),
        "slo");
  }

  /** Between giving back and taking again there must be something left. */
  private static Objective stricter(Objective asked, Settings settings) {
    double margin = settings.slo().margin();
    return new Objective(
        asked.workload(),
        asked.clients(),
        asked.responseTimeMs() * (1 - margin),
        asked.p95Ms() * (1 - margin),
        asked.p99Ms() * (1 - margin),
        asked.throughputMBps() * (1 + margin),
        asked.maxNodes());
  }
}
