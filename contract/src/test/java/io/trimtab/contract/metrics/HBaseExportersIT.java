package io.trimtab.contract.metrics;

import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.NodeState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prometheus and node_exporter of Debian, and the JMX exporter in a RegionServer; see {@code
 * ./trimtab test --prometheus}.
 */
@Tag("exporters")
class HBaseExportersIT extends ExportersContract {
  @TempDir static Path home;
  @AutoClose private static HBaseCluster cluster;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster =
        HBaseCluster.up("hbase-exporters", home, Map.of(), c -> c.withNodes(1).withSpareNodes(0));
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  @Override
  protected String database() {
    return "hbase";
  }

  @Override
  protected String process() {
    return "regionserver";
  }

  @Override
  protected double p99Ms(NodeState node) {
    return node.gauges().times().p99Ms();
  }
}
