package io.trimtab.cli.plugin;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseEngine;
import java.util.function.Function;

/** Databases with a plug-in. */
enum PluginTarget {
  HBASE("an HBase", HBaseEngine.class, engine -> new HBaseLoaded((HBaseEngine) engine)),
  CASSANDRA(
      "a Cassandra",
      CassandraEngine.class,
      engine -> new CassandraLoaded((CassandraEngine) engine));

  private final String title;
  private final Class<? extends Engine> type;
  private final Function<Engine, LoadedPlugin> maker;

  PluginTarget(String title, Class<? extends Engine> type, Function<Engine, LoadedPlugin> maker) {
    this.title = title;
    this.type = type;
    this.maker = maker;
  }

  /**
   * Connects.
   *
   * @throws UserError if the cluster is one of another database
   */
  LoadedPlugin connect(ClusterChoice choice) throws EngineException {
    Engine engine = choice.connect();
    if (!type.isInstance(engine)) {
      engine.close();
      throw new UserError(choice.label() + " is not " + title + " cluster");
    }
    return maker.apply(engine);
  }
}
