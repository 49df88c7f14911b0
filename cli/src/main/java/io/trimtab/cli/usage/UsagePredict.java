package io.trimtab.cli.usage;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Prediction;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The usage that a load causes. */
@Command(
    name = "predict",
    description = {
      "Predicts the share of a node that a load uses.",
      "Usage is CPU user + system + I/O wait, from 0 to 1; above 1 the node can't serve the load.",
      "The interval holds the true value in 19 of 20 cases."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab usage predict --model model.json --hit-ratio 0.9 --reads 500 --updates 100",
      "  trimtab usage predict --model m.json --hit-ratio 1 --scans 40 --scan-length 50"
          + " --blocks-per-scan 3 --json"
    })
final class UsagePredict implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private UsageLoad load;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  UsagePredict(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    UsageModel model = load.model();
    UsageModel.Load requested = load.load();
    Prediction prediction;
    try {
      prediction = model.predict(requested);
    } catch (IllegalArgumentException e) {
      throw load.lacks(e);
    }
    Map<String, Object> parts = new LinkedHashMap<>();
    parts.put("idle", model.idle());
    parts.put("reads", prediction.reads());
    parts.put("scans", prediction.scans());
    parts.put("updates", prediction.updates());
    parts.put("compaction", prediction.compaction());
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("usage", prediction.usage());
    result.put("low", prediction.low());
    result.put("high", prediction.high());
    result.put("parts", parts);
    result.put("extrapolated", !prediction.extrapolated().isEmpty());
    result.put("why", prediction.extrapolated());
    result.put("model", model.fingerprint());
    terminal.line(json ? JsonOutput.text(result) : text(model, prediction, parts));
    return 0;
  }

  private static String text(UsageModel model, Prediction prediction, Map<String, Object> parts) {
    StringBuilder lines = new StringBuilder();
    lines.append(
        String.format(
            Locale.ROOT,
            "usage       %5.1f %%  (%.1f to %.1f %%)%n",
            100 * prediction.usage(),
            100 * prediction.low(),
            100 * prediction.high()));
    parts.forEach(
        (name, share) ->
            lines.append(
                String.format(Locale.ROOT, "%-11s %5.1f %%%n", name, 100 * (Double) share)));
    prediction
        .extrapolated()
        .forEach(why -> lines.append("extrapolated: ").append(why).append(System.lineSeparator()));
    lines.append("I/O wait from ").append(WaitSource.text(model.waitSource()));
    return lines.toString();
  }
}
