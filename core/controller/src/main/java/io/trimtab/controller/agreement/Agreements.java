package io.trimtab.controller.agreement;

import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.models.capacity.NodesNeeded;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.Provisioner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a cluster's agreements are kept, and how many nodes they need together: by the tables or by
 * what requests have cost so far, whichever is surer. Each counts as many nodes as it needs alone,
 * as none of a table's rows had other clients beside its own.
 */
public final class Agreements {
  private final Observation.Usable seen;
  private final Settings settings;
  private final List<Judged> judged;

  /** Whose clients do not report enough: they may be back at once. */
  private final List<Service> unheard;

  private final boolean filling;

  /** Whether nodes are counted for the clients only that pay for them. */
  private final boolean paid;

  private Agreements(
      Observation.Usable seen,
      Settings settings,
      List<Judged> judged,
      List<Service> unheard,
      boolean filling,
      boolean paid) {
    this.seen = seen;
    this.settings = settings;
    this.judged = List.copyOf(judged);
    this.unheard = List.copyOf(unheard);
    this.filling = filling;
    this.paid = paid;
  }

  /** Of all clients that there are. */
  public static Agreements of(Observation.Usable seen, Settings settings) {
    int needed = settings.slo().checks();
    List<Judged> judged = new ArrayList<>();
    List<Service> unheard = new ArrayList<>();
    boolean filling = false;
    for (Service service : seen.services()) {
      Optional<Compliance> now = Compliance.lately(service, needed);
      if (service.checks().size() < needed) {
        unheard.add(service);
      } else if (now.isEmpty()) {
        filling = true;
      } else {
        judged.add(new Judged(service, now.get()));
      }
    }
    return new Agreements(seen, settings, judged, unheard, filling, false);
  }

  /** The same where clients above the agreed number get no nodes, unless they pay for them. */
  public Agreements ofPaying() {
    List<Judged> paying = judged.stream().map(Judged::ofPaying).toList();
    return new Agreements(seen, settings, paying, unheard, filling, true);
  }

  /** Whether an objective is missed, as far as can be said. */
  public boolean isMissed() {
    return !filling && !broken().isEmpty();
  }

  /**
   * Whether clients report since the last change, and not often enough yet to be judged by. Any
   * plan begins that anew.
   */
  public boolean isBeingJudged() {
    return unheard.stream().anyMatch(service -> !service.checks().isEmpty());
  }

  private List<Judged> broken() {
    return judged.stream().filter(Judged::isMissed).toList();
  }

  /** What is missed, a clause. */
  public String missed() {
    return broken().stream().map(Judged::broken).collect(Collectors.joining("; "));
  }

  /** That all are kept, a clause. */
  public String kept() {
    return Judged.kept(judged);
  }

  /**
   * That an agreement is missed by clients for whom nobody pays, so that no node is added for them,
   * to end a text; empty where that is not so.
   */
  public String unpaid() {
    return isMissed() && !isOwed() ? "; " + byUnpaid() : "";
  }

  private String byUnpaid() {
    return broken().stream().map(Judged::unpaid).collect(Collectors.joining("; "));
  }

  /** Whether one is missed that clients have no part in for whom nobody pays. */
  private boolean isOwed() {
    return broken().stream().anyMatch(each -> !paid || !each.hasUnpaid());
  }

  /**
   * The most nodes that plans may count on: as many as are allowed, and as the tenants accept with
   * those that live besides.
   */
  public MostNodes most(MostNodes allowed) {
    int agreed =
        seen.services().stream()
            .mapToInt(service -> service.objective().maxNodes())
            .min()
            .orElse(Integer.MAX_VALUE);
    MostNodes accepted =
        MostNodes.limit(agreed, UsableNodes.others(seen), "maxNodes of the agreement");
    return accepted.nodes() < allowed.nodes() ? accepted : allowed;
  }

  /**
   * How many nodes there should be; empty where no agreement is missed, or the present nodes are
   * enough for the clients that are paid for.
   */
  public Optional<Wanted> wanted(int present) {
    if (!isMissed()) {
      return Optional.empty();
    }
    List<Judged> broken = broken();
    Growth growth = growth(present);
    boolean sure = growth.nodes() > present;
    int nodes = Math.max(isOwed() ? present + 1 : 0, growth.nodes());
    String why =
        broken.stream()
            .map(each -> each.broken() + "; " + each.now().description())
            .collect(Collectors.joining("; "));
    String brief =
        sure
            ? needed(Counted.of(growth.nodes(), "node"))
            : "agreement %s is missed with %s"
                .formatted(broken.get(0).service().tenant(), Counted.of(present, "node"));
    return nodes > present
        ? Optional.of(new Wanted(nodes, sure, why + "; " + growth.by(), brief))
        : Optional.empty();
  }

  /** That all of them need so many, a clause. */
  String needed(String nodes) {
    return seen.services().size() == 1
        ? alone(seen.services().get(0), nodes)
        : "the agreements need %s together".formatted(nodes);
  }

  /** That one of them does. */
  static String alone(Service service, String nodes) {
    return "agreement %s needs %s".formatted(service.tenant(), nodes);
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
   * nodes are enough does not explain what is missed, and does not count. While some clients do not
   * report, what they may ask for at once again is no part of what requests cost now, so that fewer
   * nodes by that are not enough.
   */
  private Growth growth(int present) {
    Optional<NodesNeeded> byTables = byTables();
    Optional<NodesNeeded> tables = byTables.filter(needed -> needed.nodes() > present);
    if (tables.filter(NodesNeeded::isExact).isPresent()) {
      return new Growth(tables.get().nodes(), "by the tables it takes " + text(tables.get()));
    }
    NodesByCosts costs = costs(settings.usage().target());
    Optional<NodesNeeded> learned = costs.needed().filter(needed -> needed.nodes() > present);
    String said =
        byTables.map(needed -> "by the tables it takes " + text(needed)).orElse("no table tells")
            + "; "
            + costs
                .needed()
                .map(needed -> "by what requests cost so far it takes " + text(needed))
                .orElse("what requests cost so far does not tell: " + costs.why());
    if (tables.isPresent() && learned.isPresent()) {
      if (!unheard.isEmpty() && learned.get().nodes() <= tables.get().nodes()) {
        return new Growth(tables.get().nodes(), said + ", without clients that do not report now");
      }
      return learned.get().isSurerThan(tables.get())
          ? new Growth(learned.get().nodes(), said + ", which is surer")
          : new Growth(tables.get().nodes(), said + "; the tables are surer");
    }
    return new Growth(tables.or(() -> learned).map(NodesNeeded::nodes).orElse(0), said);
  }

  /** Costs are those of all requests, whoever pays for them. */
  NodesByCosts costs(double target) {
    return paid && judged.stream().anyMatch(Judged::hasUnpaid)
        ? new NodesByCosts(Optional.empty(), "clients above the agreed number have a part in it")
        : NodesByCosts.of(seen, target);
  }

  /**
   * The nodes that all agreements need together.
   *
   * @return empty if a table does not tell
   */
  private Optional<NodesNeeded> byTables() {
    List<Optional<NodesNeeded>> all = new ArrayList<>();
    judged.forEach(each -> all.add(byTable(each.service(), each.now().objective())));
    unheard.forEach(service -> all.add(byTable(service, service.objective())));
    return all.stream().allMatch(Optional::isPresent)
        ? all.stream().flatMap(Optional::stream).reduce(NodesNeeded::plus)
        : Optional.empty();
  }

  /** The nodes that one of them needs; empty if its table does not tell. */
  static Optional<NodesNeeded> byTable(Service service, Objective objective) {
    return Provisioner.needed(service.table(), objective, service.nodeType());
  }

  /** As many as that, and how sure it is. */
  static String text(NodesNeeded needed) {
    String nodes = Counted.of(needed.nodes(), "node");
    if (needed.isExact()) {
      return nodes;
    }
    return needed.most() == NodesNeeded.UNKNOWN
        ? "%s (%d or more)".formatted(nodes, needed.least())
        : "%s (%d to %d)".formatted(nodes, needed.least(), needed.most());
  }

  /**
   * The fewest nodes that there may be after some are given back: as many as all agreements need,
   * with a margin, since between giving back and taking again there must be something left; all
   * that there are while that is not known. Never more than there are.
   */
  public Floor floor(int present) {
    return seen.services().isEmpty()
        ? Floor.NONE
        : undecided(present)
            .orElseGet(() -> new NodesToKeep(this, judged, settings, present).floor());
  }

  /**
   * All nodes that there are, as long as nobody knows whether agreements are kept, or one is not:
   * what nobody knows must not cost a node, and not give one back.
   */
  public Optional<Floor> undecided(int present) {
    if (filling) {
      return Optional.of(Floor.all(present, "caches are still filling", ""));
    }
    if (isMissed()) {
      return Optional.of(Floor.all(present, isOwed() ? missed() : byUnpaid(), ""));
    }
    if (!unheard.isEmpty()) {
      return Optional.of(
          Floor.all(
              present,
              "%d of %d checks of what %s's clients report since the last change"
                  .formatted(
                      unheard.get(0).checks().size(),
                      settings.slo().checks(),
                      unheard.get(0).tenant()),
              "slo.checks"));
    }
    return judged.stream()
        .flatMap(each -> unknown(each).stream())
        .findFirst()
        .map(why -> Floor.all(present, why, ""));
  }

  /** Neither kept nor broken, or kept as nobody asked. */
  private static Optional<String> unknown(Judged each) {
    Compliance now = each.now();
    if (!now.unmeasured().isEmpty()) {
      return Optional.of(
          each.service().tenant()
              + ": "
              + now.description()
              + ", which not all clients report; no node is added or given back without it");
    }
    // They may all be back at once, and how long they would take then nothing tells.
    return now.unseen().isEmpty()
        ? Optional.empty()
        : Optional.of(
            Judged.kept(List.of(each))
                + "; there were no "
                + String.join(" and no ", now.unseen())
                + ", which have a limit of their own, so no node is given back");
  }
}
