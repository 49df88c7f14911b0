package io.trimtab.controller.policy;

import io.trimtab.controller.observe.CacheWarmup;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.observe.Service.Basis;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.models.capacity.Latency;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.Provisioner;
import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Keeps an agreement (Chalkiadaki 2013, §3.4). Once caches are full, the mean of the last checks
 * decides. If an objective is missed, one node is added, or as many as the table requires; if
 * according to the table fewer nodes meet the objectives with a margin, one is removed. Throughput
 * counts against what clients ask for: if it falls with the demand, no promise is broken.
 * Partitions are placed by {@link EvenSpread}.
 */
public final class SloPolicy implements Policy {
  private static final PlanFactory PLANS = new PlanFactory("slo");

  /** A tenth is what counting and the table's errors make of clients that never pause. */
  private static final double NEVER_PAUSES = 0.9;

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
    DecisionContext context = new DecisionContext(seen, state, settings);
    List<NodeId> present = UsableNodes.ids(seen);
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
    Reported now = Reported.of(window, service);
    return now.misses().isEmpty()
        ? shrink(context, service, present, now)
        : grow(context, service, present, now);
  }

  /**
   * The mean of the last checks, compared with the objective.
   *
   * @param objective of all operations together, for the current number of clients
   * @param unseen kinds of operations with a limit of their own that nobody has asked for
   */
  private record Reported(
      Objective objective, List<String> misses, List<String> unseen, String description) {
    static Reported of(List<Check> window, Service service) {
      int clients = Math.max(1, window.get(window.size() - 1).clients());
      Objective objective = service.objective().forClients(clients);
      double ms = mean(window, Check::responseTimeMs);
      double p95 = mean(window, check -> check.percentiles().p95Ms());
      double p99 = mean(window, check -> check.percentiles().p99Ms());
      double rate = mean(window, Check::throughputMBps);
      List<String> misses = new ArrayList<>();
      atMost("mean response time", "", ms, objective.responseTimeMs(), misses);
      String basis = " (" + basis(window).title() + ")";
      atMost("95th percentile", basis, p95, objective.p95Ms(), misses);
      atMost("99th percentile", basis, p99, objective.p99Ms(), misses);
      double asking = asking(service, clients, ms, rate);
      double due = service.objective().throughputOf(asking);
      if (rate < due) {
        misses.add(String.format(Locale.ROOT, "throughput %.1f MB/s < %.1f", rate, due));
      }
      Latency reads = kind(window, Check::reads);
      Latency writes = kind(window, Check::writes);
      atMost("reads", reads, objective.reads(), misses);
      atMost("writes", writes, objective.writes(), misses);
      boolean pause = asking < clients && !Double.isNaN(due);
      String description =
          String.format(
              Locale.ROOT,
              "%d clients%s, %.1f ms, %.1f MB/s over %d checks",
              clients,
              pause ? String.format(Locale.ROOT, " (%.1f at a time)", asking) : "",
              ms,
              rate,
              window.size());
      List<String> unseen = new ArrayList<>();
      unseen("reads", reads, objective.reads(), unseen);
      unseen("writes", writes, objective.writes(), unseen);
      return new Reported(
          objective.ofAll(new Latency(ms, p95, p99), reads, writes), misses, unseen, description);
    }

    private static void unseen(String kind, Latency value, Latency limit, List<String> unseen) {
      if (limit.known() && value.equals(Latency.NONE)) {
        unseen.add(kind);
      }
    }

    /** Clients that wait for an answer at a time: all, unless they clearly pause in between. */
    private static double asking(Service service, int clients, double ms, double rate) {
      double waiting =
          service.table().waiting(service.objective().workload(), service.nodeType(), ms, rate);
      return waiting < NEVER_PAUSES * clients ? waiting : clients;
    }

    /** What is said of the whole window must hold for each of its checks. */
    private static Basis basis(List<Check> window) {
      boolean merged = window.stream().allMatch(c -> c.percentiles().basis() == Basis.ALL_REQUESTS);
      return merged ? Basis.ALL_REQUESTS : Basis.GREATEST;
    }

    /** The mean of the checks in which there were such operations. */
    private static Latency kind(List<Check> window, Function<Check, Latency> what) {
      List<Latency> asked =
          window.stream().map(what).filter(latency -> !latency.equals(Latency.NONE)).toList();
      return asked.isEmpty()
          ? Latency.NONE
          : new Latency(
              mean(asked, Latency::meanMs),
              mean(asked, Latency::p95Ms),
              mean(asked, Latency::p99Ms));
    }

    private static void atMost(String kind, Latency value, Latency limit, List<String> misses) {
      atMost("mean response time of " + kind, "", value.meanMs(), limit.meanMs(), misses);
      atMost("95th percentile of " + kind, "", value.p95Ms(), limit.p95Ms(), misses);
      atMost("99th percentile of " + kind, "", value.p99Ms(), limit.p99Ms(), misses);
    }

    private static <T> double mean(List<T> window, ToDoubleFunction<T> what) {
      return window.stream().mapToDouble(what).average().orElse(Double.NaN);
    }

    private static void atMost(
        String what, String basis, double value, double limit, List<String> misses) {
      // What clients do not say can't be kept, and must not look as if it were.
      if (!Double.isNaN(limit) && Double.isNaN(value)) {
        misses.add(what + " is not reported by all clients");
      } else if (value > limit) {
        misses.add(String.format(Locale.ROOT, "%s %.1f ms > %.1f%s", what, value, limit, basis));
      }
    }
  }

  private static boolean warm(List<Check> window) {
    Check first = window.get(0);
    Check last = window.get(window.size() - 1);
    if (first.cacheUsedBytes() < 0 || last.cacheMaxBytes() <= 0) {
      return true;
    }
    return CacheWarmup.full(first.cacheUsedBytes(), last.cacheUsedBytes(), last.cacheMaxBytes());
  }

  private static Decision grow(
      DecisionContext context, Service service, List<NodeId> present, Reported now) {
    GuardSettings guard = context.settings().guard();
    String broken = service.tenant() + ": " + String.join(", ", now.misses());
    int most = Math.min(guard.maxNodes(), now.objective().maxNodes());
    if (present.size() >= most) {
      return context.hold(
          broken + ", but " + Counted.are(present.size(), "node") + " the most allowed",
          guard.maxNodes() <= now.objective().maxNodes()
              ? "guard.maxNodes"
              : "maxNodes of the agreement");
    }
    int target = Math.min(most, Math.max(present.size() + 1, enough(service, now.objective())));
    List<NodeId> all = new ArrayList<>(present);
    all.addAll(DecisionContext.joining(target - present.size()));
    return EvenSpread.decide(context, all, List.of(), broken + "; " + now.description(), PLANS);
  }

  /**
   * The smallest number of nodes that meets the objective according to the table; 0 if there is
   * none, or if the table does not cover it.
   */
  private static int enough(Service service, Objective objective) {
    return Provisioner.fewest(service.table(), objective, service.nodeType(), Integer.MAX_VALUE)
        .map(Provisioner.Choice::nodes)
        .orElse(0);
  }

  private static ServiceEstimate at(Service service, Objective objective, int nodes) {
    return service.table().at(objective.workload(), service.nodeType(), objective.clients(), nodes);
  }

  private static Decision shrink(
      DecisionContext context, Service service, List<NodeId> present, Reported now) {
    String kept = service.tenant() + "'s agreement is kept: " + now.description();
    int fewer = present.size() - 1;
    if (!now.unseen().isEmpty()) {
      // They may all be back at once, and how long they would take then nothing tells.
      return context.hold(
          kept
              + "; there were no "
              + String.join(" and no ", now.unseen())
              + ", which have a limit of their own, so no node is given back",
          "");
    }
    FewestNodes least = context.fewest();
    if (fewer < least.nodes()) {
      return context.hold(kept + "; " + least.refusal(present.size()), least.setting());
    }
    if (!service.table().nodes(now.objective().workload(), service.nodeType()).contains(fewer)) {
      return context.hold(
          kept + "; no table has measurements for " + Counted.of(fewer, "node"), "slo.tables");
    }
    ServiceEstimate estimate = at(service, now.objective(), fewer);
    if (!estimate.extrapolated().isEmpty()) {
      return context.hold(
          kept + "; outside the measured range: " + String.join(", ", estimate.extrapolated()),
          "slo.tables");
    }
    // Between giving back and taking again there must be something left.
    List<String> misses =
        now.objective().withMargin(context.settings().slo().margin()).misses(estimate);
    if (!misses.isEmpty()) {
      return context.hold(
          kept
              + "; "
              + Counted.of(fewer, "node")
              + " would not meet it: "
              + String.join(", ", misses),
          "slo.margin");
    }
    NodeId leaves = context.leaves(present);
    return EvenSpread.decide(
        context,
        present.stream().filter(n -> !n.equals(leaves)).toList(),
        List.of(leaves),
        kept
            + String.format(
                Locale.ROOT,
                "; response time with %d nodes: %.1f ms",
                fewer,
                estimate.responseTimeMs().value()),
        PLANS);
  }
}
