package io.trimtab.controller.agreement;

import io.trimtab.controller.observe.Service;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.models.capacity.NodesNeeded;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.Provisioner;
import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The fewest nodes that there may be while all agreements are kept: as many as all of them need,
 * with a margin. Below what the agreed clients need one is given back at a time: those that do not
 * ask now may be back at once.
 */
final class NodesToKeep {
  private final Agreements agreements;
  private final List<Judged> judged;
  private final Settings settings;
  private final int present;

  NodesToKeep(Agreements agreements, List<Judged> judged, Settings settings, int present) {
    this.agreements = agreements;
    this.judged = judged;
    this.settings = settings;
    this.present = present;
  }

  Floor floor() {
    Floor now = byNeed();
    int fewer = present - 1;
    if (now.nodes() >= fewer || judged.stream().noneMatch(Judged::hasFewer)) {
      return now;
    }
    int least = Math.min(fewer, byAgreed());
    String few =
        judged.stream().filter(Judged::hasFewer).map(Judged::few).collect(Collectors.joining(", "));
    return least <= now.nodes()
        ? now
        : new Floor(
            least,
            now.told(),
            "only %s ask now; nodes that all of them need are given back one at a time"
                .formatted(few),
            "slo.checks",
            false);
  }

  /** As many as all clients need that were agreed; all that there are where no table tells. */
  private int byAgreed() {
    int sum = 0;
    for (Judged one : judged) {
      Objective left = one.ofAgreed().withMargin(settings.slo().margin());
      Optional<NodesNeeded> needs = Agreements.byTable(one.service(), left);
      if (needs.isEmpty()) {
        return present;
      }
      sum += needs.get().nodes();
    }
    return sum;
  }

  private Floor byNeed() {
    int fewer = present - 1;
    List<String> each = new ArrayList<>();
    NodesNeeded sum = NodesNeeded.NONE;
    for (Judged one : judged) {
      Objective left = one.now().objective().withMargin(settings.slo().margin());
      Optional<Untold> untold = untold(one.service(), left, fewer);
      if (untold.isPresent()) {
        String why =
            "no table tells that %s needs no more than %s: %s"
                .formatted(one.service().tenant(), Counted.of(fewer, "node"), untold.get().why());
        String brief =
            Agreements.byTable(one.service(), left)
                .filter(needs -> needs.nodes() > fewer)
                .map(needs -> Agreements.alone(one.service(), Counted.of(needs.nodes(), "node")))
                .orElse(why);
        return new Floor(
            present, agreements.kept() + "; " + why, brief, untold.get().setting(), false);
      }
      NodesNeeded needs = Agreements.byTable(one.service(), left).orElseThrow();
      sum = sum.plus(needs);
      each.add(one.service().tenant() + " " + needs.nodes());
    }
    String nodes = Counted.of(sum.nodes(), "node");
    String parts = each.size() == 1 ? "" : " (" + String.join(", ", each) + ")";
    String enough =
        agreements.kept()
            + (each.size() == 1 ? "; it needs " + nodes : "; together they need " + nodes + parts);
    NodesNeeded byCosts = surer(sum).orElse(NodesNeeded.NONE);
    if (sum.nodes() > fewer || byCosts.nodes() <= sum.nodes()) {
      return new Floor(
          Math.min(present, sum.nodes()),
          enough,
          agreements.needed(nodes) + parts,
          "slo.margin",
          false);
    }
    String by = "by what requests cost so far, which is surer, ";
    return new Floor(
        Math.min(present, byCosts.nodes()),
        byCosts.nodes() > fewer
            ? enough + ", but " + by + "it takes " + Agreements.text(byCosts)
            : enough,
        by + agreements.needed(Counted.of(byCosts.nodes(), "node")),
        "usage.target",
        false);
  }

  /** The nodes that are needed by what requests cost, where that is surer than the tables. */
  private Optional<NodesNeeded> surer(NodesNeeded tables) {
    UsageSettings usage = settings.usage();
    return tables.isExact()
        ? Optional.empty()
        : agreements
            .costs(usage.target() * (1 - usage.margin()))
            .needed()
            .filter(needed -> needed.isSurerThan(tables));
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
}
