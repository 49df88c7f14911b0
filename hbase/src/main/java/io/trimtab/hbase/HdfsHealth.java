package io.trimtab.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.EngineException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Asks HDFS's NameNode whether every block has all its copies. */
final class HdfsHealth {
  private static final String BEAN = "Hadoop:service=NameNode,name=FSNamesystem";
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final JmxClient jmx;
  private final ClusterFacts facts;

  HdfsHealth(JmxClient jmx, ClusterFacts facts) {
    this.jmx = jmx;
    this.facts = facts;
  }

  void awaitWhole(Duration limit) throws EngineException {
    if (!facts.onHdfs()) {
      return;
    }
    if (facts.nameNodes().isEmpty()) {
      throw new EngineException(
          "whether HDFS has all copies can't be told: its NameNode's web address is unknown");
    }
    Await.until("waiting until HDFS has all copies", limit, PAUSE, this::whole);
  }

  private boolean whole() throws IOException {
    IOException last = new IOException("no NameNode of " + facts.nameNodes() + " is active");
    for (String address : facts.nameNodes()) {
      try {
        List<JsonNode> beans = jmx.beans(address, BEAN);
        if (!beans.isEmpty()
            && beans.get(0).path("tag.HAState").asText("active").equals("active")) {
          return lacking(beans.get(0)) == 0;
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  /**
   * Blocks with too few copies, being copied, or with none, and DataNodes that are silent and not
   * yet given up, whose blocks may soon be among them; −1 when the NameNode does not say.
   */
  static long lacking(JsonNode bean) {
    long under = bean.path("UnderReplicatedBlocks").asLong(-1);
    if (under < 0) {
      return -1;
    }
    return under
        + bean.path("PendingReplicationBlocks").asLong(0)
        + bean.path("MissingBlocks").asLong(0)
        + bean.path("StaleDataNodes").asLong(0);
  }
}
