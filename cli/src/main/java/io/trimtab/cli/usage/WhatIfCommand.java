package io.trimtab.cli.usage;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.WaitMismatch;
import io.trimtab.controller.place.WhatIf;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.formats.ModelFile;
import io.trimtab.formats.ObservationFile;
import io.trimtab.models.usage.UsageModel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What nodes would use if something were otherwise. */
@Command(
    name = "whatif",
    description = {
      "Predicts each node's usage after a change; changes nothing.",
      "The load is observed for --period, or read from a snapshot file. Several changes are",
      "applied together."
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
      "",
      "Needs the plug-in on the nodes (trimtab plugin install hbase). It starts to count at the",
      "first query, so the first answers are based on few requests."
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
      description = "Usage model written by: trimtab model build.")
  private Path model;

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
      description = "Block cache size on every node, as a share of the heap: 55%%.")
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
    UsageModel known = ModelFile.read(model);
    Observation.Usable seen;
    if (snapshot == null) {
      seen = sample.withBlocks(terminal, choice);
    } else if (choice.named()) {
      throw new UserError("--snapshot replaces the cluster: leave out --lab and --zookeeper");
    } else {
      seen = ObservationFile.read(snapshot);
    }
    List<WhatIf.NodeForecast> lines;
    try {
      lines = WhatIf.of(seen, known, UsageSettings.builder().build(), change);
    } catch (IllegalArgumentException e) {
      String where = snapshot == null ? choice.label() : snapshot.toString();
      throw new UserError(where + ": " + e.getMessage(), e);
    }
    Optional<String> warning = WaitMismatch.of(known, seen.snapshot());
    terminal.line(json ? json(lines, known, warning) : text(lines, known, warning));
    return 0;
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
    if (cache == null) {
      return OptionalDouble.empty();
    }
    String number = cache.strip().replaceFirst("%$", "");
    try {
      double share = Double.parseDouble(number) / (cache.strip().endsWith("%") ? 100 : 1);
      if (share > 0 && share < 1) {
        return OptionalDouble.of(share);
      }
    } catch (NumberFormatException e) {
      throw new UserError("--cache " + cache + ": must be a share, as 55% or 0.55", e);
    }
    throw new UserError("--cache " + cache + ": must be between 0 and 100%");
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
    text.append(
        String.format(Locale.ROOT, "%-32s %15s %15s%n", "node", "usage", "block cache hits"));
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
