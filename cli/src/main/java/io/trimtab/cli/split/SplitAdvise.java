package io.trimtab.cli.split;

import io.trimtab.cli.usage.LoadSample;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Table;
import io.trimtab.clikit.Terminal;
import io.trimtab.controller.observe.Observation;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the requests of a live cluster's partitions halve. */
@Command(
    name = "advise",
    description = {
      "Lists partitions with the key at which their requests halve.",
      "Also shows the share on each side and what a split would take off the node.",
      "Changes nothing.",
      "Nodes that can't be read are not asked: they are named, and left out with their partitions."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab split advise --lab lab",
      "  trimtab split advise --zookeeper zk1,zk2,zk3:2181 --table usertable --json",
      "",
      "Needs the plug-in on the nodes: trimtab plugin install hbase."
    })
final class SplitAdvise implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ClusterChoice choice;
  @Mixin private LoadSample sample;

  @Option(names = "--table", paramLabel = "NAME", description = "Only partitions of this table.")
  private String table;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  SplitAdvise(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException, InterruptedException {
    try (Engine engine = choice.connect()) {
      Observation.Usable seen = sample.ofReadable(terminal, engine, choice.label());
      Map<NodeId, String> notAsked = notAsked(seen);
      List<Map<String, Object>> rows = rows(seen, notAsked.keySet());
      if (json) {
        terminal.line(json(rows, notAsked));
      } else {
        terminal.line(text(rows) + text(notAsked));
      }
      return 0;
    }
  }

  /** Nodes whose plug-ins are not asked where requests halve, each with why it can't be read. */
  private static Map<NodeId, String> notAsked(Observation.Usable seen) {
    Map<NodeId, String> why = new TreeMap<>();
    seen.snapshot()
        .unreadNodes()
        .forEach(node -> why.put(node.id(), node.read().failure().orElseThrow()));
    return why;
  }

  /**
   * What is known of partitions, those with the most requests first.
   *
   * @param notAsked nodes whose partitions are left out: nobody knows what these are asked for
   */
  private List<Map<String, Object>> rows(Observation.Usable seen, Set<NodeId> notAsked) {
    Map<PartitionId, SplitHint> hints = new HashMap<>();
    seen.hints().forEach(h -> hints.put(h.partition(), h));
    Map<NodeId, Double> load = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      p.node().ifPresent(n -> load.merge(n, seen.rates(p.id()).total(), Double::sum));
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    seen.snapshot().partitions().stream()
        .filter(p -> table == null || p.id().table().equals(table))
        .filter(p -> p.node().filter(node -> !notAsked.contains(node)).isPresent())
        .sorted(
            Comparator.comparingDouble((PartitionState p) -> -seen.rates(p.id()).total())
                .thenComparing(PartitionState::id))
        .forEach(
            p ->
                rows.add(
                    row(p, hints.getOrDefault(p.id(), SplitHint.unknown(p.id())), seen, load)));
    return rows;
  }

  private static Map<String, Object> row(
      PartitionState p, SplitHint hint, Observation.Usable seen, Map<NodeId, Double> load) {
    double own = seen.rates(p.id()).total();
    double of = load.get(p.node().orElseThrow());
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("table", p.id().table());
    row.put("partition", p.id().name());
    row.put("node", p.node().get().toString());
    row.put("requestsPerSecond", own);
    row.put("verdict", hint.verdict().word());
    boolean key = !hint.key().isEmpty();
    row.put("splitKey", key ? hint.key().toString() : null);
    row.put("splitKeyHex", key ? hint.key().hex() : null);
    boolean share = !Double.isNaN(hint.leftShare());
    row.put("leftShare", share ? hint.leftShare() : null);
    row.put("bound", Double.isNaN(hint.bound()) ? null : hint.bound());
    row.put(
        "gain",
        share && hint.refusal().isEmpty() && of > 0 ? (1 - hint.leftShare()) * own / of : 0.0);
    row.put("reason", hint.reason());
    return row;
  }

  private static String json(List<Map<String, Object>> rows, Map<NodeId, String> notAsked) {
    List<Map<String, String>> nodes = new ArrayList<>();
    notAsked.forEach((node, why) -> nodes.add(Map.of("node", node.toString(), "why", why)));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("partitions", rows);
    all.put("notAsked", nodes);
    return JsonOutput.text(all);
  }

  /** A line more; empty if all were asked. */
  private static String text(Map<NodeId, String> notAsked) {
    return notAsked.isEmpty()
        ? ""
        : "\nnot asked, and left out with their partitions: "
            + String.join("; ", notAsked.values());
  }

  private static String text(List<Map<String, Object>> rows) {
    Table text =
        new Table(
            "partition", "node", ">requests/s", "verdict", "key", ">left", ">gain", "because");
    for (Map<String, Object> row : rows) {
      text.row(
          new PartitionId((String) row.get("table"), (String) row.get("partition")),
          row.get("node"),
          String.format(Locale.ROOT, "%,.0f", (Double) row.get("requestsPerSecond")),
          row.get("verdict"),
          row.get("splitKey") == null ? "" : row.get("splitKey"),
          row.get("leftShare") == null
              ? ""
              : String.format(Locale.ROOT, "%.2f", (Double) row.get("leftShare")),
          String.format(Locale.ROOT, "%.2f", (Double) row.get("gain")),
          row.get("reason"));
    }
    return text
        + "\ngain: share of its node's requests that would go elsewhere;"
        + " to split one: trimtab split apply PARTITION";
  }
}
