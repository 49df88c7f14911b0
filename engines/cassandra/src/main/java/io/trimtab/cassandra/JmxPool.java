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
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
    List<NodeId> up =
        nodes.stream()
            .filter(node -> node.getState() == NodeState.UP)
            .flatMap(node -> Member.of(node).stream())
            .map(Member::id)
            .toList();
    requireOperations(up, contact.jmx().get().user(), node -> contact.tryJmxOperation(host(node)));
  }

  /** Calls an operation of a node. */
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
    Map<NodeId, IOException> refusals = new ConcurrentHashMap<>();
    if (nodes.isEmpty() || anyLetsIn(nodes, user, trial, refusals) || refusals.isEmpty()) {
      return;
    }
    IOException refused =
        nodes.stream().filter(refusals::containsKey).map(refusals::get).findFirst().orElseThrow();
    String line = ErrorLine.of(refused);
    throw new EngineException(
        line.toLowerCase(Locale.ROOT).contains("access denied")
            ? line + "; to act, " + user + RIGHTS
            : line,
        refused);
  }

  /**
   * Whether the user may act on one of them; the others are not waited for then.
   *
   * @param refusals gets those of all nodes otherwise
   */
  private static boolean anyLetsIn(
      List<NodeId> nodes, String user, Trial trial, Map<NodeId, IOException> refusals)
      throws EngineException {
    ExecutorService askers =
        Executors.newFixedThreadPool(
            Math.min(AT_ONCE, nodes.size()),
            work -> {
              Thread thread = new Thread(work, "jmx-rights");
              thread.setDaemon(true);
              return thread;
            });
    try {
      CompletionService<Boolean> answers = new ExecutorCompletionService<>(askers);
      for (NodeId node : nodes) {
        var unused = answers.submit(() -> letsIn(node, user, trial, refusals));
      }
      for (int asked = 0; asked < nodes.size(); asked++) {
        if (answers.take().get()) {
          return true;
        }
      }
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted while nodes were asked what " + user + " may do", e);
    } catch (ExecutionException e) {
      throw new EngineException(
          "nodes can't be asked what " + user + " may do: " + CassandraErrors.line(e.getCause()),
          e);
    } finally {
      askers.shutdownNow();
    }
  }

  private static boolean letsIn(
      NodeId node, String user, Trial trial, Map<NodeId, IOException> refusals) {
    try {
      trial.at(node);
      return true;
    } catch (IOException e) {
      LOG.debug("{} does not let {} act", node, user, e);
      if (e.getCause() instanceof SecurityException) {
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
