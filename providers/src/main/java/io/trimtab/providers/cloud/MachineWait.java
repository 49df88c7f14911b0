package io.trimtab.providers.cloud;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.providers.Pause;
import io.trimtab.providers.ProviderContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for machines of a cloud, and for their nodes. */
record MachineWait(Cloud cloud, MachineSettings settings, ProviderContext context) {
  private static final Logger LOG = LoggerFactory.getLogger(MachineWait.class);

  /** Machines of a cluster that have not ended. */
  List<CloudMachine> present(String cluster) throws EngineException {
    return present(cloud.machines(cluster));
  }

  /** Those that have not ended. */
  static List<CloudMachine> present(List<CloudMachine> all) {
    return all.stream().filter(machine -> machine.state() != CloudMachine.State.ENDED).toList();
  }

  /** Those that were asked for and not given back. */
  static List<CloudMachine> requested(List<CloudMachine> present) {
    return present.stream().filter(m -> !m.isRetired() && !m.request().isEmpty()).toList();
  }

  /** As others are told of it. */
  Machine told(CloudMachine machine, String cluster, Set<NodeId> alive) {
    return new Machine(
        machine.id(),
        settings.node(machine),
        cluster,
        machine.request(),
        machine.since(),
        state(machine, alive));
  }

  private Machine.State state(CloudMachine machine, Set<NodeId> alive) {
    return switch (machine.state()) {
      case RUNNING ->
          // One whose node the cloud does not tell may be any of the cluster's.
          settings.node(machine).filter(node -> !alive.contains(node)).isPresent()
              ? Machine.State.STARTING
              : Machine.State.RUNNING;
      case STARTING -> Machine.State.STARTING;
      default -> Machine.State.STOPPED;
    };
  }

  private Optional<CloudMachine> again(CloudMachine machine, String cluster)
      throws EngineException {
    return cloud.machines(cluster).stream()
        .filter(each -> each.id().equals(machine.id()))
        .findFirst();
  }

  /** The live nodes; none while nobody can tell: a wait for a machine is not ended by that. */
  private SortedMap<NodeId, Long> alive() {
    try {
      return context.alive();
    } catch (EngineException e) {
      LOG.info("no look at the cluster while a machine is waited for", e);
      return new TreeMap<>();
    }
  }

  /**
   * The node of a machine, once it is in the cluster. An API may list a machine only some time
   * after it was asked for; one that was listed and is not any more has vanished.
   */
  NodeId joined(CloudMachine machine, String cluster, Pause pause) throws EngineException {
    boolean listed = false;
    Optional<NodeId> node = Optional.empty();
    while (true) {
      Optional<CloudMachine> now = again(machine, cluster);
      if (now.isPresent() || listed) {
        requireComing(now, machine);
      }
      listed |= now.isPresent();
      if (now.filter(m -> m.state() == CloudMachine.State.RUNNING).isPresent()) {
        node = settings.node(now.get());
        if (node.isPresent() && alive().containsKey(node.get())) {
          return node.get();
        }
      }
      if (!pause.more()) {
        throw failed(
            machine,
            node.map(n -> "runs, but node " + n + " has not joined in time; its console tells why")
                .orElse("does not run in time"));
      }
      pause.pass("the wait for the node of machine " + machine.id());
    }
  }

  private void requireComing(Optional<CloudMachine> now, CloudMachine machine)
      throws EngineException {
    if (now.isEmpty()) {
      throw failed(machine, "has vanished while its node started");
    }
    switch (now.get().state()) {
      case ENDED -> throw notStarted(now.get(), "has vanished while its node started");
      case FAILED -> throw notStarted(now.get(), "could not be started");
      case BROKEN -> throw failed(now.get(), "is broken");
      default -> {}
    }
  }

  private EngineException notStarted(CloudMachine machine, String how) {
    EngineException failed = failed(machine, how);
    return cloud.foundNoRoom(machine) ? new NoRoomException(failed.getMessage(), null) : failed;
  }

  private EngineException failed(CloudMachine machine, String how) {
    String request = machine.request().isEmpty() ? "" : " of request " + machine.request();
    return new EngineException(
        "%s: machine %s%s %s%s"
            .formatted(
                cloud.title(),
                machine.id(),
                request,
                how,
                machine.reason().isEmpty() ? "" : ": " + machine.reason()));
  }

  /** Stops a machine; empty if it has ended meanwhile. */
  Optional<CloudMachine> stopped(CloudMachine machine, String cluster, Pause pause)
      throws EngineException {
    // What has just begun to start can't be stopped yet.
    Optional<CloudMachine> now =
        until(
            machine,
            cluster,
            found -> found.filter(m -> m.state() == CloudMachine.State.STARTING).isEmpty(),
            "has not started, and can't be stopped,",
            pause);
    if (now.isEmpty() || now.get().state() == CloudMachine.State.ENDED) {
      return Optional.empty();
    }
    if (now.get().state() != CloudMachine.State.STOPPED) {
      if (now.get().state() != CloudMachine.State.STOPPING) {
        cloud.stop(now.get());
      }
      now =
          until(
              machine,
              cluster,
              found -> ended(found) || found.get().state() == CloudMachine.State.STOPPED,
              "has not stopped",
              pause);
    }
    return now.filter(m -> m.state() != CloudMachine.State.ENDED);
  }

  /** Until a machine that is being deleted is gone. */
  void gone(CloudMachine machine, String cluster, Pause pause) throws EngineException {
    until(machine, cluster, MachineWait::ended, "is not deleted", pause);
  }

  private static boolean ended(Optional<CloudMachine> found) {
    return found.filter(m -> m.state() != CloudMachine.State.ENDED).isEmpty();
  }

  private Optional<CloudMachine> until(
      CloudMachine machine,
      String cluster,
      Predicate<Optional<CloudMachine>> done,
      String otherwise,
      Pause pause)
      throws EngineException {
    while (true) {
      Optional<CloudMachine> now = again(machine, cluster);
      if (done.test(now)) {
        return now;
      }
      if (!pause.more()) {
        throw failed(now.orElse(machine), otherwise + " in time");
      }
      pause.pass("the wait for machine " + machine.id());
    }
  }

  /**
   * Until a node's process is another one.
   *
   * @param before its incarnation; null if it was not alive
   */
  void back(CloudMachine machine, NodeId node, Long before, String cluster, Pause pause)
      throws EngineException {
    while (true) {
      Long now = alive().get(node);
      if (now != null && !now.equals(before)) {
        return;
      }
      if (now == null && ended(again(machine, cluster))) {
        throw failed(machine, "has vanished while it restarted");
      }
      if (!pause.more()) {
        throw failed(
            machine,
            now == null
                ? "was restarted, but node " + node + " is not back in time"
                : "was asked to restart, but node " + node + " still runs as before");
      }
      pause.pass("the wait for node " + node);
    }
  }
}
