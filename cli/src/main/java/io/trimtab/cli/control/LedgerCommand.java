package io.trimtab.cli.control;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.journal.PredictionLedger.PredictionResult;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.StateDir;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predictions and what came of them. */
@Command(
    name = "ledger",
    description = {
      "Compares predicted with measured node usage for each plan that was carried out.",
      "For plans of every policy; if it predicts nothing itself, by what the plan changes:",
      "the predicted usage of the most used node, what was measured afterwards, the mean and the",
      "worst error over all nodes, and the mean error for each kind of action and of model.",
      "It is measured when caches have filled, at most five minutes after the plan; \"next plan\"",
      "says that the next one began before, so that it is not.",
      "A prediction is of the load before the plan. One above 1 is right if a node is used fully.",
      "Without a cluster it is the one observed last on this host."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab ledger --lab lab",
      "  trimtab ledger --nodes",
      "  trimtab ledger --json"
    })
public final class LedgerCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private StateChoice choice;

  @Option(names = "--nodes", description = "Print a line for each node, too.")
  private boolean nodes;

  @Option(names = "--json", description = "Print JSON, with all nodes.")
  private boolean json;

  LedgerCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    List<StateDir> states = choice.named(StateDir.all());
    List<Entry> entries = states.isEmpty() ? List.of() : states.get(0).journals().all();
    List<PredictionResult> plans = PredictionLedger.of(entries);
    String usage = Why.usageFrom(entries).orElse("");
    if (json) {
      terminal.line(JsonOutput.text(LedgerText.json(plans, usage)));
      return 0;
    }
    if (!states.isEmpty()) {
      terminal.line("cluster " + states.get(0).clusterId());
    }
    terminal.line(LedgerText.table(plans, nodes));
    if (!plans.isEmpty() && !usage.isEmpty()) {
      terminal.line(usage);
    }
    return 0;
  }
}
