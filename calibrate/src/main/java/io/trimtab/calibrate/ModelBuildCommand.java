package io.trimtab.calibrate;

import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.lab.cluster.Database;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.NodeSpec;
import io.trimtab.models.usage.UsageModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures a usage model, on this machine or on a node of a live cluster. */
@Command(
    name = "build",
    description = {
      "Measures what loads use of a node and writes a usage model.",
      "Starts an isolated node for it, of the kind that --heap, --cores, --read-iops, --cache and",
      "--memory say. Run it where nothing else runs, on a machine of the kind that the model is",
      "for. With --node a node of a live HBase cluster is measured instead: it is taken out of",
      "service meanwhile, and put back. Measurements are kept beside FILE until the model is",
      "complete: --resume continues after an interruption."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab model build --engine hbase --out model.json --quick",
      "  trimtab model build --engine hbase --out model.json --resume",
      "  trimtab model build --engine cassandra --out ring.json --quick",
      "  trimtab model build --engine hbase --out big.json --heap 8g --cores 4 --read-iops 400",
      "  trimtab model build --engine hbase --out m.json --hit-ratios 1,0.8,0.5"
          + " --usage-levels 0.3,0.6",
      "  trimtab model build --node node3:16020 --zookeeper zk1:2181",
      "  trimtab model build --node node3:16020 --zookeeper zk1:2181 --out node3.json --act",
      "  trimtab model build --put-back --zookeeper zk1:2181"
    })
final class ModelBuildCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      description = "The database to measure: hbase or cassandra; required without --node.")
  private Database engine;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "File to write the model to, as JSON; required to measure.")
  private Path out;

  @Option(
      names = "--hit-ratios",
      split = ",",
      paramLabel = "H",
      description = {
        "Hit ratios of the block cache (Cassandra: the row cache) to measure, each in [0.1, 1];",
        "default: ten values from 1 to 0.15."
      })
  private List<Double> hitRatios = new ArrayList<>();

  @Option(
      names = "--usage-levels",
      split = ",",
      paramLabel = "U",
      description = "Node usages to measure, each in (0, 1); default: 0.05, 0.2, 0.4, 0.6, 0.8.")
  private List<Double> levels = new ArrayList<>();

  @Option(names = "--quick", description = "Measure fewer points, each for a shorter time.")
  private boolean quick;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = {
        "Number of nodes measured in parallel, each in its own cluster, in [1, 16]; default: 1.",
        "Use more than 1 only if each has its own cores: hyperthreads slow each other down."
      })
  private int nodes = 1;

  @Mixin private NodeOptions node = new NodeOptions();
  @Mixin private LiveOptions live = new LiveOptions();

  @Option(names = "--resume", description = "Continue an interrupted build.")
  private boolean resume;

  ModelBuildCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    hitRatios.forEach(h -> within("--hit-ratios", h, h >= 0.1 && h <= 1, "[0.1, 1]"));
    levels.forEach(u -> within("--usage-levels", u, u > 0 && u < 1, "(0, 1)"));
    if (nodes < 1 || nodes > 16) {
      throw new UserError("--nodes must be in [1, 16], not " + nodes);
    }
    live.check();
    if (live.given()) {
      return onLiveCluster();
    }
    if (engine == null) {
      throw new UserError("--engine is missing: hbase or cassandra");
    }
    NodeSpec kind = node.spec(engine, nodes);
    checkOut();
    Console console = new Console(System.out, terminal.isTty());
    hitRatios.sort((a, b) -> Double.compare(b, a));
    levels.sort(Double::compare);
    UsageModel model =
        ModelBuild.run(
            new ModelBuild.Options(
                engine, kind, node.limited(), hitRatios, levels, quick, resume, nodes),
            out,
            "model-" + ProcessHandle.current().pid(),
            console);
    console.print(told(out, model));
    return 0;
  }

  private int onLiveCluster() throws EngineException, InterruptedException {
    Optional<String> other =
        node.given()
            .or(() -> Optional.ofNullable(engine).map(any -> "--engine"))
            .or(() -> nodes > 1 ? Optional.of("--nodes") : Optional.empty());
    if (other.isPresent()) {
      throw new UserError(
          other.get() + ": a node of a live cluster is measured as it is; leave the option out");
    }
    hitRatios.sort((a, b) -> Double.compare(b, a));
    levels.sort(Double::compare);
    LiveBuild build = new LiveBuild(terminal, live, ModelPlan.of(quick).with(hitRatios, levels));
    if (live.putBack()) {
      return build.putBack();
    }
    if (!live.act()) {
      return build.show();
    }
    checkOut();
    return build.build(out, resume, new Console(System.out, terminal.isTty()));
  }

  /** Before anything is started or moved. */
  private void checkOut() {
    if (out == null) {
      throw new UserError("--out is missing: the file to write the model to");
    }
    if (Files.isDirectory(out)) {
      throw new UserError(out + " is a folder; --out names a file");
    }
    Path folder = out.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      throw new UserError(folder + ": no such folder");
    }
  }

  /** What was measured. */
  static String told(Path out, UsageModel model) {
    return String.format(
        Locale.ROOT,
        "model %s of %s: %d read points, %d update points; its own measurements lie %.1f points"
            + " (reads) and %.1f points (updates) off; I/O wait from %s",
        out,
        model.engine(),
        model.reads().size(),
        model.updates().size(),
        100 * model.readResidual(),
        100 * model.updateResidual(),
        WaitSource.text(model.waitSource()));
  }

  private static void within(String option, double value, boolean inside, String range) {
    if (!inside) {
      throw new UserError(option + " must be in " + range + ", not " + value);
    }
  }
}
