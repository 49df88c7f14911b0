package io.trimtab.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.hdfs.DataNodes;
import io.trimtab.hbase.pages.HttpJmx;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
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
  private final Supplier<ClusterFacts> facts;

  /** Whether a NameNode has told the disks since this program began. */
  private volatile boolean answered;

  /**
   * @param facts as they are known when they are asked for
   */
  HdfsHealth(HttpJmx jmx, Supplier<ClusterFacts> facts) {
    this.jmx = jmx;
    this.facts = facts;
  }

  void awaitWhole(Duration limit) throws EngineException {
    if (!facts.get().onHdfs()) {
      return;
    }
    if (facts.get().nameNodes().isEmpty()) {
      throw new EngineException(
          "can't check whether HDFS has all copies: the master's settings do not tell the web"
              + " address of its NameNode; set nameNode of the connection");
    }
    HBaseErrors.RETRY.until(
        "waiting until HDFS has all copies", limit, PAUSE, this::fullyReplicated);
  }

  private boolean fullyReplicated() throws IOException {
    IOException last = new IOException("no NameNode of " + facts.get().nameNodes() + " is active");
    for (String address : facts.get().nameNodes()) {
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
   * as well; none where the data is not on HDFS, or no NameNode has ever answered.
   *
   * @throws IOException if none answers that {@link #mustAnswer must}
   */
  DataNodes dataNodes() throws IOException {
    List<String> asked = facts.get().onHdfs() ? facts.get().nameNodes() : List.of();
    IOException last = new IOException("no NameNode of " + asked + " knows a live DataNode");
    for (String address : asked) {
      try {
        for (JsonNode bean : jmx.beans(address, INFO)) {
          DataNodes nodes = DataNodes.parse(bean.path("LiveNodes").asText("{}"));
          if (!nodes.isEmpty()) {
            answered = true;
            return nodes;
          }
        }
      } catch (IOException e) {
        LOG.debug("{} does not tell how full HDFS's disks are", address, e);
        last = e;
      }
    }
    if (mustAnswer()) {
      throw last;
    }
    return DataNodes.NONE;
  }

  /**
   * Whether disks of which nothing is told are a gap: one that has answered before has broken, and
   * who gives its address wants it asked. An address that was only found may be of a network that
   * can't be reached from here.
   */
  boolean mustAnswer() {
    return facts.get().onHdfs() && (answered || facts.get().nameNodeGiven());
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
