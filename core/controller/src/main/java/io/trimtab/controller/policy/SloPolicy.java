package io.trimtab.controller.policy;

import io.trimtab.controller.observe.CacheWarmup;
import io.trimtab.controller.observe.CheckMeans;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Service;
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

/**
 * Keeps an agreement (Chalkiadaki 2013, §3.4). Once caches are full, the mean of the last checks
 * decides. If an objective is missed, one node is added, or as many as the table requires; if
 * according to the table fewer nodes meet the objectives with a margin, one is removed. While an
 * objective is not measured and none is missed, the nodes stay. Throughput counts against what
 * clients ask for: if it falls with the demand, no promise is broken. Partitions are placed by
 * {@link EvenSpread}.
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
    if (!now.misses().isEmpty()) {
      return grow(context, service, present, now);
    }
    return now.unmeasured().isEmpty()
        ? shrink(context, service, present, now)
        : unknown(context, service, now);
  }

  /**
   * The mean of the last checks, compared with the objective.
   *
   * @param objective of all operations together, for the current number of clients
   * @param unmeasured what has a limit and is not reported by all clients
   * @param unseen kinds of operations with a limit of their own that nobody has asked for
   */
  private record Reported(
      Objective objective,
      List<String> misses,
      List<String> unmeasured,
      List<String> unseen,
      String description) {
    static Reported of(List<Check> window, Service service) {
      CheckMeans mean = CheckMeans.of(window);
      int clients = mean.clients();
      double ms = mean.all().meanMs();
      double rate = mean.throughputMBps();
      Objective objective = service.objective().forClients(clients);
      Findings found = new Findings();
      found.compare(
          "",
          mean.all(),
          new Latency(objective.responseTimeMs(), objective.p95Ms(), objective.p99Ms()),
          " (" + mean.basis().title() + ")");
      double asking = asking(service, clients, ms, rate);
      double due = service.objective().throughputOf(asking);
      if (rate < due) {
        found.misses.add(String.format(Locale.ROOT, "throughput %.1f MB/s < %.1f", rate, due));
      }
      found.compare("reads", mean.reads(), objective.reads(), "");
      found.compare("writes", mean.writes(), objective.writes(), "");
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
      unseen("reads", mean.reads(), objective.reads(), unseen);
      unseen("writes", mean.writes(), objective.writes(), unseen);
      return new Reported(
          objective.ofAll(mean.all(), mean.reads(), mean.writes()),
          found.misses,
          found.unmeasured,
          unseen,
          description + found.notMeasured());
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
  }

  /** What of an agreement is missed, and of what nothing is known. */
  private static final class Findings {
    private final List<String> misses = new ArrayList<>();
    private final List<String> unmeasured = new ArrayList<>();

    /**
     * Compares response times with their limits.
     *
     * @param kind of operations; empty for all together
     * @param basis follows a percentile
     */
    void compare(String kind, Latency value, Latency limit, String basis) {
      atMost("mean response time", "mean", kind, value.meanMs(), limit.meanMs(), "");
      atMost("95th percentile", "p95", kind, value.p95Ms(), limit.p95Ms(), basis);
      atMost("99th percentile", "p99", kind, value.p99Ms(), limit.p99Ms(), basis);
    }

    private void atMost(
        String what, String brief, String kind, double value, double limit, String basis) {
      if (!Double.isNaN(limit) && Double.isNaN(value)) {
        unmeasured.add(brief + " of " + (kind.isEmpty() ? "all operations" : kind));
      } else if (value > limit) {
        String of = kind.isEmpty() ? "" : " of " + kind;
        misses.add(
            String.format(Locale.ROOT, "%s%s %.1f ms > %.1f%s", what, of, value, limit, basis));
      }
    }

    /** To follow what was measured; empty if all was. */
    String notMeasured() {
      return unmeasured.isEmpty() ? "" : "; not measured: " + String.join(", ", unmeasured);
    }
  }

  /** Neither kept nor broken: what nobody knows must not cost a node, and not give one back. */
  private static Decision unknown(DecisionContext context, Service service, Reported now) {
    return context.hold(
        service.tenant()
            + ": "
            + now.description()
            + ", which not all clients report; no node is added or given back without it",
        "");
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
