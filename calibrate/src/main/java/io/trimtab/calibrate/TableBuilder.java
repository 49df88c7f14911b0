package io.trimtab.calibrate;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.formats.ProvisioningFile;
import io.trimtab.formats.Sla;
import io.trimtab.formats.TableProfile;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.PageCacheTrimmer;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Mix;
import io.trimtab.workload.Summary;
import io.trimtab.workload.Target;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Measures a provisioning table: a cluster of the fewest nodes, each number of clients, one node
 * more, until it helps no more (Chalkiadaki 2013, §3.3). A row is on disk as soon as it is known.
 */
public final class TableBuilder {
  private static final Duration NODE_LIMIT = Duration.ofMinutes(5);
  private static final Duration SETTLE = Duration.ofSeconds(15);

  private final TablePlan plan;
  private final Path file;
  private final Console console;
  private final List<Cell> rows = new ArrayList<>();

  /**
   * @param file that rows are appended to; those that it has are not measured again
   */
  public TableBuilder(TablePlan plan, Path file, Console console) {
    this.plan = plan;
    this.file = file;
    this.console = console;
    ProvisioningFile.rows(file).stream().filter(this::ours).forEach(rows::add);
  }

  private boolean ours(Cell cell) {
    return cell.workload().equals(plan.tenant().name()) && cell.nodeType().equals(plan.nodeType());
  }

  private Optional<Cell> row(int nodes, int clients) {
    return rows.stream()
        .filter(cell -> cell.nodes() == nodes && cell.clients() == clients)
        .findFirst();
  }

  private boolean measured(int nodes) {
    return plan.clients().stream().allMatch(clients -> row(nodes, clients).isPresent());
  }

  /**
   * Measures what is missing.
   *
   * @param labName of the cluster that is started, and taken down at the end
   * @return the rows of this workload and node type
   */
  public List<Cell> build(String labName) throws Exception {
    int nodes = plan.nodesFrom();
    while (nodes <= plan.nodesTo() && measured(nodes) && helped(nodes)) {
      nodes++;
    }
    if (nodes > plan.nodesTo() || measured(nodes)) {
      console.step("nothing is left to measure");
      return List.copyOf(rows);
    }
    LabConfig config =
        plan.lab().withName(labName).withNodesOfSameKind(nodes, plan.nodesTo() - nodes);
    console.step("starting a cluster of " + nodes + " nodes");
    Lab lab = Lab.up(config, Owner.PROCESS, (done, of, what) -> console.live(what));
    try (PageCacheTrimmer trimmer = new PageCacheTrimmer(lab, plan.pageCache(), console);
        Engine engine = lab.engine();
        Target target = lab.target()) {
      while (true) {
        measure(lab, trimmer, engine, target, nodes);
        if (nodes == plan.nodesTo()) {
          break;
        }
        if (!helped(nodes)) {
          console.step("adding a node would not help: node " + nodes + " did not");
          break;
        }
        nodes++;
        grow(lab, engine, nodes);
      }
    } finally {
      lab.down();
    }
    return List.copyOf(rows);
  }

  /** Whether the last node improved any row; unknown for the first cluster. */
  private boolean helped(int nodes) {
    return nodes == plan.nodesFrom()
        || plan.helps() == 0
        || plan.clients().stream()
            .anyMatch(
                clients -> {
                  double before = row(nodes - 1, clients).map(Cell::responseTimeMs).orElse(1e9);
                  double now = row(nodes, clients).map(Cell::responseTimeMs).orElse(0.0);
                  return now <= before * (1 - plan.helps());
                });
  }

  private void grow(Lab lab, Engine engine, int nodes) throws Exception {
    console.step("adding node " + nodes);
    NodeId added =
        lab.provider().add("table-" + nodes, plan.lab().profile(), List.of(), NODE_LIMIT);
    engine.awaitNode(added, 0, NODE_LIMIT);
  }

  /** Loads anew, so that the data are spread over the nodes and no file is left of before. */
  private void measure(Lab lab, PageCacheTrimmer trimmer, Engine engine, Target target, int nodes)
      throws Exception {
    engine.pauseBalancer(NODE_LIMIT);
    lab.limitNodes(false);
    trimmer.run(false);
    Loader loader = new Loader(new WorkloadSpec(null, null, List.of(plan.tenant())), target);
    console.step(nodes + " nodes: loading");
    loader.create(true);
    Map<String, AcknowledgedWrites> ledgers = loader.load(console::loaded);
    lab.settleLoad(NODE_LIMIT);
    int most = plan.clients().get(plan.clients().size() - 1);
    // Without limits: a node that has just started runs interpreted code, which a fraction of a
    // core does for many minutes, and the rows that are measured first would be of another machine.
    run(lab, target, ledgers, most, plan.fill(), nodes + " nodes: filling caches");
    lab.limitNodes(true);
    trimmer.run(plan.pageCache() > 0);
    // The first seconds with limits pay for what was cut off the page cache.
    run(lab, target, ledgers, most, SETTLE, nodes + " nodes: settles");
    for (int clients : plan.clients()) {
      if (row(nodes, clients).isEmpty()) {
        List<Summary> runs = new ArrayList<>();
        for (int i = 1; i <= plan.repeats(); i++) {
          String what = nodes + " nodes, " + clients + " clients";
          String again = plan.repeats() > 1 ? ", " + i + " of " + plan.repeats() : "";
          runs.add(run(lab, target, ledgers, clients, plan.measure(), what + again));
        }
        keep(nodes, clients, runs);
      }
    }
  }

  /** What an agreement chooses among tables by. */
  private static TableProfile profile(TenantSpec tenant) {
    long row = Math.round(tenant.bytesPerRecord());
    Sla.Locality locality =
        switch (tenant.distribution().kind()) {
          case UNIFORM -> Sla.Locality.UNIFORM;
          case ZIPFIAN, SCRAMBLED -> Sla.Locality.ZIPFIAN;
          case LATEST, HOTSPOT, EXPONENTIAL -> null;
        };
    Mix mix = tenant.mix();
    double reads = mix.read() + mix.scan() + mix.readModifyWrite();
    return new TableProfile(
        new Bytes(row * tenant.records()), new Bytes(row), locality, Math.rint(reads * 1e4) / 1e4);
  }

  private void keep(int nodes, int clients, List<Summary> runs) throws IOException {
    double ms = runs.stream().mapToDouble(Summary::meanMicros).average().orElseThrow() / 1e3;
    double p95 = runs.stream().mapToDouble(Summary::p95Micros).average().orElseThrow() / 1e3;
    double p99 = runs.stream().mapToDouble(Summary::p99Micros).average().orElseThrow() / 1e3;
    double ops = runs.stream().mapToDouble(Summary::opsPerSecond).average().orElseThrow();
    Cell cell =
        new Cell(
            plan.tenant().name(),
            plan.nodeType(),
            clients,
            nodes,
            ms,
            ops * plan.tenant().bytesPerOperation() / 1e6,
            p95,
            p99,
            runs.size());
    ProvisioningFile.append(file, cell, profile(plan.tenant()));
    rows.add(cell);
    console.step(
        String.format(
            Locale.ROOT,
            "%d nodes, %d clients: %.1f ms, %.2f MB/s, p99 %.1f ms",
            nodes,
            clients,
            cell.responseTimeMs(),
            cell.throughputMBps(),
            cell.p99Ms()));
  }

  private Summary run(
      Lab lab,
      Target target,
      Map<String, AcknowledgedWrites> ledgers,
      int clients,
      Duration time,
      String what)
      throws IOException, InterruptedException {
    TenantSpec tenant =
        plan.tenant().scaled(plan.tenant().records(), clients, plan.tenant().targetRate());
    try (WorkloadRun run =
        WorkloadRun.start(
            new WorkloadSpec(null, time, List.of(tenant)), target, ledgers, samples -> {})) {
      while (run.running()) {
        TimeUnit.MILLISECONDS.sleep(200);
        console.live(what + ", " + (time.toSeconds() - run.seconds()) + " s left");
      }
      run.stop();
      lab.requireWhole();
      Summary summary = run.summaries().get(0);
      if (summary.wrong() + summary.lost() > 0) {
        throw new IOException(
            "%s: %d reads were wrong, %d writes were lost"
                .formatted(what, summary.wrong(), summary.lost()));
      }
      if (summary.errors() > 0) {
        throw new IOException(
            what
                + ": "
                + summary.errors()
                + " operations failed after retries for a minute; no row is written");
      }
      return summary;
    }
  }
}
