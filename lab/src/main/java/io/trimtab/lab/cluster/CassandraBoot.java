package io.trimtab.lab.cluster;

import io.trimtab.lab.setup.CassandraKeys;
import java.time.Duration;
import java.util.List;

/** Starts the processes of a new ring: the first node alone, then all others in parallel. */
final class CassandraBoot {
  private static final int STEPS = 2;

  private final LabState state;
  private final NodeControl control;
  private final Progress progress;

  CassandraBoot(LabState state, NodeControl control, Progress progress) {
    this.state = state;
    this.control = control;
    this.progress = progress;
  }

  /** Returns when every node is in the ring and accepts clients. */
  void run() {
    Duration limit = Duration.ofSeconds(120 + 40L * state.nodes().size());
    LabState.Node first = state.nodes().get(0);
    progress.step(0, STEPS, "starting the first node");
    if (state.config().secure()) {
      new CassandraKeys(LabDir.of(state.config().name()), state).create();
    }
    control.startCassandra(state, first);
    control.await(
        "starting Cassandra",
        limit,
        List.of(first.cassandra()),
        () -> CassandraLab.inService(state) == 1);
    progress.step(1, STEPS, "starting the other nodes, waiting until all serve");
    for (LabState.Node node : state.nodes()) {
      if (node != first) {
        control.startCassandra(state, node);
      }
    }
    control.await(
        "starting Cassandra",
        limit,
        state.nodes().stream().map(LabState.Node::cassandra).toList(),
        () -> CassandraLab.inService(state) == state.nodes().size());
    if (state.config().secure()) {
      admit(limit);
    }
  }

  /** The nodes make their first user together, once enough of them are there. */
  private void admit(Duration limit) {
    CassandraKeys keys = new CassandraKeys(LabDir.of(state.config().name()), state);
    control.await(
        "making Cassandra's users",
        limit,
        state.nodes().stream().map(LabState.Node::cassandra).toList(),
        () -> keys.admit(CassandraLab.points(state)));
  }
}
