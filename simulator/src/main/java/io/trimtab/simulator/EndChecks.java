package io.trimtab.simulator;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Why;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;

/** What must hold after a quiet hour, when the last controller has ended. */
final class EndChecks {
  private final Episode episode;
  private final Oracle oracle;

  EndChecks(Episode episode, Oracle oracle) {
    this.episode = episode;
    this.oracle = oracle;
  }

  private void violated(String what) {
    oracle.violated("at the end " + what);
  }

  /**
   * @param before the engine's own balancing at the beginning
   */
  void check(BalancerState before) {
    try {
      cluster(episode.truth());
      BalancerState balancer = episode.truth().balancer();
      if (!balancer.equals(before)) {
        violated("the balancer is " + balancer + ", before: " + before);
      }
      ControlDocuments.read(episode.cluster().control())
          .open()
          .ifPresent(open -> violated(open.plan().id() + " is open"));
      ControlDocuments.hold(episode.cluster().control())
          .ifPresent(hold -> violated("the balancer is still held"));
      episode.hosts().forEach(this::audited);
    } catch (EngineException | RuntimeException e) {
      violated(e.toString());
    }
  }

  private void cluster(ClusterSnapshot now) {
    now.partitions().stream()
        .filter(p -> p.node().isEmpty())
        .forEach(p -> violated(p.id() + " is not served"));
    now.nodes().stream()
        .filter(NodeState::draining)
        .forEach(n -> violated(n.id() + " is draining"));
    now.nodes().stream()
        .filter(n -> !n.alive() && !lost(n))
        .forEach(n -> violated(n.id() + " is dead"));
    episode.cluster().joining().forEach(n -> violated(n + " was started and has not joined"));
    episode
        .cluster()
        .unpersisted()
        .forEach(n -> violated("the next start of " + n + " would undo its profile"));
    int most = episode.settings().guard().maxNodes();
    // The guard counts live nodes: those that come back after a plan are on top.
    if (now.nodes().size() > most && !episode.nodesDied()) {
      violated("there are " + now.nodes().size() + " nodes, more than " + most);
    }
  }

  /** A node that joined in the second of its stop, and no machine is left for another one. */
  private boolean lost(NodeState node) {
    return episode.cluster().stoppedAsMember(node.id())
        && episode.cluster().provider().spare() == 0;
  }

  /** Who began to act is the first thing that is written, and there is an answer to why. */
  private void audited(SimulatedHost host) {
    for (List<Entry> journal : host.journals()) {
      if (!journal.isEmpty() && !(journal.get(0) instanceof Entry.Took)) {
        violated("a journal begins with " + journal.get(0));
      }
    }
    Clock clock = Clock.fixed(episode.now(), ZoneOffset.UTC);
    if (Why.explain(host.recorded(), clock).isBlank()) {
      violated("nothing is explained");
    }
  }
}
