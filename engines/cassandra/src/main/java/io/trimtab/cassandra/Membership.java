package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.host.Clocks;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Nodes that join, clean up and leave. Each call resumes an interrupted earlier one. */
final class Membership {
  private static final Duration POLL = Duration.ofMillis(500);

  /** By then gossip has found out that a node is dead, if it is. */
  private static final Duration CONVICTED = Duration.ofSeconds(60);

  /**
   * Of Cassandra's answers to {@code removeNode} while the asked node removes one, whichever; from
   * 6.0 on while any node removes this one.
   */
  private static final List<String> REMOVING =
      List.of("already processing a removal", "has an in-progress sequence");

  /** Of the answer of Cassandra 4 to {@code decommission} while that goes on. */
  private static final String DECOMMISSIONING = "still decommissioning";

  private static final String LEAVING = "LEAVING";

  /** From 5.0 on; from 6.0 on also after a restart, until it is taken back. */
  private static final String LEAVE_FAILED = "DECOMMISSION_FAILED";

  private final CqlSession session;
  private final JmxPool jmx;
  private final Clocks clocks;

  Membership(CqlSession session, JmxPool jmx, Clocks clocks) {
    this.clocks = clocks;
    this.session = session;
    this.jmx = jmx;
  }

  private Optional<Member> member(NodeId id) {
    return RingSnapshots.members(session).stream().filter(m -> m.id().equals(id)).findFirst();
  }

  private String mode(NodeId node) throws IOException {
    return jmx.ask(node, j -> new StorageService(j).mode());
  }

  /**
   * Until the node says that it is in the ring, and all that are alive say so too. A leave that has
   * ended with a restart is taken back where that alone does not do it (from Cassandra 6.0 on).
   *
   * @param incarnationBefore of a node that is restarted; 0 of a new one
   */
  void awaitNormal(NodeId node, long incarnationBefore, Duration limit, InCharge control)
      throws EngineException {
    Optional<String> missing =
        CassandraErrors.STATE.poll(
            "waiting for node " + node,
            limit,
            POLL,
            () -> normal(node, incarnationBefore, control));
    if (missing.isPresent()) {
      throw new EngineException(
          "node "
              + node
              + " is not in service after "
              + limit.toSeconds()
              + " s: "
              + missing.get());
    }
  }

  /** Throws if something is still missing, with a description of it. */
  private boolean normal(NodeId node, long incarnationBefore, InCharge control)
      throws IOException, LostControlException {
    String mode = mode(node);
    long started = jmx.ask(node, j -> j.number("java.lang:type=Runtime", "StartTime"));
    if (mode.equals(LEAVE_FAILED) && incarnationBefore > 0 && started != incarnationBefore) {
      stay(node, control);
      mode = mode(node);
    }
    if (!mode.equals("NORMAL")) {
      throw new IOException("it is " + mode);
    }
    if (started == incarnationBefore) {
      throw new IOException("it has not been restarted");
    }
    if (!knownToAll(node)) {
      throw new IOException("not all nodes know it yet");
    }
    return true;
  }

  private void stay(NodeId node, InCharge control) throws IOException, LostControlException {
    try (NodeJmx own = jmx.connect(node)) {
      control.require();
      new StorageService(own).abortDecommission();
    } catch (IOException e) {
      throw new IOException(
          "it is %s, and that can't be taken back: %s"
              .formatted(LEAVE_FAILED, CassandraErrors.line(e)),
          e);
    }
  }

  private boolean knownToAll(NodeId node) throws IOException {
    Optional<Member> member = member(node);
    if (member.isEmpty()) {
      return false;
    }
    String storage = member.get().storage();
    for (Member other : live(node)) {
      Set<String> live = jmx.ask(other.id(), j -> new StorageService(j).live());
      Set<String> joining = jmx.ask(other.id(), j -> new StorageService(j).joining());
      if (!live.contains(storage) || joining.contains(storage)) {
        return false;
      }
    }
    return true;
  }

  /** Other nodes that the node itself can reach. */
  private List<Member> live(NodeId node) throws IOException {
    Set<String> seen = jmx.ask(node, j -> new StorageService(j).live());
    return RingSnapshots.members(session).stream()
        .filter(m -> !m.id().equals(node) && seen.contains(m.storage()))
        .toList();
  }

  /** Done when no other node counts it among the ring's. */
  void leave(NodeId node, Duration limit, InCharge control) throws EngineException {
    Optional<Member> member = member(node);
    if (member.isEmpty()) {
      return;
    }
    long begunNs = clocks.nowNs();
    String mode;
    try {
      mode = mode(node);
    } catch (IOException e) {
      removeDead(member.get(), CassandraErrors.line(e), limit, control);
      return;
    }
    switch (mode) {
      case "DECOMMISSIONED" -> {}
      case LEAVING -> decommissionAgain(node, limit, control);
      case "NORMAL", LEAVE_FAILED -> decommission(node, limit, control);
      default -> throw new EngineException("node " + node + " can't leave the ring: it is " + mode);
    }
    awaitGone(node, clocks.left(begunNs, limit), limit);
  }

  private void decommission(NodeId node, Duration limit, InCharge control) throws EngineException {
    begun(
        "node " + node + " can't leave the ring",
        limit,
        () -> {
          try (NodeJmx own = jmx.connect(node)) {
            control.require();
            new StorageService(own).decommission(limit);
          }
          return null;
        });
  }

  /**
   * One that goes on is only waited for. In Cassandra 4 one that has failed looks alike: asked for
   * again it goes on, or is refused because it never ended.
   */
  private void decommissionAgain(NodeId node, Duration limit, InCharge control)
      throws EngineException {
    try {
      if (jmx.ask(node, j -> new StorageService(j).tellsFailedLeave())) {
        return;
      }
    } catch (IOException e) {
      throw new EngineException(
          "node %s does not tell whether it still leaves: %s"
              .formatted(node, CassandraErrors.line(e)),
          e);
    }
    try {
      decommission(node, limit, control);
    } catch (LostControlException e) {
      throw e;
    } catch (EngineException e) {
      if (!e.getMessage().contains(DECOMMISSIONING)) {
        throw e;
      }
    }
  }

  /**
   * The other nodes restore the number of copies of its data. What an earlier call has begun is
   * waited for: Cassandra refuses a second one while the first goes on.
   */
  private void removeDead(Member dead, String silent, Duration limit, InCharge control)
      throws EngineException {
    long begunNs = clocks.nowNs();
    Member helper =
        RingSnapshots.members(session).stream()
            .filter(m -> !m.equals(dead) && answers(m))
            .findFirst()
            .orElseThrow(
                () -> new EngineException("node " + dead.id() + " is dead, and so are the others"));
    requireCopies(dead);
    requireDead(dead, silent, helper, limit);
    Duration left = clocks.left(begunNs, limit);
    Optional<EngineException> refused = Optional.empty();
    try {
      begun(
          "dead node " + dead.id() + " can't be removed from the ring",
          left,
          () -> {
            try (NodeJmx own = jmx.connect(helper.id())) {
              control.require();
              new StorageService(own).removeNode(dead.hostId().toString(), left);
            }
            return null;
          });
    } catch (EngineException e) {
      if (REMOVING.stream().noneMatch(e.getMessage()::contains)) {
        throw e;
      }
      refused = Optional.of(e);
    }
    try {
      awaitGone(dead.id(), clocks.left(begunNs, limit), limit);
    } catch (EngineException late) {
      throw refused.isEmpty()
          ? late
          : new EngineException(late.getMessage() + "; " + refused.get().getMessage(), late);
    }
  }

  /**
   * What a dead node alone has would be out of the ring for good; started again it has it still.
   */
  private void requireCopies(Member dead) throws EngineException {
    try {
      Map<String, Map<String, String>> keyspaces = Keyspaces.read(session);
      if (keyspaces.keySet().stream().anyMatch(Keyspaces::isUsers)
          && Keyspaces.replication(keyspaces).copies().least() < 2) {
        throw new EngineException(
            "node %s is dead, and some data have no other copy: start it again"
                .formatted(dead.id()));
      }
    } catch (DriverException e) {
      throw new EngineException(
          "node %s can't be removed from the ring: the keyspaces can't be read: %s"
              .formatted(dead.id(), CassandraErrors.line(e)),
          e);
    }
  }

  /**
   * A node may serve though its JMX does not answer: then some other node sees it alive. So it does
   * for some seconds after its death.
   */
  private void requireDead(Member dead, String silent, Member helper, Duration limit)
      throws EngineException {
    if (sees(helper, dead).isEmpty()) {
      throw new EngineException(
          "node %s does not tell whether %s is dead".formatted(helper.id(), dead.id()));
    }
    Duration wait = limit.compareTo(CONVICTED) < 0 ? limit : CONVICTED;
    Optional<String> alive =
        CassandraErrors.STATE.poll(
            "waiting until node " + dead.id() + " is dead for all",
            wait,
            POLL,
            () -> {
              for (Member other : RingSnapshots.members(session)) {
                if (!other.equals(dead) && sees(other, dead).orElse(false)) {
                  throw new IOException("is alive for node " + other.id());
                }
              }
              return true;
            });
    if (alive.isPresent()) {
      throw new EngineException(
          "node %s can't leave the ring: it does not answer (%s), and %s"
              .formatted(dead.id(), silent, alive.get()));
    }
  }

  /** Empty of who does not answer, which tells nothing. */
  private Optional<Boolean> sees(Member other, Member node) throws EngineException {
    try {
      Set<String> live = jmx.ask(other.id(), j -> new StorageService(j).live());
      return Optional.of(live.contains(node.storage()));
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new EngineException("interrupted while nodes were asked whether one is dead", e);
      }
      return Optional.empty();
    }
  }

  private boolean answers(Member member) {
    try {
      return mode(member.id()).equals("NORMAL");
    } catch (IOException e) {
      return false;
    }
  }

  private static void begun(String what, Duration limit, Callable<Void> work)
      throws EngineException {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try {
      Future<Void> done = worker.submit(work);
      done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LostControlException lost) {
        throw lost;
      }
      throw new EngineException(what + ": " + CassandraErrors.line(e.getCause()), e);
    } catch (TimeoutException e) {
      throw new EngineException(what + " within " + limit.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(what + ": interrupted", e);
    } finally {
      worker.shutdownNow();
    }
  }

  /**
   * @param left of the limit
   */
  private void awaitGone(NodeId node, Duration left, Duration limit) throws EngineException {
    String what = "waiting until node " + node + " is gone";
    if (CassandraErrors.STATE.poll(what, left, POLL, () -> member(node).isEmpty()).isPresent()) {
      throw new EngineException(
          "node " + node + " is still in the ring after " + limit.toSeconds() + " s");
    }
  }

  /** Keyspace by keyspace; a second time finds nothing to do. */
  void cleanup(NodeId node, Duration limit, InCharge control) throws EngineException {
    long begunNs = clocks.nowNs();
    for (String keyspace : spread(node)) {
      Duration left = clocks.left(begunNs, limit);
      begun(
          "node " + node + " can't be cleaned up, keyspace " + keyspace,
          left,
          () -> {
            try (NodeJmx own = jmx.connect(node)) {
              control.require();
              new StorageService(own).cleanup(keyspace, left);
            }
            return null;
          });
    }
  }

  private List<String> spread(NodeId node) throws EngineException {
    try {
      return Keyspaces.spread(Keyspaces.read(session));
    } catch (DriverException e) {
      throw new EngineException(
          "node %s can't be cleaned up: the keyspaces can't be read: %s"
              .formatted(node, CassandraErrors.line(e)),
          e);
    }
  }
}
