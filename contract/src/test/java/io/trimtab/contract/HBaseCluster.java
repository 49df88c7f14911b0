package io.trimtab.contract;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.cluster.Progress;
import io.trimtab.workload.HBaseWorkloadTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** A real HBase cluster of one class of tests, with an engine and clients; no limits of cores. */
public record HBaseCluster(
    HBaseLab lab, HBaseEngine engine, HBaseWorkloadTarget target, Connection connection)
    implements TestCluster {

  /**
   * @param home what is to be {@code trimtab.home} of this process
   * @param site settings in hbase-site.xml
   */
  public static HBaseCluster up(
      String name, Path home, Map<String, String> site, UnaryOperator<LabConfig> change)
      throws IOException, EngineException {
    System.setProperty("trimtab.home", home.toString());
    LabConfig config = config(name, 3).withSite(site);
    HBaseLab lab = HBaseLab.up(change.apply(config), Owner.PROCESS, Progress.NONE);
    lab.limitNodes(false);
    HBaseWorkloadTarget target = lab.target();
    return new HBaseCluster(lab, lab.engine(), target, connection(lab, target));
  }

  /** Of small nodes, to which one can be added. */
  public static LabConfig config(String name, int nodes) {
    return LabConfig.defaults()
        .withName(name)
        .withNodes(nodes)
        .withHeap(new Bytes(192L << 20))
        .withProfile(Profile.HOMOGENEOUS)
        // Room for what reopening everything again and again leaves behind in native memory.
        .withLimits(0.75, new Bytes(768L << 20), 0)
        .withSpareNodes(1);
  }

  /** Of the user who may do everything, as the load's is where the lab is secure. */
  private static Connection connection(HBaseLab lab, HBaseWorkloadTarget target)
      throws IOException {
    if (lab.config().secure()) {
      return target.connection();
    }
    Configuration conf = HBaseConfiguration.create();
    lab.clientProperties().forEach(conf::set);
    return ConnectionFactory.createConnection(conf);
  }

  @Override
  public void close() throws IOException {
    String name = lab.config().name();
    try (connection;
        target;
        engine) {
      // Clients first: they would try again and again.
    } finally {
      Lab.down(name);
      System.clearProperty("trimtab.home");
    }
  }
}
