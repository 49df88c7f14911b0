package io.trimtab.cli.control;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.StateDir;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predictions and what came of them. */
@Command(
    name = "ledger",
    description = {
      "Compares predicted with measured node usage for each plan that was carried out.",
      "For plans of the usage policy: the predicted usage of the most used node, what was measured",
      "afterwards, and the mean error for each kind of action."
    },
    footer = {"", "Examples:", "  trimtab ledger --lab lab", "  trimtab ledger --json"})
public final class LedgerCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private StateChoice choice;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  LedgerCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    List<StateDir> states = choice.named(StateDir.all());
    List<Entry> entries = states.isEmpty() ? List.of() : states.get(0).journals().all();
    List<PredictionLedger.PredictionResult> lines = PredictionLedger.of(entries);
    String usage = Why.usageFrom(entries).orElse("");
    terminal.line(json ? json(lines, usage) : text(lines, usage));
    return 0;
  }

  private static String json(List<PredictionLedger.PredictionResult> lines, String usage) {
    return JsonOutput.text(
        Map.of(
            "plans",
            lines.stream()
                .map(
                    line -> {
                      Map<String, Object> of = new LinkedHashMap<>();
                      of.put("at", line.at().toString());
                      of.put("plan", line.planId());
                      of.put("model", line.model());
                      of.put("kinds", line.kinds());
                      of.put("predicted", line.predicted());
                      of.put("measured", line.known() ? line.measured() : null);
                      return of;
                    })
                .toList(),
            "meanErrorByKind",
            PredictionLedger.byKind(lines),
            "usage",
            usage));
  }

  private static String text(List<PredictionLedger.PredictionResult> lines, String usage) {
    if (lines.isEmpty()) {
      return "no plan with a prediction has been carried out; policy: usage makes such plans";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%-20s  %9s  %9s  %7s  %s%n",
            "at",
            "predicted",
            "measured",
            "error",
            "actions"));
    for (PredictionLedger.PredictionResult line : lines) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-20s  %9.2f  %9s  %7s  %s%n",
              line.at().truncatedTo(java.time.temporal.ChronoUnit.SECONDS),
              line.predicted(),
              line.known() ? String.format(Locale.ROOT, "%.2f", line.measured()) : "not yet",
              line.known() ? String.format(Locale.ROOT, "%+.2f", line.error()) : "",
              String.join(", ", line.kinds())));
    }
    PredictionLedger.byKind(lines)
        .forEach(
            (kind, error) ->
                text.append(String.format(Locale.ROOT, "mean error with %s: %.2f%n", kind, error)));
    return text.append(usage).toString().stripTrailing();
  }
}
