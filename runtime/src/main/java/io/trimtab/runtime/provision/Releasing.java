package io.trimtab.runtime.provision;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.ports.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Gives back the machines of a cluster that was made for an agreement, those that an autopilot has
 * added since included. The provider deletes no data. Killed at any moment, the next run goes on.
 */
public final class Releasing {

  /** Deletes a table of the cluster. */
  @FunctionalInterface
  public interface Table {
    void drop(String table) throws EngineException;
  }

  private final Provisioned from;
  private final FoundedCluster cluster;
  private final NodeProvider provider;
  private final Table table;
  private final Consumer<Provisioned> keep;
  private final Consumer<String> told;
  private final Control control;
  private final FaultPoints faults;

  /**
   * @param from as it was kept last
   * @param provider that looks at {@code cluster}
   * @param keep keeps it for the next run, before it returns
   * @param told hears what was done, one line each
   */
  public Releasing(
      Provisioned from,
      FoundedCluster cluster,
      NodeProvider provider,
      Table table,
      Consumer<Provisioned> keep,
      Consumer<String> told,
      Ports ports,
      FaultPoints faults) {
    this.from = from;
    this.cluster = cluster;
    this.provider = provider;
    this.table = table;
    this.keep = keep;
    this.told = told;
    this.control = new Control(ports);
    this.faults = faults;
  }

  /** The machines that there are to give back, by what the provider calls them. */
  public List<String> machines() throws EngineException {
    List<Machine> listed = provider.machines();
    List<String> names = new ArrayList<>();
    for (Machine machine : listed) {
      names.add(
          machine.node().map(node -> machine.name() + " (" + node + ")").orElse(machine.name()));
    }
    unlisted(listed).forEach(node -> names.add(node.name()));
    return names;
  }

  /** Nodes that were started through a provider that keeps no list. */
  private List<NodeId> unlisted(List<Machine> listed) {
    return listed.isEmpty() ? from.started() : List.of();
  }

  /**
   * Gives all of them back.
   *
   * @param drop whether the table is deleted with its data before
   * @param limit for each machine
   * @throws EngineException if a controller is in charge of the cluster, or naming the machines
   *     that could not be given back
   */
  public void run(boolean drop, Duration limit) throws EngineException {
    if (from.step() != Provisioned.Step.RELEASING) {
      end(drop);
    }
    List<Machine> listed = provider.machines();
    List<String> left = new ArrayList<>();
    for (Machine machine : listed) {
      faults.reached("release-begun");
      try {
        provider.release(machine, limit);
        told.accept("given back: " + machine.name());
      } catch (EngineException e) {
        left.add(machine.name() + ": " + e.getMessage());
      }
    }
    for (NodeId node : unlisted(listed)) {
      try {
        provider.remove(node, limit);
        told.accept("given back: " + node);
      } catch (EngineException e) {
        left.add(node + ": " + e.getMessage());
      }
    }
    if (!left.isEmpty()) {
      throw new EngineException(
          "%s: not given back: %s; the same command tries again"
              .formatted(from.name(), String.join("; ", left)));
    }
  }

  /** Nobody is in charge of the cluster from now on. */
  private void end(boolean drop) throws EngineException {
    boolean drops = drop && !from.table().isEmpty();
    Optional<Engine> engine = cluster.answering();
    if (engine.isEmpty() && drops) {
      throw new EngineException(
          "%s: the cluster at %s does not answer, so that its table can't be deleted"
              .formatted(from.name(), from.address()));
    }
    if (engine.isPresent() && !from.started().isEmpty()) {
      try (ControlLock held = control.take(engine.get())) {
        if (drops) {
          table.drop(from.table());
          told.accept("deleted: table " + from.table());
        }
        held.require();
        keep.accept(from.at(Provisioned.Step.RELEASING));
      } catch (ControlTakenException e) {
        throw new EngineException(e.getMessage() + "; stop it first: trimtab stop", e);
      }
    } else {
      keep.accept(from.at(Provisioned.Step.RELEASING));
    }
    // Its nodes go one by one: who looks at it connects anew.
    cluster.close();
  }
}
