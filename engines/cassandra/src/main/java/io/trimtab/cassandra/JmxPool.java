package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.trimtab.cassandra.jmx.JmxNodes;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.host.ErrorLine;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections to the nodes' JMX servers, made when they are needed. Thread-safe. */
final class JmxPool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JmxPool.class);

  private static final String RIGHTS =
      " needs readwrite in the nodes' jmxremote.access, or EXECUTE and MODIFY on ALL MBEANS";

  /** Nodes that are asked at a time what the user may do. */
  static final int AT_ONCE = 8;

  private final CassandraContact contact;
  private final Map<NodeId, NodeJmx> open = new ConcurrentHashMap<>();

  JmxPool(CassandraContact contact) {
    this.contact = contact;
  }

  /** Something that is asked of a node. */
  @FunctionalInterface
  interface JmxCall<T, X extends Exception> {
    T ask(NodeJmx node) throws IOException, X;
  }

  /** Asks; once more by a new connection where an old one turns out to be dead. */
  <T, X extends Exception> T ask(NodeId node, JmxCall<T, X> question) throws IOException, X {
    NodeJmx known = open.get(node);
    if (known != null) {
      try {
        return question.ask(known);
      } catch (IOException e) {
        forget(node, known);
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
    NodeJmx fresh = connect(node);
    NodeJmx other = open.putIfAbsent(node, fresh);
    if (other != null) {
      fresh.close();
      return question.ask(other);
    }
    return question.ask(fresh);
  }

  /** A connection of one's own, for what takes long and must not be done twice. */
  NodeJmx connect(NodeId node) throws IOException {
    return contact.jmx(host(node));
  }

  /**
   * Checks that this user may change something on the nodes; where nodes ask for no user, everybody
   * may. Otherwise a plan would begin, and fail at its first action.
   *
   * @throws EngineException if it may only read
   */
  void requireOperations(Collection<Node> nodes) throws EngineException {
    if (contact.jmx().isEmpty()) {
      return;
    }
    String user = contact.jmx().get().user();
    List<NodeId> up = ids(nodes, state -> state == NodeState.UP);
    requireOperations(up, user, node -> contact.tryJmxOperation(host(node)));
  }

  /**
   * Checks that the nodes' certificates are taken; no-op without TLS for JMX. Otherwise no node
   * could be read, and nothing but that would be told, again and again.
   *
   * @throws EngineException if no node's is, of those that show one, or a store can't be read
   */
  void requireTrust(Collection<Node> nodes) throws EngineException {
    if (contact.protection().jmx().isEmpty()) {
      return;
    }
    String cluster = "Cassandra at " + contact.text();
    try {
      contact.protection().jmx().get().context();
    } catch (IOException e) {
      throw new EngineException(cluster + ": " + ErrorLine.of(e), e);
    }
    // The driver may have tried some of them only.
    List<NodeId> known = ids(nodes, state -> state != NodeState.DOWN);
    requireTrust(known, cluster, node -> contact.verifyJmx(host(node)));
  }

  private static List<NodeId> ids(Collection<Node> nodes, Predicate<NodeState> states) {
    return nodes.stream()
        .filter(node -> states.test(node.getState()))
        .flatMap(node -> Member.of(node).stream())
        .map(Member::id)
        .toList();
  }

  /** Asks a node for something that it may refuse, or be refused for. */
  @FunctionalInterface
  interface Trial {
    void at(NodeId node) throws IOException;
  }

  /**
   * The same of these nodes, some at a time, by the first that lets the user in: one that has just
   * started refuses everybody until it has read its users' rights, and one that is frozen takes
   * until the end of its time limit.
   */
  static void requireOperations(List<NodeId> nodes, String user, Trial trial)
      throws EngineException {
    Optional<IOException> refused = refusal(nodes, "what " + user + " may do", trial);
    if (refused.isPresent()) {
      String line = ErrorLine.of(refused.get());
      throw new EngineException(
          line.toLowerCase(Locale.ROOT).contains("access denied")
              ? line + "; to act, " + user + RIGHTS
              : line,
          refused.get());
    }
  }

  /** The same of their certificates: while they are exchanged, some nodes have the old ones. */
  static void requireTrust(List<NodeId> nodes, String cluster, Trial trial) throws EngineException {
    Optional<IOException> refused = refusal(nodes, "for their certificates", trial);
    if (refused.isPresent()) {
      throw new EngineException(cluster + ": " + ErrorLine.of(refused.get()), refused.get());
    }
  }

  /** The first node's; empty if one does not refuse, or if none tells. */
  private static Optional<IOException> refusal(List<NodeId> nodes, String what, Trial trial)
      throws EngineException {
    Map<NodeId, IOException> refusals = new ConcurrentHashMap<>();
    if (nodes.isEmpty() || anyLetsIn(nodes, what, trial, refusals)) {
      return Optional.empty();
    }
    return nodes.stream().filter(refusals::containsKey).findFirst().map(refusals::get);
  }

  /**
   * Whether one of them does not refuse; the others are not waited for then.
   *
   * @param what they are asked, for messages
   * @param refusals gets those of all nodes otherwise
   */
  private static boolean anyLetsIn(
      List<NodeId> nodes, String what, Trial trial, Map<NodeId, IOException> refusals)
      throws EngineException {
    ExecutorService askers =
        Executors.newFixedThreadPool(
            Math.min(AT_ONCE, nodes.size()),
            work -> {
              Thread thread = new Thread(work, "jmx-trial");
              thread.setDaemon(true);
              return thread;
            });
    try {
      CompletionService<Boolean> answers = new ExecutorCompletionService<>(askers);
      for (NodeId node : nodes) {
        var unused = answers.submit(() -> letsIn(node, what, trial, refusals));
      }
      for (int asked = 0; asked < nodes.size(); asked++) {
        if (answers.take().get()) {
          return true;
        }
      }
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted while nodes were asked " + what, e);
    } catch (ExecutionException e) {
      throw new EngineException(
          "nodes can't be asked " + what + ": " + CassandraErrors.line(e.getCause()), e);
    } finally {
      askers.shutdownNow();
    }
  }

  private static boolean letsIn(
      NodeId node, String what, Trial trial, Map<NodeId, IOException> refusals) {
    try {
      trial.at(node);
      return true;
    } catch (IOException e) {
      LOG.debug("{} was asked {}, and fails", node, what, e);
      if (e.getCause() instanceof SecurityException || e instanceof SSLPeerUnverifiedException) {
        refusals.put(node, e);
      }
      return false;
    }
  }

  private static String host(NodeId node) {
    return node.name().substring(0, node.name().lastIndexOf(':'));
  }

  private void forget(NodeId node, NodeJmx dead) {
    if (open.remove(node, dead)) {
      dead.close();
    }
  }

  /** Forgets nodes that are gone. */
  void keep(Collection<NodeId> present) {
    open.forEach(
        (node, jmx) -> {
          if (!present.contains(node)) {
            forget(node, jmx);
            JmxNodes.remove(host(node), contact.jmxPort());
          }
        });
  }

  @Override
  public void close() {
    // The nodes are still there, and may be called by others of this process.
    open.forEach(this::forget);
  }
}
