package io.trimtab.workload.command;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Signals;
import io.trimtab.clikit.Table;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.EngineException;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.CassandraTarget;
import io.trimtab.workload.HBaseWorkloadTarget;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Reporter;
import io.trimtab.workload.Sample;
import io.trimtab.workload.Summary;
import io.trimtab.workload.Target;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Loads from tenants. */
@Command(
    name = "workload",
    description = "Loads tenants' tables and runs their load, with every read verified.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {WorkloadCommand.LoadCommand.class, WorkloadCommand.Run.class},
    footer = {
      "",
      "Examples:",
      "  trimtab workload load tenants.yaml --lab lab",
      "  trimtab workload run tenants.yaml --lab lab --duration 2m --out results",
      "",
      "A file lists tenants as YAML (see examples/tenants.yaml), or is a YCSB core property file."
    })
public final class WorkloadCommand implements Runnable {
  private static final ClusterAddress.Visitor<Target, IOException> CLIENT =
      new ClusterAddress.Visitor<>() {
        @Override
        public Target hbase(ClusterAddress.HBase address) throws IOException {
          HBaseWorkloadTarget.requireOpen(address);
          return HBaseWorkloadTarget.connect(address.client());
        }

        @Override
        public Target cassandra(ClusterAddress.Cassandra address) throws IOException {
          return CassandraTarget.connect(address.points(), address.copies(), address.driver());
        }
      };

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  /** Work on a cluster whose failures are the cluster's. */
  private interface Work {
    int on(Target target) throws IOException, InterruptedException;
  }

  private static int work(ClusterChoice choice, Work work)
      throws EngineException, InterruptedException {
    // Says in seconds when nothing answers, which a client for workloads does in minutes.
    choice.connect().close();
    try (Target target = choice.address().accept(CLIENT)) {
      return work.on(target);
    } catch (IOException e) {
      throw new EngineException(choice.label() + ": " + e.getMessage(), e);
    }
  }

  @Command(
      name = "load",
      description = "Creates the tenants' tables and fills them.",
      footer = {
        "",
        "Examples:",
        "  trimtab workload load tenants.yaml --lab lab",
        "  trimtab workload load workloada --zookeeper zk1:2181 --drop"
      })
  static final class LoadCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "Workload file, or preset:e1.")
    private Path file;

    @Mixin private ClusterChoice choice;

    @Option(names = "--drop", description = "Drop tables of the same names first.")
    private boolean drop;

    LoadCommand(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws EngineException, InterruptedException {
      WorkloadSpec spec = WorkloadSpec.read(file, terminal::problem);
      return work(choice, target -> load(spec, target));
    }

    private int load(WorkloadSpec spec, Target target) throws IOException {
      long start = System.nanoTime();
      Loader loader = new Loader(spec, target);
      terminal.status("creating " + spec.tenants().size() + " tables");
      loader.create(drop);
      AtomicLong shown = new AtomicLong(-1);
      AtomicLong records = new AtomicLong();
      loader.load(
          (done, total) -> {
            records.accumulateAndGet(done, Math::max);
            long percent = 100 * done / total;
            long step = terminal.isTty() ? percent : percent / 10 * 10;
            if (shown.getAndAccumulate(step, Math::max) < step) {
              terminal.status(String.format(Locale.ROOT, "loaded %,d of %,d records", done, total));
            }
          });
      terminal.statusDone();
      double seconds = (System.nanoTime() - start) / 1e9;
      terminal.line(
          "loaded %,d records into %d tables in %.1f s",
          records.get(), spec.tenants().size(), seconds);
      return 0;
    }
  }

  @Command(
      name = "run",
      description = {
        "Runs the tenants' load and prints throughput and latency every second.",
        "Every read is verified. Ctrl-C ends the run and still writes the results."
      },
      footer = {
        "",
        "Examples:",
        "  trimtab workload run tenants.yaml --lab lab",
        "  trimtab workload run tenants.yaml --lab lab --duration 2m --out results --verify",
        "",
        "Exit code 1 when a read was wrong or an acknowledged write was lost."
      })
  static final class Run implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "Workload file, or preset:e1.")
    private Path file;

    @Mixin private ClusterChoice choice;

    @Option(
        names = "--duration",
        paramLabel = "TIME",
        converter = DurationConverter.class,
        description = "Duration; default: as in the file, else until Ctrl-C.")
    private Duration duration;

    @Option(
        names = "--out",
        paramLabel = "DIR",
        description = "Folder for series.csv (one line per second and tenant) and summary.json.")
    private Path out;

    @Mixin private ReportOptions reports;

    @Option(names = "--verify", description = "Read every record back at the end.")
    private boolean verify;

    Run(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws EngineException, InterruptedException {
      WorkloadSpec read = WorkloadSpec.read(file, terminal::problem);
      WorkloadSpec spec =
          duration == null ? read : new WorkloadSpec(read.rampUp(), duration, read.tenants());
      Optional<Reporter> reporter = reports.reporter(spec);
      if (out != null) {
        new WorkloadFiles(out).prepare();
      }
      return work(choice, target -> run(spec, target, reporter));
    }

    private int run(WorkloadSpec spec, Target target, Optional<Reporter> reporter)
        throws IOException, InterruptedException {
      Verifier verifier = new Verifier(target);
      Map<String, AcknowledgedWrites> ledgers = new LinkedHashMap<>();
      for (TenantSpec tenant : spec.tenants()) {
        terminal.status("reading what table " + tenant.table() + " holds");
        ledgers.put(tenant.name(), verifier.survey(tenant));
      }
      terminal.statusDone();
      LiveTable live = new LiveTable(terminal, spec.tenants());
      WorkloadRun run =
          reporter.isEmpty()
              ? WorkloadRun.start(spec, target, ledgers, live::show)
              : WorkloadRun.start(
                  spec, target, ledgers, reporter.get().andThen(live::show), reporter.get());
      reporter.ifPresent(answered -> answered.admits(run::admit));
      AtomicBoolean interrupted = new AtomicBoolean();
      try (Signals signals =
          Signals.stop(
              () -> {
                interrupted.set(true);
                end(run);
              })) {
        run.await();
        terminal.keep();
        List<Summary> summaries = run.summaries();
        terminal.line("");
        terminal.line(LiveTable.summary(summaries));
        reporter.flatMap(Reporter::untaken).ifPresent(terminal::problem);
        for (TenantSpec ended : run.endedByCount()) {
          terminal.line(
              "%s ended by operation count, after %,d operations",
              ended.name(), ended.operations());
        }
        if (out != null) {
          new WorkloadFiles(out).write(run.samples(), summaries);
          terminal.line("results are in " + out);
        }
        if (verify && interrupted.get()) {
          terminal.line("records were not read back: the run was interrupted");
        }
        boolean right = summaries.stream().allMatch(s -> s.wrong() == 0 && s.lost() == 0);
        return (!verify || interrupted.get() || verified(verifier, spec, ledgers)) && right ? 0 : 1;
      }
    }

    private static void end(WorkloadRun run) {
      try {
        run.stop();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private boolean verified(
        Verifier verifier, WorkloadSpec spec, Map<String, AcknowledgedWrites> ledgers)
        throws IOException {
      terminal.status("reading every record back");
      Verifier.Verification found = verifier.verify(spec, ledgers);
      terminal.statusDone();
      terminal.line(
          "%,d records read back: %d wrong, %d lost", found.records(), found.wrong(), found.lost());
      return found.right();
    }
  }

  /** Shows samples: a table that is rewritten on a terminal, and one in ten of them elsewhere. */
  static final class LiveTable {
    private static final int PIPE_SECONDS = 10;

    private final Terminal terminal;

    /** Operations that are left to tenants with a count of them. */
    private final Map<String, Long> left = new HashMap<>();

    LiveTable(Terminal terminal, List<TenantSpec> tenants) {
      this.terminal = terminal;
      tenants.stream()
          .filter(tenant -> tenant.operations() != null)
          .forEach(tenant -> left.put(tenant.name(), tenant.operations()));
    }

    /** Must be given every second's samples. */
    void show(List<Sample> samples) {
      for (Sample s : samples) {
        left.computeIfPresent(s.tenant(), (t, count) -> count - s.operations() - s.errors());
      }
      int second = samples.get(0).second() + 1;
      if (!terminal.isTty() && second % PIPE_SECONDS != 0) {
        return;
      }
      terminal.block(table(second, samples).toString());
    }

    private Table table(int second, List<Sample> samples) {
      var columns =
          new ArrayList<String>(
              List.of(
                  "second " + second,
                  ">ops/s",
                  ">p50 ms",
                  ">p95 ms",
                  ">p99 ms",
                  ">max ms",
                  ">errors",
                  ">retries",
                  ">wrong",
                  ">lost"));
      if (!left.isEmpty()) {
        columns.add(">ops left");
      }
      Table table = new Table(columns.toArray(String[]::new));
      for (Sample s : samples) {
        var row =
            new ArrayList<Object>(
                List.of(
                    s.tenant(),
                    s.operations(),
                    ms(s.p50Micros()),
                    ms(s.p95Micros()),
                    ms(s.p99Micros()),
                    ms(s.maxMicros()),
                    s.errors(),
                    s.retries(),
                    s.wrong(),
                    s.lost()));
        if (!left.isEmpty()) {
          row.add(left.containsKey(s.tenant()) ? left.get(s.tenant()) : "");
        }
        table.row(row.toArray());
      }
      var total = new ArrayList<Object>(Collections.nCopies(columns.size(), ""));
      total.set(0, "total");
      total.set(1, samples.stream().mapToLong(Sample::operations).sum());
      table.row(total.toArray());
      return table;
    }

    static String summary(List<Summary> summaries) {
      Table table =
          new Table(
              "whole run",
              ">ops/s",
              ">mean ms",
              ">p50 ms",
              ">p95 ms",
              ">p99 ms",
              ">p99.9 ms",
              ">errors",
              ">retries",
              ">wrong",
              ">lost");
      for (Summary s : summaries) {
        table.row(
            s.tenant(),
            Math.round(s.opsPerSecond()),
            ms(Math.round(s.meanMicros())),
            ms(s.p50Micros()),
            ms(s.p95Micros()),
            ms(s.p99Micros()),
            ms(s.p999Micros()),
            s.errors(),
            s.retries(),
            s.wrong(),
            s.lost());
      }
      double total = summaries.stream().mapToDouble(Summary::opsPerSecond).sum();
      table.row("total", Math.round(total), "", "", "", "", "", "", "", "", "");
      StringBuilder text = new StringBuilder(table.toString().stripTrailing());
      for (Summary s : summaries) {
        if (!s.retryReasons().isEmpty()) {
          text.append("\nretries of ").append(s.tenant()).append(": ");
          text.append(
              s.retryReasons().entrySet().stream()
                  .map(reason -> reason.getKey() + " " + reason.getValue())
                  .collect(Collectors.joining(", ")));
        }
      }
      return text.toString();
    }

    private static String ms(long micros) {
      return String.format(Locale.ROOT, "%.1f", micros / 1e3);
    }
  }
}
