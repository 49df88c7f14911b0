package io.trimtab.cli.usage;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.usage.UsageModel;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The throughput at which a node reaches a usage. */
@Command(
    name = "headroom",
    description = {
      "Predicts how many times a load can grow before a node reaches a usage.",
      "The hit ratio and the mix of the load stay as they are."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab usage headroom --model model.json --hit-ratio 0.9 --reads 500 --updates 100",
      "  trimtab usage headroom --model model.json --hit-ratio 0.9 --reads 1 --usage 0.6 --json"
    })
final class UsageHeadroom implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private UsageLoad load;

  @Option(
      names = "--usage",
      paramLabel = "U",
      defaultValue = "0.8",
      description = "Target usage of the node, in (0, 1]; default: ${DEFAULT-VALUE}.")
  private double usage;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  UsageHeadroom(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (!(usage > 0 && usage <= 1)) {
      throw new UserError("--usage must be in (0, 1], not " + usage);
    }
    UsageModel model = load.model();
    UsageModel.Load requested = load.load();
    if (requested.reads() + requested.scans() + requested.updates() == 0) {
      throw new UserError("no load: give --reads, --scans or --updates");
    }
    double times;
    UsageModel.Prediction prediction;
    try {
      times = model.headroom(requested, usage);
      prediction = model.predict(requested.times(times));
    } catch (IllegalArgumentException e) {
      throw load.lacks(e);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("times", times);
    result.put("reads", times * requested.reads());
    result.put("scans", times * requested.scans());
    result.put("updates", times * requested.updates());
    result.put("usage", prediction.usage());
    result.put("extrapolated", !prediction.extrapolated().isEmpty());
    result.put("why", prediction.extrapolated());
    result.put("ioWaitFrom", WaitSource.text(model.waitSource()));
    terminal.line(json ? JsonOutput.text(result) : text(result));
    return 0;
  }

  private static String text(Map<String, Object> result) {
    StringBuilder lines = new StringBuilder();
    result.forEach(
        (name, value) -> {
          if (value instanceof Double number) {
            lines.append(String.format(Locale.ROOT, "%-13s %,.2f%n", name, number));
          } else {
            lines.append(String.format(Locale.ROOT, "%-13s %s%n", name, value));
          }
        });
    return lines.toString().stripTrailing();
  }
}
