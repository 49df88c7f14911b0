package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import io.trimtab.cassandra.views.CoordinatorViews;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells where the plug-in that ranks replicas is loaded and what it does, and sets it. */
public final class RankingPlugin {
  /** The plug-in's name over JMX. */
  public static final String BEAN = "io.trimtab:type=ReplicaRanking";

  /** What cassandra.yaml must name. */
  public static final String SNITCH = "io.trimtab.cassandraplugin.TrimtabSnitch";

  private final CqlSession session;
  private final JmxPool jmx;

  RankingPlugin(CqlSession session, JmxPool jmx) {
    this.session = session;
    this.jmx = jmx;
  }

  /**
   * One node's plug-in.
   *
   * @param version empty where it is not loaded
   * @param ranking its name; {@code off} where reads keep the order of the snitch
   * @param ranked reads since the node started
   * @param fallenBack reads that should have been ranked and were not
   * @param failures errors in the plug-in; they harm no read
   * @param hedgeShare of reads that may be made again, 0 to 1
   * @param problem why the node can't be asked; empty if all is well
   */
  public record NodePlugin(
      NodeId node,
      Optional<String> version,
      String ranking,
      long ranked,
      long fallenBack,
      long failures,
      double hedgeShare,
      String problem) {
    /** Whether it is there, and nothing has gone wrong in it. */
    public boolean works() {
      return version.isPresent() && problem.isEmpty();
    }

    private static NodePlugin without(NodeId node, String problem) {
      return new NodePlugin(node, Optional.empty(), "", 0, 0, 0, Double.NaN, problem);
    }
  }

  private List<NodeId> members() {
    return session.getMetadata().getNodes().values().stream()
        .flatMap(node -> Member.of(node).stream())
        .map(Member::id)
        .sorted(Comparator.comparing(NodeId::name))
        .toList();
  }

  /** All members of the ring, those that do not answer too. */
  public List<NodePlugin> nodes() {
    List<NodePlugin> all = new ArrayList<>();
    for (NodeId node : members()) {
      try {
        all.add(jmx.ask(node, its -> read(node, its)));
      } catch (IOException e) {
        all.add(NodePlugin.without(node, CassandraErrors.line(e)));
      }
    }
    return all;
  }

  private static NodePlugin read(NodeId node, NodeJmx jmx) throws IOException {
    if (jmx.names(BEAN).isEmpty()) {
      return NodePlugin.without(node, "");
    }
    long failures = jmx.number(BEAN, "Failures");
    return new NodePlugin(
        node,
        Optional.of((String) jmx.attribute(BEAN, "Version")),
        (String) jmx.attribute(BEAN, "Ranking"),
        jmx.number(BEAN, "Ranked"),
        jmx.number(BEAN, "FallenBack"),
        failures,
        jmx.decimal(BEAN, "HedgeShare"),
        failures > 0 ? failures + " errors in the plug-in; the first is in the node's log" : "");
  }

  /**
   * How a node sees the others; empty where it does not rank replicas, or its plug-in is of a
   * version that tells something else.
   *
   * @param members by their addresses between nodes
   * @param gaps gets a sentence if the plug-in is there and fails
   */
  static Optional<CoordinatorView> view(
      NodeId node, NodeJmx jmx, Map<String, NodeId> members, List<String> gaps) throws IOException {
    try {
      Optional<Object> replicas = jmx.known(BEAN, "Replicas");
      return replicas.isEmpty()
          ? Optional.empty()
          : CoordinatorViews.of(
              replicas.get(), jmx.known(BEAN, "Ranking"), jmx.known(BEAN, "LocalFirst"), members);
    } catch (NodeJmx.BeanFailedException e) {
      gaps.add(
          "node %s does not tell how it ranks replicas: %s"
              .formatted(node, CassandraErrors.line(e)));
      return Optional.empty();
    }
  }

  /**
   * Whether {@link #set} could be done on every node now.
   *
   * @return the number of nodes
   * @throws EngineException naming the node that does not have the plug-in, does not answer or does
   *     not know the ranking
   */
  public int check(Map<String, Object> values) throws EngineException {
    List<NodeId> nodes = members();
    for (NodeId node : nodes) {
      asked(node, its -> checked(its, values.get("Ranking")));
    }
    return nodes.size();
  }

  /**
   * Sets attributes of the plug-in on every node; they last until its next start.
   *
   * @param values by attribute, for example {@code Ranking} → {@code c3}
   * @return the number of nodes
   * @throws EngineException as {@link #check}, and then nothing is set anywhere; or naming a node
   *     that failed later: it may have some of the values, and those before it by name have all
   */
  public int set(Map<String, Object> values) throws EngineException {
    check(values);
    List<NodeId> nodes = members();
    for (NodeId node : nodes) {
      asked(
          node,
          its -> {
            for (Map.Entry<String, Object> value : values.entrySet()) {
              its.set(BEAN, value.getKey(), value.getValue());
            }
            return true;
          });
    }
    return nodes.size();
  }

  private void asked(NodeId node, JmxPool.JmxCall<Boolean, IOException> what)
      throws EngineException {
    try {
      jmx.ask(node, what);
    } catch (IOException e) {
      throw new EngineException("node " + node + ": " + CassandraErrors.line(e), e);
    }
  }

  private static boolean checked(NodeJmx jmx, Object ranking) throws IOException {
    if (jmx.names(BEAN).isEmpty()) {
      throw new IOException("it has no plug-in (trimtab plugin install cassandra)");
    }
    List<String> known = List.of((String[]) jmx.attribute(BEAN, "Rankings"));
    if (ranking != null && !known.contains(ranking)) {
      throw new IOException(
          "its plug-in knows no ranking " + ranking + ", but " + String.join(", ", known));
    }
    return true;
  }

  /**
   * What an operator must do, on each node without the plug-in.
   *
   * @param jar the plug-in's jar, as it is called on the operator's machine
   */
  public static String steps(String jar) {
    return """
        On each node that lacks the plug-in (Cassandra 5.0):
          1. Copy %s into Cassandra's lib folder.
          2. In its cassandra.yaml, note the snitch and replace it, and switch the dynamic one off:
               endpoint_snitch: %s
               dynamic_snitch: false
          3. In its jvm-server.options, add the snitch that was there before, for example:
               -Dtrimtab.snitch=GossipingPropertyFileSnitch
          4. nodetool drain, and restart it; one node after another. Nodes with and without the
             plug-in work together.
        Then run this command again: it asks every node.
        """
        .formatted(jar, SNITCH);
  }
}
