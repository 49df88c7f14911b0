package io.trimtab.cli.plugin;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.cassandra.RankingPlugin;
import io.trimtab.cassandra.RankingPlugin.NodePlugin;
import io.trimtab.clikit.Table;
import java.util.List;
import java.util.Locale;

/** On Cassandra's nodes. */
final class CassandraLoaded implements LoadedPlugin {
  private final CassandraEngine engine;

  CassandraLoaded(CassandraEngine engine) {
    this.engine = engine;
  }

  @Override
  public Answers ask() {
    List<NodePlugin> nodes = engine.ranking().nodes();
    Table table =
        new Table(
            "node", "plug-in", "ranking", ">reads ranked", ">not ranked", ">hedges", "problem");
    for (NodePlugin node : nodes) {
      boolean there = node.version().isPresent();
      table.row(
          node.node(),
          node.version().orElse(node.problem().isEmpty() ? "not loaded" : "unknown"),
          node.ranking(),
          there ? node.ranked() : "",
          there ? node.fallenBack() : "",
          there ? hedges(node.hedgeShare()) : "",
          node.problem());
    }
    return new Answers(
        table,
        nodes.stream().anyMatch(node -> node.version().isEmpty() && node.problem().isEmpty()),
        nodes.stream().allMatch(NodePlugin::works));
  }

  private static String hedges(double share) {
    return share >= 1 ? "any" : String.format(Locale.ROOT, "%.3g %%", 100 * share);
  }

  @Override
  public String steps() {
    return RankingPlugin.steps(PluginJar.CASSANDRA.write().toString());
  }

  @Override
  public void close() {
    engine.close();
  }
}
