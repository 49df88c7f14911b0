package io.trimtab.experiments.latency;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.NodeId;
import io.trimtab.experiments.report.Charts;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.CassandraTarget;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Mix;
import io.trimtab.workload.Summary;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * BURN: nodes that rank replicas are killed, frozen and woken at random while clients read and
 * write with quorums; nothing may be wrong or lost, and nothing may pile up in the plug-in.
 */
public final class Burn {
  private static final int NODES = 4;
  private static final int COPIES = 3;
  private static final int RECORDS = 20_000;
  private static final int THREADS = 12;
  private static final double RATE = 300;

  /** Of each run. */
  private static final Duration RUN = Duration.ofMinutes(20);

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final int QUIET_S = 20;
  private static final double MIB = 1 << 20;

  private final Console console;
  private final Path folder;
  private final int runs;
  private final long seed;
  private final String labName;

  public Burn(Console console, Path folder, int runs, long seed, String labName) {
    this.console = console;
    this.folder = folder;
    this.runs = runs;
    this.seed = seed;
    this.labName = labName;
  }

  /** What the nodes that were up had between two disturbances. */
  private record Look(int second, List<Long> heap, List<Long> awaited, List<Long> failures) {}

  /** What came of it. */
  private record Outcome(
      List<String> disturbances,
      List<Look> looks,
      Summary load,
      Verifier.Verification found,
      long ranked) {}

  private static TenantSpec tenant() {
    return new TenantSpec(
        "burn",
        null,
        null,
        RECORDS,
        2,
        100,
        null,
        null,
        null,
        new Mix(0.7, 0.3, null, null, null),
        null,
        Distribution.UNIFORM,
        TenantSpec.KeyOrder.HASHED,
        THREADS,
        RATE,
        TenantSpec.Loop.CLOSED,
        TenantSpec.Consistency.QUORUM);
  }

  public Path run() throws Exception {
    LabConfig config =
        LabConfig.defaults()
            .withName(labName)
            .withNodes(NODES)
            .withCassandra(
                CassandraSettings.DEFAULTS
                    .with(COPIES, 16)
                    .withRanking("trimtab")
                    .withTimerSlack(1_000))
            .withHeap(new Bytes(256L << 20));
    console.step("starting Cassandra with " + NODES + " nodes");
    CassandraLab lab =
        CassandraLab.up(config, Owner.PROCESS, (done, of, what) -> console.live(what));
    Outcome outcome;
    try {
      lab.limitNodes(false);
      try (CassandraTarget target = lab.target()) {
        outcome = burn(lab, target);
      }
    } finally {
      lab.down();
    }
    Path written = write(outcome);
    Summary load = outcome.load();
    Verifier.Verification found = outcome.found();
    if (!found.right() || load.wrong() + load.lost() > 0) {
      throw new IOException(
          "%d reads were wrong and %d writes lost; of %d records at the end %d wrong, %d lost; %s"
              .formatted(
                  load.wrong(),
                  load.lost(),
                  found.records(),
                  found.wrong(),
                  found.lost(),
                  written));
    }
    return written;
  }

  /** Errors of all processes: the count of one that was killed begins anew. */
  private static long failures(List<Look> looks) {
    long sum = 0;
    for (int node = 0; node < NODES; node++) {
      long before = 0;
      for (Look look : looks) {
        long now = look.failures().get(node);
        sum += now >= before ? now - before : now;
        before = now;
      }
    }
    return sum;
  }

  private Outcome burn(CassandraLab lab, CassandraTarget target) throws Exception {
    WorkloadSpec spec = new WorkloadSpec(null, null, List.of(tenant()));
    Loader loader = new Loader(spec, target);
    loader.create(true);
    Map<String, AcknowledgedWrites> ledgers = loader.load((done, of) -> console.live("loading"));
    List<String> disturbances = new ArrayList<>();
    List<Look> looks = new ArrayList<>();
    Random random = new Random(seed);
    Summary summary;
    try (WorkloadRun run = WorkloadRun.start(spec, target, ledgers, samples -> {})) {
      long seconds = RUN.toSeconds() * runs;
      while (run.seconds() < seconds) {
        TimeUnit.SECONDS.sleep(QUIET_S);
        looks.add(look(lab, run.seconds()));
        String what = disturb(lab, random);
        disturbances.add(what);
        console.step(run.seconds() + " s: " + what);
      }
      TimeUnit.SECONDS.sleep(QUIET_S);
      looks.add(look(lab, run.seconds()));
      run.stop();
      summary = run.summaries().get(0);
    }
    Verifier.Verification found = new Verifier(target).verify(spec, ledgers);
    long ranked = 0;
    for (LabNode node : lab.nodes()) {
      try (NodeBeans beans = NodeBeans.of(node.id(), lab.client().jmxPort())) {
        ranked += beans.plugin("Ranked");
      }
    }
    return new Outcome(disturbances, looks, summary, found, ranked);
  }

  private String disturb(CassandraLab lab, Random random) throws Exception {
    List<LabNode> nodes = lab.nodes();
    LabNode node = nodes.get(random.nextInt(nodes.size()));
    NodeId id = node.id();
    int length = 3 + random.nextInt(23);
    if (random.nextBoolean()) {
      lab.killNode(id);
      TimeUnit.SECONDS.sleep(length);
      lab.startNode(id, START_LIMIT);
      return "node %s killed, started again after %d s".formatted(id, length);
    }
    String pid =
        Long.toString(
            node.pids().values().stream()
                .flatMapToLong(p -> p.stream())
                .findFirst()
                .orElseThrow(() -> new IOException("node " + id + " does not run")));
    signal("-STOP", pid);
    try {
      TimeUnit.SECONDS.sleep(length);
    } finally {
      signal("-CONT", pid);
    }
    return "node %s frozen for %d s".formatted(id, length);
  }

  private static void signal(String signal, String pid) throws IOException, InterruptedException {
    if (new ProcessBuilder("kill", signal, pid).inheritIO().start().waitFor() != 0) {
      throw new IOException("kill " + signal + " " + pid + " failed");
    }
  }

  private static Look look(CassandraLab lab, int second) throws Exception {
    List<Long> heap = new ArrayList<>();
    List<Long> awaited = new ArrayList<>();
    List<Long> failures = new ArrayList<>();
    for (LabNode node : lab.nodes()) {
      try (NodeBeans beans = NodeBeans.of(node.id(), lab.client().jmxPort())) {
        heap.add(beans.heapAfterCollection());
        awaited.add(beans.plugin("Awaited"));
        failures.add(beans.plugin("Failures"));
      }
    }
    return new Look(second, heap, awaited, failures);
  }

  private Path write(Outcome outcome) throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "BURN: nodes that rank replicas, killed and frozen at random");
    Summary load = outcome.load();
    List<Look> looks = outcome.looks();
    report
        .paragraph(
            "Made by `./trimtab lab run BURN --runs %d --seed %d` on %s."
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .list(
            List.of(
                "%,d operations in %.0f s; %d failed for good, %,d were tried again"
                    .formatted(load.operations(), load.seconds(), load.errors(), load.retries()),
                ("%d reads were wrong, %d acknowledged writes lost; %,d records read at the end: %d"
                        + " wrong, %d lost")
                    .formatted(
                        load.wrong(),
                        load.lost(),
                        outcome.found().records(),
                        outcome.found().wrong(),
                        outcome.found().lost()),
                "%d disturbances".formatted(outcome.disturbances().size()),
                "%,d reads ranked by the processes that ran at the end; errors in the plug-in, of"
                        .formatted(outcome.ranked())
                    + " all looks: "
                    + failures(looks),
                "reads that were waited for, all nodes, before the first disturbance and 20 s after"
                    + " each: %s"
                        .formatted(
                            looks.stream()
                                .map(l -> l.awaited().stream().mapToLong(Long::longValue).sum())
                                .toList()),
                "heap after a collection, MiB, the node with most: first %.0f, last %.0f"
                    .formatted(most(looks.get(0)), most(looks.get(looks.size() - 1)))))
        .heading("Disturbances")
        .list(outcome.disturbances());
    List<Charts.Line> lines = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      int its = node;
      lines.add(
          Charts.Line.counted(
              "node " + (node + 1),
              looks.stream().mapToDouble(l -> l.heap().get(its) / MIB).toArray()));
    }
    Charts.lines(
        folder.resolve("heap.png"),
        "heap after a collection",
        Charts.Axes.linear("looks, 20 s after a disturbance each", "MiB"),
        lines);
    report.picture("heap after a collection", "heap.png");
    report
        .raw("looks.json", looks)
        .heading("Setting")
        .list(
            List.of(
                Machine.describe(),
                "Cassandra, %d nodes and their clients on this machine, %d copies, no limits"
                    .formatted(NODES, COPIES),
                String.format(
                    Locale.ROOT,
                    "%,d records, 70 %% reads and 30 %% updates at QUORUM, %.0f operations/s",
                    RECORDS,
                    RATE)));
    return report.write();
  }

  private static double most(Look look) {
    return look.heap().stream().mapToLong(Long::longValue).max().orElse(0) / MIB;
  }
}
