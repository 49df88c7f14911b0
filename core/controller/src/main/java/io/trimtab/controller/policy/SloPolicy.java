package io.trimtab.controller.policy;

import io.trimtab.controller.agreement.Compliance;
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
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.Provisioner;
import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps an agreement (Chalkiadaki 2013, §3.4). Once caches are full, the mean of the last checks
 * decides. If an objective is missed, one node is added, or as many as the table requires; if
 * according to the table fewer nodes meet the objectives with a margin, one is removed. While an
 * objective is not measured and none is missed, the nodes stay. Throughput counts against what
 * clients ask for: if it falls with the demand, no promise is broken. Several agreements on one
 * cluster need as many nodes as each of them alone, together. Partitions are placed by {@link
 * EvenSpread}.
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
      int have = service.checks().size();
      if (have < needed) {
        unheard.add(service);
        continue;
      }
      List<Check> window = service.checks().subList(have - needed, have);
      if (!Compliance.warm(window)) {
        return context.hold("caches are still filling", "");
      }
      judged.add(new Judged(service, Compliance.of(window, service)));
    }
    if (judged.stream().anyMatch(each -> !each.now().misses().isEmpty())) {
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
      return context.hold(kept(judged) + "; " + least.refusal(present.size()), least.setting());
    }
    return judged.size() == 1
        ? shrink(context, judged.get(0), present, fewer)
        : shrink(context, judged, present, fewer);
  }

  /** An agreement, and how it is kept. */
  private record Judged(Service service, Compliance now) {
    String broken() {
      return service.tenant() + ": " + String.join(", ", now.misses());
    }
  }

  private static String kept(List<Judged> judged) {
    return judged.stream()
        .map(each -> each.service().tenant() + "'s agreement is kept: " + each.now().description())
        .collect(Collectors.joining("; "));
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
                kept(List.of(each))
                    + "; there were no "
                    + String.join(" and no ", now.unseen())
                    + ", which have a limit of their own, so no node is given back",
                ""));
  }

  private static Decision grow(
      DecisionContext context, List<NodeId> present, List<Judged> judged, List<Service> unheard) {
    GuardSettings guard = context.settings().guard();
    List<Judged> broken = judged.stream().filter(each -> !each.now().misses().isEmpty()).toList();
    int agreed =
        context.seen().services().stream()
            .mapToInt(service -> service.objective().maxNodes())
            .min()
            .orElseThrow();
    int most = Math.min(guard.maxNodes(), agreed);
    if (present.size() >= most) {
      return context.hold(
          broken.stream().map(Judged::broken).collect(Collectors.joining("; "))
              + ", but "
              + Counted.are(present.size(), "node")
              + " the most allowed",
          guard.maxNodes() <= agreed ? "guard.maxNodes" : "maxNodes of the agreement");
    }
    int target = Math.min(most, Math.max(present.size() + 1, enough(judged, unheard)));
    List<NodeId> all = new ArrayList<>(present);
    all.addAll(DecisionContext.joining(target - present.size()));
    String why =
        broken.stream()
            .map(each -> each.broken() + "; " + each.now().description())
            .collect(Collectors.joining("; "));
    return EvenSpread.decide(context, all, List.of(), why, PLANS);
  }

  /**
   * The nodes that all agreements need together: none of a table's rows had other clients beside
   * its own, so that each counts the nodes that it needs alone. 0 if a table does not tell.
   *
   * @param unheard whose clients do not report: they may be back at once
   */
  private static int enough(List<Judged> judged, List<Service> unheard) {
    List<Integer> nodes = new ArrayList<>();
    judged.forEach(each -> nodes.add(enough(each.service(), each.now().objective())));
    unheard.forEach(service -> nodes.add(enough(service, service.objective())));
    return nodes.contains(0) ? 0 : nodes.stream().mapToInt(each -> each).sum();
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
      DecisionContext context, Judged only, List<NodeId> present, int fewer) {
    Service service = only.service();
    Objective objective = only.now().objective();
    String kept = kept(List.of(only));
    if (!service.table().nodes(objective.workload(), service.nodeType()).contains(fewer)) {
      return context.hold(
          kept + "; no table has measurements for " + Counted.of(fewer, "node"), "slo.tables");
    }
    ServiceEstimate estimate = at(service, objective, fewer);
    if (!estimate.extrapolated().isEmpty()) {
      return context.hold(
          kept + "; outside the measured range: " + String.join(", ", estimate.extrapolated()),
          "slo.tables");
    }
    // Between giving back and taking again there must be something left.
    List<String> misses = objective.withMargin(context.settings().slo().margin()).misses(estimate);
    if (!misses.isEmpty()) {
      return context.hold(
          kept
              + "; "
              + Counted.of(fewer, "node")
              + " would not meet it: "
              + String.join(", ", misses),
          "slo.margin");
    }
    return without(
        context,
        present,
        kept
            + String.format(
                Locale.ROOT,
                "; response time with %d nodes: %.1f ms",
                fewer,
                estimate.responseTimeMs().value()));
  }

  /** Several agreements: each counts the nodes that it needs alone, with a margin. */
  private static Decision shrink(
      DecisionContext context, List<Judged> judged, List<NodeId> present, int fewer) {
    String kept = kept(judged);
    List<String> each = new ArrayList<>();
    int all = 0;
    for (Judged one : judged) {
      Service service = one.service();
      Objective objective = one.now().objective();
      OptionalInt needs =
          Provisioner.fewest(
                  service.table(),
                  objective.withMargin(context.settings().slo().margin()),
                  service.nodeType(),
                  fewer)
              .filter(choice -> choice.estimate().extrapolated().isEmpty())
              .stream()
              .mapToInt(Provisioner.Choice::nodes)
              .findFirst();
      if (needs.isEmpty()) {
        return context.hold(
            kept
                + "; no table tells that %s needs no more than %s"
                    .formatted(service.tenant(), Counted.of(fewer, "node")),
            "slo.tables");
      }
      all += needs.getAsInt();
      each.add(service.tenant() + " " + needs.getAsInt());
    }
    String together =
        "%s; together they need %s (%s)"
            .formatted(kept, Counted.of(all, "node"), String.join(", ", each));
    return all > fewer ? context.hold(together, "slo.margin") : without(context, present, together);
  }

  private static Decision without(DecisionContext context, List<NodeId> present, String why) {
    NodeId leaves = context.leaves(present);
    return EvenSpread.decide(
        context,
        present.stream().filter(n -> !n.equals(leaves)).toList(),
        List.of(leaves),
        why,
        PLANS);
  }
}
