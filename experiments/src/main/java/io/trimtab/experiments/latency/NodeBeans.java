package io.trimtab.experiments.latency;

import io.trimtab.cassandra.jmx.JmxSockets;
import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.engineapi.NodeId;
import java.io.IOException;
import java.time.Duration;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What an experiment does to a node of its own lab over JMX that no autopilot would. */
public final class NodeBeans implements AutoCloseable {
  private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
  private static final String SENT =
      "org.apache.cassandra.metrics:type=Connection,scope=*,name=SmallMessageCompletedTasks";
  private static final Duration COMPACTION_LIMIT = Duration.ofMinutes(3);
  private static final int SNITCH_UPDATE_MS = 100;
  private static final int SNITCH_RESET_MS = 600_000;

  private final int jmxPort;
  private final JMXConnector connector;
  private final MBeanServerConnection beans;

  private NodeBeans(int jmxPort, JMXConnector connector) throws IOException {
    this.jmxPort = jmxPort;
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
  }

  @SuppressWarnings("BanJNDI") // a node of this lab
  public static NodeBeans of(NodeId node, int jmxPort) throws IOException {
    String host = node.name().substring(0, node.name().lastIndexOf(':'));
    return new NodeBeans(
        jmxPort,
        JMXConnectorFactory.connect(
            new JMXServiceURL(
                "service:jmx:rmi:///jndi/rmi://" + host + ":" + jmxPort + "/jmxrmi")));
  }

  private static ObjectName name(String text) {
    try {
      return new ObjectName(text);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private void invoke(String bean, String operation, Object[] values, String... types)
      throws IOException, JMException {
    beans.invoke(name(bean), operation, values, types);
  }

  /**
   * Changes the snitch while the node runs.
   *
   * @param dynamic whether Cassandra's own dynamic snitch ranks, with the defaults of 5.0
   * @param threshold its badness threshold
   */
  public void snitch(String type, boolean dynamic, double threshold)
      throws IOException, JMException {
    invoke(
        STORAGE,
        "updateSnitch",
        new Object[] {type, dynamic, SNITCH_UPDATE_MS, SNITCH_RESET_MS, threshold},
        "java.lang.String",
        "java.lang.Boolean",
        "java.lang.Integer",
        "java.lang.Integer",
        "java.lang.Double");
  }

  /** A whole garbage collection; the node stands still meanwhile. */
  public void collectGarbage() throws IOException, JMException {
    invoke("java.lang:type=Memory", "gc", new Object[0]);
  }

  /**
   * Makes one file of a table; until it is done.
   *
   * @throws Exception also where it takes longer than {@link #COMPACTION_LIMIT}
   */
  public void compact(String keyspace, String table) throws Exception {
    JmxSockets.within(
        COMPACTION_LIMIT,
        jmxPort,
        () -> {
          invoke(
              STORAGE,
              "forceKeyspaceCompaction",
              new Object[] {false, keyspace, new String[] {table}},
              "boolean",
              "java.lang.String",
              "[Ljava.lang.String;");
          return null;
        });
  }

  /** Reads of a table's partitions on this node since it started. */
  public long reads(String keyspace, String table) throws IOException, JMException {
    return (Long)
        beans.getAttribute(
            name(
                "org.apache.cassandra.metrics:type=Table,keyspace=%s,scope=%s,name=ReadLatency"
                    .formatted(keyspace, table)),
            "Count");
  }

  /** Counts of what reads' time consists of begin anew, or end. */
  public void record(boolean on) throws IOException, JMException {
    beans.setAttribute(name(RankingPlugin.BEAN), new Attribute("Recording", on));
  }

  /** What has been counted: the least value of each bin, and how many. */
  public long[][] component(String component) throws IOException, JMException {
    return (long[][])
        beans.invoke(
            name(RankingPlugin.BEAN),
            "components",
            new Object[] {component},
            new String[] {"java.lang.String"});
  }

  /** Of what response times consist: the least value of each bin, waiting and service, ns. */
  public long[][] responseParts() throws IOException, JMException {
    return (long[][])
        beans.invoke(name(RankingPlugin.BEAN), "responseParts", new Object[0], new String[0]);
  }

  /** A number of the plug-in. */
  public long plugin(String attribute) throws IOException, JMException {
    return ((Number) beans.getAttribute(name(RankingPlugin.BEAN), attribute)).longValue();
  }

  /** Bytes of the heap that are used after a whole collection. */
  public long heapAfterCollection() throws IOException, JMException {
    collectGarbage();
    CompositeData usage =
        (CompositeData) beans.getAttribute(name("java.lang:type=Memory"), "HeapMemoryUsage");
    return (Long) usage.get("used");
  }

  /** Bytes that the threads of the node's JVM have allocated on the heap since its start. */
  public long allocatedBytes() throws IOException, JMException {
    return (Long) beans.getAttribute(name("java.lang:type=Threading"), "TotalThreadAllocatedBytes");
  }

  /** Messages that this node has sent to others since its start, without gossip and large ones. */
  public long sentMessages() throws IOException, JMException {
    long all = 0;
    for (ObjectName peer : beans.queryNames(name(SENT), null)) {
      all += ((Number) beans.getAttribute(peer, "Value")).longValue();
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
