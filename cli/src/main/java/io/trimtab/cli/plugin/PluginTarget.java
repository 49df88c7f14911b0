package io.trimtab.cli.plugin;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseEngine;
import java.util.Locale;

/** Databases with a plug-in. */
enum PluginTarget {
  HBASE {
    @Override
    LoadedPlugin connect(ClusterChoice choice) throws EngineException {
      return new HBaseLoaded(engine(choice, HBaseEngine.class, "an HBase"));
    }
  },
  CASSANDRA {
    @Override
    LoadedPlugin connect(ClusterChoice choice) throws EngineException {
      CassandraEngine ring = cassandra(choice);
      return new CassandraLoaded(ring.ranking(), ring::close);
    }
  };

  /**
   * Connects.
   *
   * @throws UserError if the cluster is one of another database
   */
  abstract LoadedPlugin connect(ClusterChoice choice) throws EngineException;

  /** The cluster, which must be one of Cassandra. */
  static CassandraEngine cassandra(ClusterChoice choice) throws EngineException {
    return engine(choice, CassandraEngine.class, "a Cassandra");
  }

  /** As it is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static <E extends Engine> E engine(ClusterChoice choice, Class<E> type, String title)
      throws EngineException {
    // The database itself: what metric sources add to a snapshot hides of which kind it is.
    Engine engine = choice.cluster().connect();
    if (type.isInstance(engine)) {
      return type.cast(engine);
    }
    engine.close();
    throw new UserError(choice.label() + " is not " + title + " cluster");
  }
}
