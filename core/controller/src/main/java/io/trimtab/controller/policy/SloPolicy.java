package io.trimtab.controller.policy;

import io.trimtab.controller.agreement.Compliance;
import io.trimtab.controller.agreement.Judged;
import io.trimtab.controller.agreement.NodesByCosts;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.models.capacity.NodesNeeded;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.Provisioner;
import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps an agreement (Chalkiadaki 2013, §3.4). Once caches are full, the mean of the last checks
 * decides. If an objective is missed, one node is added, or as many as the tables or what requests
 * have cost so far require, whichever is surer; if according to the tables fewer nodes meet the
 * objectives with a margin, one is removed. While an objective is not measured and none is missed,
 * the nodes stay. Throughput counts against what clients ask for: if it falls with the demand, no
 * promise is broken. Several agreements on one cluster need as many nodes as each of them alone,
 * together. Partitions are placed by {@link EvenSpread}.
 */
public final class SloPolicy implements Policy {
  private static final PlanFactory PLANS = new PlanFactory("slo");

  @Override
  public String name() {
    return "slo";
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.SERVICE);
  }

  @Override
  public Set<Need> uses(Settings settings) {
    return Set.of(Need.RECORD);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    DecisionContext context = new DecisionContext(seen, state, settings);
    List<NodeId> present = UsableNodes.ids(seen);
    if (present.isEmpty()) {
      return new Decision.Hold("no node could take load", "", state);
    }
    if (seen.services().isEmpty()) {
      return new Decision.Hold("no agreement was given", "slo.sla", state);
    }
    int needed = settings.slo().checks();
    List<Judged> judged = new ArrayList<>();
    List<Service> unheard = new ArrayList<>();
    for (Service service : seen.services()) {
      if (service.checks().size() < needed) {
        unheard.add(service);
        continue;
      }
      Optional<Compliance> now = Compliance.lately(service, needed);
      if (now.isEmpty()) {
        return context.hold("caches are still filling", "");
      }
      judged.add(new Judged(service, now.get()));
    }
    if (judged.stream().anyMatch(Judged::isMissed)) {
      return grow(context, present, judged, unheard);
    }
    if (!unheard.isEmpty()) {
      return context.hold(
          "%d of %d checks of what %s's clients report since the last change"
              .formatted(unheard.get(0).checks().size(), needed, unheard.get(0).tenant()),
          "slo.checks");
    }
    for (Judged each : judged) {
      Optional<Decision> unknown = unknown(context, each);
      if (unknown.isPresent()) {
        return unknown.get();
      }
    }
    int fewer = present.size() - 1;
    FewestNodes least = context.fewest();
    if (fewer < least.nodes()) {
      return context.hold(
          Judged.kept(judged) + "; " + least.refusal(present.size()), least.setting());
    }
    return shrink(context, judged, present);
  }

  /**
   * Neither kept nor broken, or kept as nobody asked: what nobody knows must not cost a node, and
   * not give one back.
   */
  private static Optional<Decision> unknown(DecisionContext context, Judged each) {
    Compliance now = each.now();
    if (!now.unmeasured().isEmpty()) {
      return Optional.of(
          context.hold(
              each.service().tenant()
                  + ": "
                  + now.description()
                  + ", which not all clients report; no node is added or given back without it",
              ""));
    }
    // They may all be back at once, and how long they would take then nothing tells.
    return now.unseen().isEmpty()
        ? Optional.empty()
        : Optional.of(
            context.hold(
                Judged.kept(List.of(each))
                    + "; there were no "
                    + String.join(" and no ", now.unseen())
                    + ", which have a limit of their own, so no node is given back",
                ""));
  }

  private static Decision grow(
      DecisionContext context, List<NodeId> present, List<Judged> judged, List<Service> unheard) {
    MostNodes allowed = context.most();
    List<Judged> broken = judged.stream().filter(Judged::isMissed).toList();
    int agreed =
        context.seen().services().stream()
            .mapToInt(service -> service.objective().maxNodes())
            .min()
            .orElseThrow();
    int most = Math.min(allowed.nodes(), agreed);
    if (present.size() >= most) {
      boolean byAgreement = agreed < allowed.nodes();
      return context.hold(
          broken.stream().map(Judged::broken).collect(Collectors.joining("; "))
              + ", but "
              + (byAgreement
                  ? Counted.are(present.size(), "node") + " the most allowed"
                  : allowed.refusal()),
          byAgreement ? "maxNodes of the agreement" : allowed.setting());
    }
    Growth growth = growth(context, present.size(), byTables(judged, unheard), !unheard.isEmpty());
    int target = Math.min(most, Math.max(present.size() + 1, growth.nodes()));
    List<NodeId> all = new ArrayList<>(present);
    all.addAll(DecisionContext.joining(target - present.size()));
    String why =
        broken.stream()
            .map(each -> each.broken() + "; " + each.now().description())
            .collect(Collectors.joining("; "));
    String summary = why + "; " + growth.by() + LeadTime.told(context.seen().offer());
    return EvenSpread.decide(context, all, List.of(), summary, PLANS);
  }

  /**
   * The nodes that all agreements need together: none of a table's rows had other clients beside
   * its own, so that each counts the nodes that it needs alone.
   *
   * @param unheard whose clients do not report: they may be back at once
   * @return empty if a table does not tell
   */
  private static Optional<NodesNeeded> byTables(List<Judged> judged, List<Service> unheard) {
    List<Optional<NodesNeeded>> all = new ArrayList<>();
    judged.forEach(each -> all.add(byTable(each.service(), each.now().objective())));
    unheard.forEach(service -> all.add(byTable(service, service.objective())));
    return all.stream().allMatch(Optional::isPresent)
        ? all.stream().flatMap(Optional::stream).reduce(NodesNeeded::plus)
        : Optional.empty();
  }

  private static Optional<NodesNeeded> byTable(Service service, Objective objective) {
    return Provisioner.needed(service.table(), objective, service.nodeType());
  }

  /**
   * How many nodes there should be while an objective is missed.
   *
   * @param nodes 0 where nothing tells
   * @param by what, a clause
   */
  private record Growth(int nodes, String by) {}

  /**
   * By the tables or by what requests have cost, whichever is surer. What says that the present
   * nodes are enough does not explain what is missed, and does not count.
   *
   * @param silent whether some clients do not report: what they may ask for at once again is no
   *     part of what requests cost now, so that fewer nodes by that are not enough
   */
  private static Growth growth(
      DecisionContext context, int present, Optional<NodesNeeded> byTables, boolean silent) {
    Optional<NodesNeeded> tables = byTables.filter(needed -> needed.nodes() > present);
    if (tables.filter(NodesNeeded::isExact).isPresent()) {
      return new Growth(tables.get().nodes(), "by the tables it takes " + text(tables.get()));
    }
    NodesByCosts costs = NodesByCosts.of(context.seen(), context.settings().usage().target());
    Optional<NodesNeeded> learned = costs.needed().filter(needed -> needed.nodes() > present);
    String said =
        byTables.map(needed -> "by the tables it takes " + text(needed)).orElse("no table tells")
            + "; "
            + costs
                .needed()
                .map(needed -> "by what requests cost so far it takes " + text(needed))
                .orElse("what requests cost so far does not tell: " + costs.why());
    if (tables.isPresent() && learned.isPresent()) {
      if (silent && learned.get().nodes() <= tables.get().nodes()) {
        return new Growth(tables.get().nodes(), said + ", without clients that do not report now");
      }
      return learned.get().isSurerThan(tables.get())
          ? new Growth(learned.get().nodes(), said + ", which is surer")
          : new Growth(tables.get().nodes(), said + "; the tables are surer");
    }
    return new Growth(tables.or(() -> learned).map(NodesNeeded::nodes).orElse(0), said);
  }

  private static String text(NodesNeeded needed) {
    String nodes = Counted.of(needed.nodes(), "node");
    if (needed.isExact()) {
      return nodes;
    }
    return needed.most() == NodesNeeded.UNKNOWN
        ? "%s (%d or more)".formatted(nodes, needed.least())
        : "%s (%d to %d)".formatted(nodes, needed.least(), needed.most());
  }

  /**
   * A node is given back if the rest is enough for all agreements by their tables, with a margin:
   * between giving back and taking again there must be something left.
   */
  private static Decision shrink(
      DecisionContext context, List<Judged> judged, List<NodeId> present) {
    int fewer = present.size() - 1;
    String kept = Judged.kept(judged);
    List<String> each = new ArrayList<>();
    NodesNeeded sum = NodesNeeded.NONE;
    for (Judged one : judged) {
      Objective left = one.now().objective().withMargin(context.settings().slo().margin());
      Optional<Untold> untold = untold(one.service(), left, fewer);
      if (untold.isPresent()) {
        return context.hold(
            "%s; no table tells that %s needs no more than %s: %s"
                .formatted(
                    kept, one.service().tenant(), Counted.of(fewer, "node"), untold.get().why()),
            untold.get().setting());
      }
      NodesNeeded needs = byTable(one.service(), left).orElseThrow();
      sum = sum.plus(needs);
      each.add(one.service().tenant() + " " + needs.nodes());
    }
    String enough =
        judged.size() == 1
            ? "%s; it needs %s".formatted(kept, Counted.of(sum.nodes(), "node"))
            : "%s; together they need %s (%s)"
                .formatted(kept, Counted.of(sum.nodes(), "node"), String.join(", ", each));
    if (sum.nodes() > fewer) {
      return context.hold(enough, "slo.margin");
    }
    return surerNo(context, sum, fewer)
        .<Decision>map(needed -> context.hold(enough + ", but " + needed, "usage.target"))
        .orElseGet(() -> without(context, present, enough));
  }

  /** That more nodes are needed by what requests cost, where this is surer than the tables. */
  private static Optional<String> surerNo(DecisionContext context, NodesNeeded tables, int fewer) {
    UsageSettings usage = context.settings().usage();
    return tables.isExact()
        ? Optional.empty()
        : NodesByCosts.of(context.seen(), usage.target() * (1 - usage.margin()))
            .needed()
            .filter(needed -> needed.nodes() > fewer && needed.isSurerThan(tables))
            .map(
                needed -> "by what requests cost so far, which is surer, it takes " + text(needed));
  }

  /**
   * What a table does not tell.
   *
   * @param setting what would change it
   */
  private record Untold(String why, String setting) {}

  /** Why a table does not tell that so many nodes are enough; empty if it does. */
  private static Optional<Untold> untold(Service service, Objective left, int fewer) {
    Optional<Provisioner.Choice> needs =
        Provisioner.fewest(service.table(), left, service.nodeType(), fewer);
    if (needs.isPresent()) {
      List<String> beyond = needs.get().estimate().extrapolated();
      return beyond.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Untold("outside the measured range: " + String.join(", ", beyond), "slo.tables"));
    }
    OptionalInt most =
        service.table().nodes(left.workload(), service.nodeType()).stream()
            .mapToInt(nodes -> nodes)
            .filter(nodes -> nodes <= fewer)
            .max();
    if (most.isEmpty()) {
      return Optional.of(
          new Untold(
              "none has measurements for " + Counted.of(fewer, "node") + " or fewer",
              "slo.tables"));
    }
    ServiceEstimate estimate =
        service.table().at(left.workload(), service.nodeType(), left.clients(), most.getAsInt());
    return Optional.of(
        new Untold(
            Counted.of(most.getAsInt(), "node")
                + " would not meet it: "
                + String.join(", ", left.misses(estimate)),
            "slo.margin"));
  }

  private static Decision without(DecisionContext context, List<NodeId> present, String why) {
    NodeId leaves = context.leaves(present);
    return EvenSpread.decide(
        context,
        present.stream().filter(n -> !n.equals(leaves)).toList(),
        List.of(leaves),
        why + context.kept(present),
        PLANS);
  }
}
