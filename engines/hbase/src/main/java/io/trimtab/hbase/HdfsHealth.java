package io.trimtab.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.hdfs.DataNodes;
import io.trimtab.hbase.pages.HttpJmx;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks HDFS's NameNode whether every block has all its copies, and how full the disks are. */
final class HdfsHealth {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsHealth.class);
  private static final String BEAN = "Hadoop:service=NameNode,name=FSNamesystem";
  private static final String INFO = "Hadoop:service=NameNode,name=NameNodeInfo";
  private static final List<String> LACKING =
      List.of(
          "UnderReplicatedBlocks", "PendingReplicationBlocks", "MissingBlocks", "StaleDataNodes");
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final HttpJmx jmx;
  private final ClusterFacts facts;

  HdfsHealth(HttpJmx jmx, ClusterFacts facts) {
    this.jmx = jmx;
    this.facts = facts;
  }

  void awaitWhole(Duration limit) throws EngineException {
    if (!facts.onHdfs()) {
      return;
    }
    if (facts.nameNodes().isEmpty()) {
      throw new EngineException(
          "can't check whether HDFS has all copies: its NameNode's web address is unknown");
    }
    HBaseErrors.RETRY.until(
        "waiting until HDFS has all copies", limit, PAUSE, this::fullyReplicated);
  }

  private boolean fullyReplicated() throws IOException {
    IOException last = new IOException("no NameNode of " + facts.nameNodes() + " is active");
    for (String address : facts.nameNodes()) {
      try {
        List<JsonNode> beans = jmx.beans(address, BEAN);
        if (!beans.isEmpty() && active(beans.get(0))) {
          String lacking = lacking(beans.get(0));
          if (lacking.isEmpty()) {
            return true;
          }
          last = new IOException(address + " reports " + lacking);
        }
      } catch (IOException e) {
        if (Interrupts.in(e)) {
          throw e;
        }
        last = e;
      }
    }
    throw last;
  }

  /**
   * The DataNodes of the first NameNode that knows any, a standby one included, to which all report
   * as well; none where the data is not on HDFS or nobody answers.
   */
  DataNodes dataNodes() {
    for (String address : facts.onHdfs() ? facts.nameNodes() : List.<String>of()) {
      try {
        for (JsonNode bean : jmx.beans(address, INFO)) {
          DataNodes nodes = DataNodes.parse(bean.path("LiveNodes").asText("{}"));
          if (!nodes.isEmpty()) {
            return nodes;
          }
        }
      } catch (IOException e) {
        LOG.debug("{} does not tell how full HDFS's disks are", address, e);
      }
    }
    return DataNodes.NONE;
  }

  private static boolean active(JsonNode bean) {
    return bean.path("tag.HAState").asText("active").equals("active");
  }

  /**
   * What is short of copies, being copied, or has none, and DataNodes that are silent and not yet
   * given up, whose blocks may soon be among them; empty when all is well.
   */
  static String lacking(JsonNode bean) {
    if (!bean.has(LACKING.get(0))) {
      return "no " + LACKING.get(0);
    }
    return LACKING.stream()
        .filter(name -> bean.path(name).asLong() != 0)
        .map(name -> name + " " + bean.path(name).asLong())
        .collect(Collectors.joining(", "));
  }
}
