package io.trimtab.runtime.provision;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.control.MachineMark;
import io.trimtab.runtime.ports.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back the machines of a cluster that was made for an agreement, those that an autopilot has
 * added since included. The provider deletes no data. Killed at any moment, the next run goes on.
 */
public final class Releasing {
  private static final Logger LOG = LoggerFactory.getLogger(Releasing.class);

  /** Deletes a table of the cluster. */
  @FunctionalInterface
  public interface Table {
    void drop(String table) throws EngineException;
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
    this.now = from;
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
    // They are there whether or not the cluster answers.
    cluster.ends();
    List<Machine> listed = listed(Set.of());
    List<String> names = new ArrayList<>();
    for (Machine machine : listed) {
      names.add(
          machine.node().map(node -> machine.name() + " (" + node + ")").orElse(machine.name()));
    }
    unlisted(listed).forEach(node -> names.add(node.name()));
    return names;
  }

  /**
   * The newest first: the cluster's address is most likely that of the oldest.
   *
   * @param asked machines that were tried already
   */
  private List<Machine> listed(Set<String> asked) throws EngineException {
    return provider.machines().stream()
        .filter(machine -> !asked.contains(machine.name()))
        .sorted(Machine.NEWEST_FIRST.thenComparingInt(this::order))
        .toList();
  }

  /** Of machines of the same age; what an autopilot has added is newer than what was made. */
  private int order(Machine machine) {
    return machine
        .node()
        .map(now.started()::indexOf)
        .filter(index -> index >= 0)
        .map(index -> -index)
        .orElse(-now.nodes());
  }

  /** Nodes that were started through a provider that keeps no list. */
  private List<NodeId> unlisted(List<Machine> listed) {
    List<NodeId> nodes = new ArrayList<>(listed.isEmpty() ? now.started() : List.of());
    Collections.reverse(nodes);
    return nodes;
  }

  /**
   * Gives all of them back.
   *
   * @param drop whether the table is deleted with its data before
   * @param unreachable whether the cluster may be given back though it does not answer
   * @param limit for each machine
   * @throws EngineException if a controller is in charge of the cluster, or may be, or naming the
   *     machines that could not be given back
   */
  public void run(boolean drop, boolean unreachable, Duration limit) throws EngineException {
    try (Charge charge = begun(drop, unreachable)) {
      LOG.info("machines are given back, in charge: {}", charge.lock().isPresent());
      List<String> left = new ArrayList<>();
      Set<String> asked = new TreeSet<>();
      List<Machine> listed = listed(asked);
      for (Iterator<NodeId> i = unlisted(listed).iterator(); i.hasNext(); ) {
        NodeId node = i.next();
        give(node.name(), Optional.of(node), () -> provider.remove(node, limit), i, left);
      }
      // One may have been asked for before the lock was ours, and come only now.
      while (!listed.isEmpty() && left.isEmpty()) {
        for (Iterator<Machine> i = listed.iterator(); i.hasNext(); ) {
          Machine machine = i.next();
          asked.add(machine.name());
          faults.reached("release-begun");
          give(machine.name(), machine.node(), () -> provider.release(machine, limit), i, left);
        }
        listed = listed(asked);
      }
      if (!left.isEmpty()) {
        throw new EngineException(
            "%s: not given back: %s; the same command tries again"
                .formatted(now.name(), String.join("; ", left)));
      }
    }
  }

  /** A request to the provider. */
  @FunctionalInterface
  private interface Request {
    void made() throws EngineException;
  }

  /**
   * Gives one back, and forgets its node: later it may be another cluster's.
   *
   * @param others those that come after it
   * @param left gets what can't be given back
   */
  private void give(
      String name, Optional<NodeId> node, Request request, Iterator<?> others, List<String> left) {
    if (!others.hasNext() && left.isEmpty()) {
      // Nobody answers once the last one has stopped.
      cluster.ends();
    }
    try {
      request.made();
      told.accept("given back: " + name);
      if (node.filter(now.started()::contains).isPresent()) {
        keep(now.without(node.get()));
      }
    } catch (EngineException e) {
      left.add(name + ": " + e.getMessage());
    }
  }

  private void keep(Provisioned next) {
    keep.accept(next);
    now = next;
  }

  /** Nobody else is in charge of the cluster from now on, until what this returns is closed. */
  private Charge begun(boolean drop, boolean unreachable) throws EngineException {
    boolean drops = drop && !now.table().isEmpty();
    if (drops && now.step() == Provisioned.Step.RELEASING) {
      throw new EngineException(
          now.name()
              + ": its machines are being given back, so that its table can't be deleted any more;"
              + " leave out --drop-table");
    }
    Optional<Engine> engine = cluster.handedOver();
    boolean own = engine.isPresent() && isOwn(engine.get());
    if (!own) {
      engine.ifPresent(Engine::close);
      refuseUnknown(engine.isPresent(), drops, unreachable);
      cluster.ends();
      keep(now.at(Provisioned.Step.RELEASING));
      return Charge.OF_NOBODY;
    }
    Charge charge = Charge.of(engine.get(), control, now.step() == Provisioned.Step.RELEASING);
    try {
      if (drops) {
        drop(engine.get());
      }
      charge.require();
      keep((drops ? now.withoutTable() : now).at(Provisioned.Step.RELEASING));
      cluster.runs();
      return charge;
    } catch (EngineException | RuntimeException e) {
      charge.close();
      throw e;
    }
  }

  /** Whether it is the cluster that was made, and no other one at its address. */
  private boolean isOwn(Engine engine) throws EngineException {
    try {
      // It is marked when all of its nodes serve.
      return MachineMark.of(engine.shared())
          .map(mark -> mark.id().equals(now.mark()))
          .orElse(now.step() != Provisioned.Step.RUNNING && !now.started().isEmpty());
    } catch (EngineException e) {
      if (now.step() == Provisioned.Step.RELEASING) {
        LOG.info("a cluster that is being taken apart does not tell whose it is", e);
        return true;
      }
      engine.close();
      throw e;
    }
  }

  /** An autopilot may be in charge of a cluster that can't be asked. */
  private void refuseUnknown(boolean answers, boolean drops, boolean unreachable)
      throws EngineException {
    String cluster = now.name() + ": the cluster at " + now.address();
    if (drops) {
      throw new EngineException(
          cluster
              + (answers
                  ? " is not the one that was made for it; its table is left"
                  : " does not answer, so that its table can't be deleted"));
    }
    // The oldest goes last, and nobody answers when it has stopped.
    boolean ended = now.step() == Provisioned.Step.RELEASING && now.started().size() <= 1;
    if (!unreachable && !ended && !now.started().isEmpty()) {
      throw new EngineException(
          cluster
              + (answers ? " is not the one that was made for it" : " does not answer")
              + ", so that nobody knows whether an autopilot is in charge; if none is, add"
              + " --unreachable");
    }
  }

  /** The mark is there before the table is created. */
  private void drop(Engine engine) throws EngineException {
    if (MachineMark.of(engine.shared()).isPresent()) {
      table.drop(now.table());
      told.accept("deleted: table " + now.table());
    } else {
      told.accept("table " + now.table() + " was not created yet");
    }
  }
}
