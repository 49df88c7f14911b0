package io.trimtab.cli.usage;

import io.trimtab.cli.control.ConfigOption;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Share;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.controller.observe.ModelMismatch;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.Hardware;
import io.trimtab.controller.place.WhatIf;
import io.trimtab.controller.ring.RingHardware;
import io.trimtab.controller.ring.RingWhatIf;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.formats.ModelFile;
import io.trimtab.formats.ObservationFile;
import io.trimtab.models.usage.UsageModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What nodes would use if something were otherwise. */
@Command(
    name = "whatif",
    description = {
      "Predicts each node's usage after a change, which is not made.",
      "The load is observed for --period, or read from a snapshot file. Several changes are",
      "applied together. With models of several kinds of hardware, shows how many nodes of each",
      "the load needs to stay below usage.target, and what they cost."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab whatif --lab lab --model model.json --remove-node node1:16020",
      "  trimtab whatif --lab lab --model model.json --scale-load usertable=2.0 --add-nodes 1",
      "  trimtab whatif --lab lab --model model.json --cache 55%%",
      "  trimtab whatif --lab lab --model model.json --move t/3f2a9c11=node2:16020 --json",
      "  trimtab snapshot --lab lab --out seen.json",
      "  trimtab whatif --snapshot seen.json --model model.json --remove-node node1:16020",
      "  trimtab whatif --lab lab --model small.json --model big.json --scale-load t=2.0",
      "  trimtab whatif --lab lab --model a.json --model b.json --price a.json=0.2"
          + " --price b.json=0.75",
      "",
      "HBase needs the plug-in on the nodes (trimtab plugin install hbase). It starts to count at",
      "the first query, so the first answers are based on few requests. Cassandra's nodes share",
      "the load: --remove-node, --add-nodes and --scale-load with one --model, --scale-load with",
      "several."
    })
public final class WhatIfCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ClusterChoice choice;
  @Mixin private LoadSample sample;

  @Option(
      names = "--snapshot",
      paramLabel = "FILE",
      description = "Snapshot file written by trimtab snapshot, instead of a cluster.")
  private Path snapshot;

  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = {
        "Usage model written by: trimtab model build. Given more than once: models of nodes of",
        "several kinds, which are compared."
      })
  private List<Path> models = new ArrayList<>();

  @Option(
      names = "--price",
      paramLabel = "FILE=P",
      description = {
        "With several models: price of one node of this model per hour, a number. For all models,",
        "or none."
      })
  private Map<String, Double> prices = new LinkedHashMap<>();

  @Mixin private ConfigOption config;

  @Option(names = "--remove-node", paramLabel = "NODE", description = "Node to remove.")
  private String without;

  @Option(
      names = "--add-nodes",
      paramLabel = "N",
      description = "Number of nodes to add; all partitions are placed again.")
  private int added;

  @Option(
      names = "--scale-load",
      paramLabel = "TABLE=F",
      description = "Multiply a table's request rate by F.")
  private Map<String, Double> scale = new LinkedHashMap<>();

  @Option(
      names = "--cache",
      paramLabel = "SHARE",
      description = "HBase: block cache size on every node, as a share of the heap: 55%%.")
  private String cache;

  @Option(
      names = "--move",
      paramLabel = "REGION=NODE",
      description = "Move a region, given as table/name, to another node.")
  private Map<String, String> moves = new LinkedHashMap<>();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  WhatIfCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException, InterruptedException {
    WhatIf.Change change = change();
    Settings settings = config.settings();
    if (models.size() > 1) {
      comparesOnly();
      List<Hardware.Kind> kinds = HardwareTable.kinds(models, prices);
      Observation.Usable seen = seen();
      List<Hardware.Fit> fits =
          from(
              () ->
                  isRing(seen)
                      ? RingHardware.of(seen, kinds, scale, settings)
                      : Hardware.of(seen, kinds, scale, settings));
      HardwareTable table =
          new HardwareTable(kinds, fits, settings.usage().target(), seen.snapshot());
      terminal.line(json ? table.json() : table.text());
      return 0;
    }
    if (!prices.isEmpty()) {
      throw new UserError("--price compares models of several nodes: give --model more than once");
    }
    UsageModel known = ModelFile.read(models.get(0));
    Observation.Usable seen = seen();
    List<WhatIf.NodeForecast> lines =
        from(
            () ->
                isRing(seen)
                    ? RingWhatIf.of(seen, known, change)
                    : WhatIf.of(seen, known, settings.usage(), change));
    Optional<String> warning = ModelMismatch.of(models.get(0).toString(), known, seen.snapshot());
    terminal.line(json ? json(lines, known, warning) : text(lines, known, warning));
    return 0;
  }

  private static boolean isRing(Observation.Usable seen) {
    return seen.snapshot().ownership() == Ownership.TOKENS;
  }

  /** Other changes are of the nodes that there are. */
  private void comparesOnly() {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--remove-node", without != null);
    given.put("--add-nodes", added != 0);
    given.put("--cache", cache != null);
    given.put("--move", !moves.isEmpty());
    given.forEach(
        (option, there) -> {
          if (there) {
            throw new UserError(option + " changes the present nodes: give one --model with it");
          }
        });
  }

  private Observation.Usable seen() throws EngineException, InterruptedException {
    if (snapshot == null) {
      return sample.withBlocks(terminal, choice);
    }
    if (choice.named() || choice.extended()) {
      throw new UserError(
          "--snapshot replaces the cluster: leave out what names one, its metrics and"
              + " its provider");
    }
    return ObservationFile.read(snapshot);
  }

  /** What is predicted from the load; what can't be is told with where the load is from. */
  private <T> T from(Supplier<T> load) {
    try {
      return load.get();
    } catch (IllegalArgumentException e) {
      String where = snapshot == null ? choice.label() : snapshot.toString();
      throw new UserError(where + ": " + e.getMessage(), e);
    }
  }

  private WhatIf.Change change() {
    if (added < 0 || added > 1_000) {
      throw new UserError("--add-nodes must be in [0, 1000], not " + added);
    }
    scale.forEach(
        (table, factor) -> {
          if (!(factor >= 0 && factor <= 1e6)) {
            throw new UserError("--scale-load " + table + ": must be in [0, 1e6], not " + factor);
          }
        });
    Map<PartitionId, NodeId> places = new LinkedHashMap<>();
    moves.forEach((region, node) -> places.put(partition(region), new NodeId(node)));
    return new WhatIf.Change(
        Optional.ofNullable(without).map(NodeId::new), added, scale, share(), places);
  }

  private static PartitionId partition(String region) {
    int slash = region.lastIndexOf('/');
    if (slash <= 0 || slash == region.length() - 1) {
      throw new UserError("--move " + region + ": a region must be given as table/name");
    }
    return new PartitionId(region.substring(0, slash), region.substring(slash + 1));
  }

  private OptionalDouble share() {
    return cache == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(Share.parse("--cache", cache));
  }

  private static String json(
      List<WhatIf.NodeForecast> lines, UsageModel known, Optional<String> warning) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put(
        "nodes",
        lines.stream()
            .map(
                l -> {
                  Map<String, Object> of = new LinkedHashMap<>();
                  of.put("node", l.node().name());
                  of.put("usageBefore", number(l.before()));
                  of.put("usageAfter", number(l.after()));
                  of.put("hitRatioBefore", number(l.hitsBefore()));
                  of.put("hitRatioAfter", number(l.hitsAfter()));
                  return of;
                })
            .toList());
    result.put("ioWaitFrom", WaitSource.text(known.waitSource()));
    warning.ifPresent(clause -> result.put("warning", clause));
    return JsonOutput.text(result);
  }

  private static Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }

  private static String text(
      List<WhatIf.NodeForecast> lines, UsageModel known, Optional<String> warning) {
    StringBuilder text = new StringBuilder();
    text.append(String.format(Locale.ROOT, "%-32s %15s %15s%n", "node", "usage", "cache hits"));
    for (WhatIf.NodeForecast l : lines) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-32s %6s → %6s %6s → %6s%n",
              l.node().name(),
              percent(l.before()),
              percent(l.after()),
              percent(l.hitsBefore()),
              percent(l.hitsAfter())));
    }
    text.append("usage is CPU + I/O wait, I/O wait from ")
        .append(WaitSource.text(known.waitSource()));
    warning.ifPresent(clause -> text.append("\nwarning: ").append(clause));
    return text.toString();
  }

  private static String percent(double share) {
    return Double.isNaN(share) ? "–" : String.format(Locale.ROOT, "%.1f%%", 100 * share);
  }
}
