package io.trimtab.experiments.cost;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.testbed.Console;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Mix;
import io.trimtab.workload.Summary;
import io.trimtab.workload.Target;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** One variant of E14, on a cluster of its own: a node is added under load and taken away. */
abstract class ResizeRun {
  static final int PARTITIONS = 12;
  static final int RECORDS = 60_000;
  static final int THREADS = 8;

  /** Without limits: within them a node reads for many minutes until its caches hold what fits. */
  static final Duration FILL = Duration.ofSeconds(60);

  static final Duration SETTLE = Duration.ofSeconds(15);
  static final Duration LEVEL = Duration.ofSeconds(30);
  static final Duration LIMIT = Duration.ofMinutes(10);

  private final ResizeVariant variant;
  private final Console console;
  private final ExperimentReport report;
  private final List<ResizePhase> phases = new ArrayList<>();
  private final SecondLatencies latencies = new SecondLatencies();
  private Lab lab;
  private Engine engine;
  private WorkloadRun run;

  ResizeRun(ResizeVariant variant, Console console, ExperimentReport report) {
    this.variant = variant;
    this.console = console;
    this.report = report;
  }

  private static WorkloadSpec spec() {
    TenantSpec tenant =
        new TenantSpec(
            "t",
            null,
            PARTITIONS,
            RECORDS,
            1,
            1_000,
            null,
            32 << 10,
            null,
            new Mix(0.8, 0.2, null, null, null),
            null,
            null,
            TenantSpec.KeyOrder.HASHED,
            THREADS,
            null,
            null,
            null);
    return new WorkloadSpec(null, null, List.of(tenant));
  }

  /** The rows of the report's table. */
  List<List<String>> measure(String labName) throws Exception {
    lab =
        Lab.up(
            variant.lab().withName(labName), Owner.PROCESS, (done, of, what) -> console.live(what));
    try (Engine connected = lab.engine();
        Target target = lab.target()) {
      engine = connected;
      engine.pauseBalancer(LIMIT);
      lab.limitNodes(false);
      Loader loader = new Loader(spec(), target);
      loader.create(true);
      Map<String, AcknowledgedWrites> ledgers =
          loader.load((done, of) -> console.live("loaded " + done));
      lab.limitNodes(true);
      run = WorkloadRun.start(spec(), target, ledgers, samples -> {}, latencies);
      try {
        fill();
        phase("before", () -> follow("before", LEVEL));
        grow(lab, engine);
        fill();
        phase("one node more", () -> follow("one node more", LEVEL));
        shrink(lab, engine);
        fill();
        phase("node removed", () -> follow("node removed", LEVEL));
      } finally {
        run.stop();
      }
      report.raw("%s.json".formatted(variant.name().toLowerCase(Locale.ROOT)), run.samples());
      var found = new Verifier(target).verify(spec(), ledgers);
      List<List<String>> rows = new ArrayList<>();
      phases.forEach(p -> rows.add(p.row(run.samples(), latencies)));
      List<Summary> served = run.summaries();
      rows.add(
          line(
              "read meanwhile: %,d operations, %d wrong, %d lost"
                  .formatted(
                      served.stream().mapToLong(Summary::operations).sum(),
                      served.stream().mapToLong(Summary::wrong).sum(),
                      served.stream().mapToLong(Summary::lost).sum())));
      rows.add(
          line(
              "read back: %,d records, %d wrong, %d lost"
                  .formatted(found.records(), found.wrong(), found.lost())));
      return rows;
    } finally {
      lab.down();
    }
  }

  /** Starts one more node's process. */
  final NodeId start(Lab lab) throws Exception {
    NodeId[] added = new NodeId[1];
    phase(
        "add: the node's process starts",
        () -> added[0] = lab.provider().add("e14", Profile.HOMOGENEOUS, List.of(), LIMIT));
    return added[0];
  }

  /** The node that is taken away again. */
  static NodeId last(Engine engine) throws EngineException {
    List<NodeState> nodes = engine.snapshot().liveNodes();
    return nodes.get(nodes.size() - 1).id();
  }

  final void stop(Lab lab, NodeId node) throws Exception {
    phase("remove: the node stops", () -> lab.provider().remove(node, LIMIT));
  }

  private static List<String> line(String text) {
    return ExperimentReport.row(text, "", "", "", "", "", "");
  }

  /** Before each level, so that they can be compared. */
  private void fill() throws Exception {
    lab.limitNodes(false);
    follow("caches fill", FILL);
    lab.limitNodes(true);
    follow("settles", SETTLE);
  }

  /** Adds a node, in phases. */
  abstract void grow(Lab lab, Engine engine) throws Exception;

  /** Takes the last node away again, in phases. */
  abstract void shrink(Lab lab, Engine engine) throws Exception;

  /** Of a phase. */
  interface Work {
    void run() throws Exception;
  }

  final void phase(String name, Work work) throws Exception {
    console.step(variant.title + ": " + name);
    int from = run.seconds();
    Map<String, Long> before = run.retryReasons();
    long startNs = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - startNs) / 1e9;
    lab.requireWhole();
    var reasons = new TreeMap<>(run.retryReasons());
    before.forEach((reason, times) -> reasons.merge(reason, -times, Long::sum));
    reasons.values().removeIf(times -> times == 0);
    phases.add(new ResizePhase(name, from, Math.max(from + 1, run.seconds()), seconds, reasons));
  }

  private void follow(String what, Duration time) throws InterruptedException {
    int until = run.seconds() + (int) time.toSeconds();
    while (run.seconds() < until) {
      TimeUnit.MILLISECONDS.sleep(200);
      console.live(what + ", " + (until - run.seconds()) + " s left");
    }
  }
}
