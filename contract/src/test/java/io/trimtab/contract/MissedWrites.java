package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.trimtab.lab.cluster.LabNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A table of whose rows one node has none, because it was dead while they were written. */
record MissedWrites(RankedNodes nodes, KnownRows known, LabNode victim) {
  static final int COUNT = 20;

  /** Makes the table. Hints would repair it, too. */
  void make(LabNode coordinator) throws Exception {
    Node writer = known.node(coordinator);
    known.run("CREATE TABLE r.s (k int PRIMARY KEY, v text) WITH speculative_retry = 'NEVER'");
    nodes.set(RankedNodes.PROXY, "HintedHandoffEnabled", false);
    nodes.lab().killNode(victim.id());
    try {
      for (int i = 0; i < COUNT; i++) {
        String cql = "INSERT INTO r.s (k, v) VALUES (%d, 'value %d')".formatted(i, i);
        known.rows(cql, ConsistencyLevel.QUORUM, writer);
      }
      for (int i = 0; i < 3; i++) {
        known.areRead(ConsistencyLevel.QUORUM);
      }
    } finally {
      nodes.lab().startNode(victim.id(), Duration.ofMinutes(2));
    }
    nodes.set(RankedNodes.PROXY, "HintedHandoffEnabled", true);
    nodes.awaitAllAlive();
    RankedNodes.await(() -> known.node(victim).getOpenConnections() > 0);
  }

  static List<Integer> keys(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  /** The keys of the rows that the node has itself. */
  List<Integer> held() throws Exception {
    // The snitch names the coordinator first, and the table allows no second read.
    nodes.choose("off");
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      String cql = "SELECT k FROM r.s WHERE k = " + i;
      known
          .rows(cql, ConsistencyLevel.ONE, known.node(victim))
          .forEach(row -> keys.add(row.getInt(0)));
    }
    nodes.choose("trimtab");
    return keys;
  }

  /** Whoever coordinates: the first rows are there. */
  void areRead(int count, ConsistencyLevel level) {
    for (LabNode coordinator : nodes.lab().nodes()) {
      for (int i = 0; i < count; i++) {
        String cql = "SELECT v FROM r.s WHERE k = " + i;
        assertThat(known.rows(cql, level, known.node(coordinator)))
            .as("%d at %s", i, level)
            .extracting(row -> row.getString(0))
            .containsExactly("value " + i);
      }
    }
  }
}
