package io.trimtab.cli.plugin;

import io.trimtab.cassandra.ranking.NodePlugin;
import io.trimtab.cassandra.ranking.NodePlugin.Loaded;
import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.clikit.Table;
import io.trimtab.engineapi.EngineException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** On Cassandra's nodes. */
final class CassandraLoaded implements LoadedPlugin {
  private final RankingPlugin plugin;
  private final Runnable close;

  /**
   * @param close the connection
   */
  CassandraLoaded(RankingPlugin plugin, Runnable close) {
    this.plugin = plugin;
    this.close = close;
  }

  @Override
  public Answers ask() throws EngineException {
    List<NodePlugin> nodes = plugin.nodes();
    Table table =
        new Table(
            "node",
            "plug-in",
            "ranking",
            "local first",
            ">rack penalty",
            "inline reads",
            ">reads ranked",
            ">not ranked",
            ">hedges",
            "problem");
    for (NodePlugin node : nodes) {
      Optional<Loaded> its = node.loaded();
      table.row(
          node.node(),
          its.map(Loaded::version).orElse(node.answers() ? "not loaded" : "unknown"),
          cell(its, Loaded::ranking),
          cell(its, loaded -> loaded.localFirst() ? "yes" : "no"),
          cell(its, loaded -> penalty(loaded.rackPenalty())),
          cell(its, loaded -> loaded.inlineReads() ? "yes" : "no"),
          cell(its, Loaded::ranked),
          cell(its, Loaded::fallenBack),
          cell(its, loaded -> hedges(loaded.hedgeShare())),
          node.problem());
    }
    return new Answers(
        table,
        nodes.size(),
        nodes.stream().filter(NodePlugin::works).count(),
        nodes.stream().filter(NodePlugin::lacksIt).count(),
        differences(nodes));
  }

  private static Object cell(Optional<Loaded> loaded, Function<Loaded, Object> value) {
    return loaded.map(value).orElse("");
  }

  private static String penalty(double factor) {
    return factor == 1 ? "none" : String.format(Locale.ROOT, "%.3g", factor);
  }

  private static String hedges(double share) {
    return share >= 1 ? "any" : String.format(Locale.ROOT, "%.3g %%", 100 * share);
  }

  /** A node that has been restarted does not have what was set before. */
  private static String differences(List<NodePlugin> nodes) {
    Map<String, Long> rankings =
        nodes.stream()
            .flatMap(node -> node.loaded().stream())
            .collect(Collectors.groupingBy(Loaded::ranking, TreeMap::new, Collectors.counting()));
    return rankings.size() < 2
        ? ""
        : "nodes rank differently: "
            + rankings.entrySet().stream()
                .map(ranking -> ranking.getKey() + " on " + ranking.getValue())
                .collect(Collectors.joining(", "));
  }

  @Override
  public String steps() {
    return RankingPlugin.steps(PluginJar.CASSANDRA.write().toString());
  }

  @Override
  public void close() {
    close.run();
  }
}
