package io.trimtab.cli.plugin;

import io.trimtab.clikit.Table;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbase.PluginInstall;
import io.trimtab.hbase.PluginInstall.ServerPlugin;
import java.util.Collection;

/** On RegionServers. */
final class HBaseLoaded implements LoadedPlugin {
  private final HBaseEngine engine;

  HBaseLoaded(HBaseEngine engine) {
    this.engine = engine;
  }

  @Override
  public Answers ask() throws EngineException {
    Collection<ServerPlugin> servers = engine.plugin().servers().values();
    Table table = new Table("node", "plug-in", "regions followed", "problem");
    for (ServerPlugin server : servers) {
      table.row(
          server.node(),
          server.version().orElse("not loaded"),
          server.followed() < 0 ? "" : server.followed(),
          server.problem());
    }
    long works = servers.stream().filter(ServerPlugin::works).count();
    return new Answers(table, servers.size(), works, servers.size() - works, "");
  }

  @Override
  public String steps() {
    return PluginInstall.steps(PluginJar.HBASE.write().toString());
  }

  @Override
  public void close() {
    engine.close();
  }
}
