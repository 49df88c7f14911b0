package io.trimtab.cli.slo;

import io.trimtab.models.capacity.Provisioner.Choice;
import io.trimtab.runtime.provision.Provisioned;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What is to be done from an agreement to its cluster, in words and as settings. */
final class ProvisionText {
  private ProvisionText() {}

  /** The settings of an autopilot that keeps the agreement. */
  static String settings(Path sla, List<Path> tables, String nodeType) {
    return """
        policy: slo
        slo:
          sla: %s
          tables: [%s]
          nodeType: %s
        """
        .formatted(
            quoted(sla.toAbsolutePath().normalize().toString()),
            tables.stream()
                .map(table -> quoted(table.toAbsolutePath().normalize().toString()))
                .collect(Collectors.joining(", ")),
            quoted(nodeType));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** The steps for a person who starts the nodes, where no provider does. */
  static String steps(Choice choice, String table, int copies, String settings) {
    List<String> steps = new ArrayList<>();
    steps.add(
        ("start %d nodes of type %s that know of no other cluster and have no data; each serves"
                + " before the next is started")
            .formatted(choice.nodes(), choice.nodeType()));
    if (!table.isEmpty()) {
      steps.add("create table %s, with %d copies of its data".formatted(table, copies));
    }
    steps.add("write these settings to a file:\n" + settings.stripTrailing().indent(7));
    steps.add("trimtab run --config FILE --act, with the cluster's address");
    StringBuilder text =
        new StringBuilder("no provider is named (--provider), so a person does the steps:");
    for (int i = 0; i < steps.size(); i++) {
      text.append("\n  ").append(i + 1).append(". ").append(steps.get(i).stripTrailing());
    }
    return text.toString();
  }

  /** What would be done through a provider. */
  static String plan(Provisioned cluster, String nodeWord, String capacity) {
    List<String> steps = new ArrayList<>();
    int left = cluster.nodes() - cluster.started().size();
    steps.add(
        "start %d of %d through the provider, one %s after the other (%s)"
            .formatted(left, cluster.nodes(), nodeWord, capacity));
    if (!cluster.table().isEmpty()) {
      steps.add("create table %s, with %d copies".formatted(cluster.table(), cluster.copies()));
    }
    StringBuilder text = new StringBuilder("to be done:");
    for (int i = 0; i < steps.size(); i++) {
      text.append("\n  ").append(i + 1).append(". ").append(steps.get(i));
    }
    return text.toString();
  }

  /** How the agreement is kept from now on. */
  static String next(Provisioned cluster, Path settings) {
    return """
        %s has its cluster: %d nodes of type %s at %s (%s)
        to keep the agreement: trimtab run --config %s --act, with the same cluster and provider
        to give the machines back: trimtab slo release %s, with the same cluster and provider"""
        .formatted(
            cluster.name(),
            cluster.nodes(),
            cluster.nodeType(),
            cluster.address(),
            cluster.started().stream().map(Object::toString).collect(Collectors.joining(", ")),
            settings,
            cluster.name());
  }
}
