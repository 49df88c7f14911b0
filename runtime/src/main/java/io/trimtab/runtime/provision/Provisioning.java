package io.trimtab.runtime.provision;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.control.MachineMark;
import io.trimtab.runtime.ports.Ports;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Makes a cluster for an agreement (Chalkiadaki 2013, ch. 3: "effect initial resource allocations
 * for the application"): starts its nodes one after the other, waits until each serves, and creates
 * the table. What was done is kept before the next step begins, and every request has an id of its
 * own, so that killed at any moment the next run goes on. If something fails, the nodes that were
 * started are kept.
 */
public final class Provisioning {

  /** Creates a table of the cluster, if it is not there. */
  @FunctionalInterface
  public interface Table {
    void create(String table, int copies) throws EngineException;
  }

  private final FoundedCluster cluster;
  private final NodeProvider provider;
  private final Table table;
  private final Consumer<Provisioned> keep;
  private final Consumer<String> told;
  private final Control control;
  private final FaultPoints faults;

  /** As it was kept last. */
  private Provisioned now;

  /**
   * @param from as it was kept last, or new
   * @param provider that looks at {@code cluster}
   * @param keep keeps it for the next run, before it returns
   * @param told hears what was done, one line each
   */
  public Provisioning(
      Provisioned from,
      FoundedCluster cluster,
      NodeProvider provider,
      Table table,
      Consumer<Provisioned> keep,
      Consumer<String> told,
      Ports ports,
      FaultPoints faults) {
    this.now = from;
    this.cluster = cluster;
    this.provider = provider;
    this.table = table;
    this.keep = keep;
    this.told = told;
    this.control = new Control(ports);
    this.faults = faults;
  }

  /**
   * Refuses an address at which there is a cluster already; nothing was started yet.
   *
   * @throws EngineException naming nodes of it
   */
  public static void refuseTaken(FoundedCluster cluster, String address) throws EngineException {
    List<String> nodes = cluster.look().liveNodes().stream().map(node -> node.id().name()).toList();
    if (!nodes.isEmpty()) {
      throw new EngineException(
          "%s: a cluster answers there already (%s), and an agreement gets one of its own"
              .formatted(address, String.join(", ", nodes)));
    }
  }

  /**
   * Goes on until the cluster runs and has its table.
   *
   * @param limit of the start of each node
   * @throws EngineException naming the nodes that were started; they are kept
   */
  public Provisioned run(Duration limit) throws EngineException {
    try {
      while (now.step() == Provisioned.Step.STARTING) {
        for (int number = 1; number <= now.nodes(); number++) {
          serve(number, limit);
        }
        complete(limit);
      }
      return now;
    } catch (EngineException e) {
      throw new EngineException(left() + e.getMessage() + "; " + next(), e);
    }
  }

  private String left() {
    return now.started().isEmpty()
        ? now.name() + ": no node is known to be started: "
        : "%s: %d of %d nodes were started and are kept (%s): "
            .formatted(now.name(), now.started().size(), now.nodes(), now.names());
  }

  private String next() {
    return "the same command goes on, `trimtab slo release %s` gives back what was started"
        .formatted(now.name());
  }

  private void keep(Provisioned next) {
    keep.accept(next);
    now = next;
  }

  /** Starts a node, or again one that has stopped since, and waits until it serves. */
  private void serve(int number, Duration limit) throws EngineException {
    boolean asked = number > now.started().size();
    String request = now.request(number);
    NodeId answered = provider.add(request, Profile.HOMOGENEOUS, List.of(), limit);
    if (asked) {
      faults.reached("node-started");
      if (now.started().contains(answered)) {
        throw new EngineException(
            "the provider answers request %s with node %s, which is another request's"
                .formatted(request, answered));
      }
      keep(now.with(answered));
    } else if (!now.started().get(number - 1).equals(answered)) {
      throw new EngineException(
          "the provider answers request %s with node %s, and has answered it with %s before"
              .formatted(request, answered, now.started().get(number - 1)));
    }
    faults.reached("node-kept");
    // Only the first may be started with no other in sight.
    cluster.runs();
    NodeId node = now.started().get(number - 1);
    Engine engine = control.reach(cluster, limit);
    engine.awaitNode(node, 0, limit);
    if (asked || number == now.nodes()) {
      // Before, a node of this cluster may have joined that was not kept: its request comes later.
      refuseStrangers(engine);
    }
    if (asked) {
      told.accept("node %s serves, %d of %d".formatted(node, number, now.nodes()));
    }
  }

  /** A node whose configuration names other nodes has joined theirs. */
  private void refuseStrangers(Engine engine) throws EngineException {
    Set<NodeId> strangers =
        engine.snapshot().nodes().stream()
            .map(NodeState::id)
            .collect(Collectors.toCollection(TreeSet::new));
    now.started().forEach(strangers::remove);
    if (!strangers.isEmpty()) {
      throw new EngineException(
          "the cluster has nodes that were not started for it: "
              + strangers.stream().map(NodeId::name).collect(Collectors.joining(", ")));
    }
  }

  private void complete(Duration limit) throws EngineException {
    Engine engine = control.reach(cluster, limit);
    try (ControlLock lock = control.take(engine)) {
      lock.write(MachineMark.DOCUMENT, new MachineMark(now.mark(), now.name()).content());
      faults.reached("mark-kept");
      if (!now.table().isEmpty()) {
        table.create(now.table(), now.copies());
        told.accept("table %s is there".formatted(now.table()));
      }
    }
    faults.reached("table-created");
    keep(now.at(Provisioned.Step.RUNNING));
  }
}
