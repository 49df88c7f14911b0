package io.trimtab.runtime.service;

import io.trimtab.config.UserError;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.runtime.ports.MonotonicTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The agreements that a cluster keeps, as the settings name them. Several share the nodes: each
 * counts the nodes that it needs alone according to its table, as no table was measured with other
 * clients beside its own.
 */
final class Agreements {
  private final Map<String, Agreement> byTenant = new LinkedHashMap<>();

  /** Nodes that the agreed clients of the others need, by tenant. */
  private final Map<String, Integer> others = new LinkedHashMap<>();

  private final int nodesMax;

  /** The setting that has the most nodes that there may be. */
  private final String limit;

  /**
   * Reads the files.
   *
   * @param guardMax nodes that there may be at most, whatever agreements say
   * @param time measures how old reports are
   * @throws UserError if a file is invalid, no table covers an agreement or has the node type, or
   *     several agreements need more nodes than there may be
   */
  Agreements(SloSettings settings, int guardMax, MonotonicTime time) {
    List<String> files = new ArrayList<>(List.of(settings.sla()));
    files.addAll(settings.also());
    int most = guardMax;
    String named = "guard.maxNodes";
    for (String file : files) {
      Agreement agreement = new Agreement(Path.of(file), settings, time);
      Agreement other = byTenant.put(agreement.tenant(), agreement);
      if (other != null) {
        throw new UserError(
            "%s: has the name %s, as %s has; reports could not be told apart"
                .formatted(file, agreement.tenant(), other.file()));
      }
      if (agreement.maxNodes() < most) {
        most = agreement.maxNodes();
        named = "maxNodes of " + file;
      }
    }
    this.nodesMax = most;
    this.limit = named;
    if (byTenant.size() > 1) {
      admitAll();
    }
  }

  Collection<Agreement> all() {
    return byTenant.values();
  }

  Agreement of(String tenant) {
    return byTenant.get(tenant);
  }

  /** Nodes that there may be at most. */
  int nodesMax() {
    return nodesMax;
  }

  /** Nodes that the agreed clients of the others need. */
  int others(String tenant) {
    return others.getOrDefault(tenant, 0);
  }

  /**
   * Why there may be too few nodes for an agreement that is alone; a sentence without an end. It is
   * served by all the nodes that there may be, if not as agreed: its table was not measured on
   * these nodes, and what its clients report counts.
   */
  Optional<String> tooFew() {
    Agreement first = byTenant.values().iterator().next();
    int needed = first.needs().orElse(0);
    return byTenant.size() == 1 && needed > nodesMax
        ? Optional.of(
            ("agreement %s: by its table the agreed clients need %d nodes, and there may be at"
                    + " most %d: raise %s, or agree on less")
                .formatted(first.tenant(), needed, nodesMax, limit))
        : Optional.empty();
  }

  /** Several agreements are accepted only if the nodes may become enough for all of them. */
  private void admitAll() {
    Map<String, Integer> needs = new LinkedHashMap<>();
    for (Agreement agreement : byTenant.values()) {
      OptionalInt needed = agreement.needs();
      if (needed.isEmpty()) {
        throw new UserError(
            agreement.file()
                + ": no measured cluster is known to meet it, so that nothing tells what it leaves"
                + " to the other agreements of slo.also");
      }
      needs.put(agreement.tenant(), needed.getAsInt());
    }
    int all = needs.values().stream().mapToInt(each -> each).sum();
    if (all > nodesMax) {
      throw new UserError(
          ("slo.also: the agreements need %d nodes together (%s), and there may be at most %d:"
                  + " raise %s, or name fewer agreements")
              .formatted(all, text(needs), nodesMax, limit));
    }
    needs.forEach((tenant, own) -> others.put(tenant, all - own));
  }

  private static String text(Map<String, Integer> needs) {
    return String.join(
        ", ",
        needs.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList());
  }
}
