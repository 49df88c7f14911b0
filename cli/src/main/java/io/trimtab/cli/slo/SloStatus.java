package io.trimtab.cli.slo;

import io.trimtab.cli.control.StateChoice;
import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Table;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.StateDir;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How agreements are kept. */
@Command(
    name = "status",
    description = {
      "Shows what each agreement promises, what was measured, and since when it is missed.",
      "As autopilots on this host have told it last; without a cluster, of all that they have",
      "looked at."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab slo status",
      "  trimtab slo status --cassandra 10.0.0.4",
      "  trimtab slo status --json"
    })
final class SloStatus implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private StateChoice choice;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  SloStatus(Terminal terminal) {
    this.terminal = terminal;
  }

  /** An agreement of a cluster. */
  private record Row(String cluster, Entry.AgreementSeen seen) {}

  @Override
  public Integer call() throws EngineException {
    List<Row> rows = new ArrayList<>();
    for (StateDir state : choice.named(StateDir.all())) {
      for (Entry.AgreementSeen seen : Why.agreements(state.journals().all())) {
        rows.add(new Row(state.clusterId(), seen));
      }
    }
    Instant now = Clock.systemUTC().instant();
    if (json) {
      terminal.line(JsonOutput.text(rows.stream().map(row -> json(row, now)).toList()));
    } else if (rows.isEmpty()) {
      terminal.line("no autopilot of this host has judged an agreement yet");
    } else {
      terminal.line(table(rows, now).toString().stripTrailing());
    }
    return 0;
  }

  private static Table table(List<Row> rows, Instant now) {
    Table table =
        new Table(
            "agreement",
            "cluster",
            "state",
            ">for",
            ">clients",
            ">agreed",
            "objective",
            "measured",
            "as of");
    for (Row row : rows) {
      Entry.AgreementSeen seen = row.seen();
      table.row(
          seen.tenant(),
          row.cluster(),
          state(seen),
          minutes(seen, now) + " min",
          seen.clients(),
          seen.agreed(),
          seen.objective(),
          seen.measured(),
          seen.at().truncatedTo(ChronoUnit.SECONDS));
    }
    return table;
  }

  private static String state(Entry.AgreementSeen seen) {
    return seen.verdict().name().toLowerCase(Locale.ROOT);
  }

  private static long minutes(Entry.AgreementSeen seen, Instant now) {
    return Math.max(0, Duration.between(seen.since(), now).toMinutes());
  }

  private static Map<String, Object> json(Row row, Instant now) {
    Entry.AgreementSeen seen = row.seen();
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("agreement", seen.tenant());
    result.put("cluster", row.cluster());
    result.put("state", state(seen));
    result.put("since", seen.since().toString());
    result.put("minutes", minutes(seen, now));
    result.put("clients", seen.clients());
    result.put("agreed", seen.agreed());
    result.put("objective", seen.objective());
    result.put("measured", seen.measured());
    result.put("at", seen.at().toString());
    return result;
  }
}
