package io.trimtab.contract;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.config.Bytes;
import io.trimtab.engineapi.EngineException;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.cluster.Progress;
import io.trimtab.workload.CassandraTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** A real Cassandra cluster of one class of tests, with an engine and clients; no core limits. */
public record CassandraCluster(CassandraLab lab, CassandraEngine engine, CassandraTarget target)
    implements TestCluster {

  /**
   * @param home what is to be {@code trimtab.home} of this process
   */
  public static CassandraCluster up(String name, Path home, int nodes, CassandraSettings settings)
      throws IOException, EngineException {
    return up(name, home, nodes, settings, config -> config);
  }

  /**
   * As {@link #up(String, Path, int, CassandraSettings)}.
   *
   * @param change of the lab's configuration
   */
  public static CassandraCluster up(
      String name,
      Path home,
      int nodes,
      CassandraSettings settings,
      UnaryOperator<LabConfig> change)
      throws IOException, EngineException {
    System.setProperty("trimtab.home", home.toString());
    LabConfig config = change.apply(config(name, nodes, settings));
    CassandraLab lab = CassandraLab.up(config, Owner.PROCESS, Progress.NONE);
    try {
      lab.limitNodes(false);
      return new CassandraCluster(lab, lab.engine(), lab.target());
    } catch (IOException | EngineException | RuntimeException e) {
      lab.down();
      throw e;
    }
  }

  /** Of small nodes, to which one can be added. */
  public static LabConfig config(String name, int nodes, CassandraSettings settings) {
    return LabConfig.defaults()
        .withName(name)
        .withNodes(nodes)
        .withSpareNodes(1)
        // Idle request threads would take one of two cores.
        .withCassandra(settings.withTimerSlack(1000))
        .withHeap(new Bytes(256L << 20));
  }

  @Override
  public void close() {
    String name = lab.config().name();
    try (target;
        engine) {
      // Clients first: they would try again and again.
    } finally {
      Lab.down(name);
      System.clearProperty("trimtab.home");
    }
  }
}
