package io.trimtab.experiments.cost;

import io.trimtab.config.Bytes;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.testbed.Console;

/** What E14 compares: databases, and ways to have the data follow. */
enum ResizeVariant {
  HBASE("HBase, data stay where they are", AssignedResize::new),
  HBASE_DATA("HBase, data follow by compaction", AssignedWithData::new),
  CASSANDRA("Cassandra, data follow the tokens", RingResize::new);

  static final int NODES = 3;
  static final double CORES = 0.3;

  /** A Cassandra node's waiting threads alone take a third of a core. */
  static final double RING_CORES = 0.45;

  /** Beside heap and native memory: what the compiler needs at its peak is not known. */
  static final Bytes SLACK = Bytes.parse("48m");

  final String title;
  private final Maker maker;

  ResizeVariant(String title, Maker maker) {
    this.title = title;
    this.maker = maker;
  }

  private interface Maker {
    ResizeRun make(ResizeVariant variant, Console console, ExperimentReport report);
  }

  ResizeRun run(Console console, ExperimentReport report) {
    return maker.make(this, console, report);
  }

  LabConfig lab() {
    LabConfig plain = LabConfig.defaults().withNodes(NODES).withSpareNodes(1);
    LabConfig config =
        this == CASSANDRA
            ? plain
                .withCassandra(CassandraSettings.DEFAULTS.with(2, 16))
                .withHeap(new Bytes(256L << 20))
            : plain;
    Bytes memory = new Bytes(config.memoryLimit().value() + SLACK.value());
    return config.withLimits(this == CASSANDRA ? RING_CORES : CORES, memory, 150);
  }
}
