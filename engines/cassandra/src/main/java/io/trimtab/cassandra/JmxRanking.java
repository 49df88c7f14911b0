package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.trimtab.cassandra.ranking.RankingNodes;
import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.cassandra.views.CoordinatorViews;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The nodes that a session knows; their plug-in by JMX. */
final class JmxRanking implements RankingNodes {
  private final CqlSession session;
  private final JmxPool jmx;

  JmxRanking(CqlSession session, JmxPool jmx) {
    this.session = session;
    this.jmx = jmx;
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
      Optional<Object> replicas = jmx.known(RankingPlugin.BEAN, "Replicas");
      return replicas.isEmpty()
          ? Optional.empty()
          : CoordinatorViews.of(
              replicas.get(),
              jmx.known(RankingPlugin.BEAN, "Ranking"),
              jmx.known(RankingPlugin.BEAN, "LocalFirst"),
              members);
    } catch (NodeJmx.BeanFailedException e) {
      gaps.add(
          "node %s does not tell how it ranks replicas: %s"
              .formatted(node, CassandraErrors.line(e)));
      return Optional.empty();
    }
  }

  @Override
  public List<RingNode> members() {
    return session.getMetadata().getNodes().values().stream()
        .flatMap(
            node ->
                Member.of(node).stream()
                    .map(
                        member ->
                            new RingNode(
                                member.id(), Objects.toString(node.getCassandraVersion(), ""))))
        .sorted(Comparator.comparing(node -> node.id().name()))
        .toList();
  }

  @Override
  public <T> T ask(NodeId node, Question<T> question) throws IOException {
    try {
      return jmx.<T, IOException>ask(node, its -> question.of(new JmxBean(its)));
    } catch (IOException e) {
      throw new IOException(CassandraErrors.line(e) + hint(e, serves(node)), e);
    }
  }

  /**
   * What an operator may look at.
   *
   * @param failure of a question by JMX
   * @param serves whether the node answers by CQL
   */
  static String hint(Throwable failure, boolean serves) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SecurityException) {
        return "; see --jmx-user";
      }
      boolean unreachable =
          cause instanceof SocketException || cause instanceof SocketTimeoutException;
      if (unreachable && serves) {
        return "; it serves by CQL: is --jmx-port right, and its JMX open to this machine?";
      }
    }
    return "";
  }

  private boolean serves(NodeId node) {
    return session.getMetadata().getNodes().values().stream()
        .filter(its -> its.getState() == NodeState.UP)
        .map(Member::of)
        .anyMatch(member -> member.filter(m -> m.id().equals(node)).isPresent());
  }

  private record JmxBean(NodeJmx jmx) implements Bean {
    @Override
    public boolean isThere() throws IOException {
      return !jmx.names(RankingPlugin.BEAN).isEmpty();
    }

    @Override
    public Object get(String attribute) throws IOException {
      return jmx.attribute(RankingPlugin.BEAN, attribute);
    }

    @Override
    public void set(String attribute, Object value) throws IOException {
      jmx.set(RankingPlugin.BEAN, attribute, value);
    }
  }
}
