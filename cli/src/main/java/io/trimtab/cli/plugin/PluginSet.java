package io.trimtab.cli.plugin;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.cassandra.ranking.RankingChange;
import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Changes how Cassandra's nodes rank replicas while they run. */
@Command(
    name = "set",
    description = {
      "Changes how Cassandra's nodes rank the replicas of reads, while they run.",
      "It lasts until a node's next start; what then holds is in its JVM options. Nodes that do",
      "not answer, or lack the plug-in, are skipped and named. Without --act it only says what it",
      "would do."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab plugin set --ranking off --cassandra host1 --act",
      "  trimtab plugin set --ranking trimtab --hedge-share 0.05 --lab lab",
      "",
      "Exit code 1 if a node was, or would be, skipped; 2 if there is none to set, and nothing",
      "was changed."
    })
final class PluginSet implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--ranking",
      paramLabel = "NAME",
      description =
          "random, least-outstanding, dynamic-snitch, dynamic-snitch-0.1, c3, thesis, prequal,"
              + " trimtab, or off for the order of the snitch.")
  private String ranking;

  @Option(
      names = "--local-first",
      paramLabel = "BOOL",
      arity = "1",
      description = "Whether a coordinator that has the data itself comes first: true or false.")
  private Boolean localFirst;

  @Option(
      names = "--rack-penalty",
      paramLabel = "FACTOR",
      description =
          "By how much the expected time of replicas in other racks is multiplied, 1 to 1000; 1:"
              + " racks make no difference.")
  private Double rackPenalty;

  @Option(
      names = "--inline-reads",
      paramLabel = "BOOL",
      arity = "1",
      description =
          "Whether a coordinator's own data may be read in the thread of the request: true or"
              + " false.")
  private Boolean inlineReads;

  @Option(
      names = "--hedge-share",
      paramLabel = "SHARE",
      description =
          "Share of a table's reads on a coordinator that may be made again in a second, 0 to 1;"
              + " 1: any.")
  private Double hedgeShare;

  @Option(names = "--act", description = "Do it.")
  private boolean act;

  @Mixin private ClusterChoice choice;

  PluginSet(Terminal terminal) {
    this.terminal = terminal;
  }

  private final Map<String, Object> values = new TreeMap<>();

  /** As they were typed. */
  private final List<String> typed = new ArrayList<>();

  private void collect() {
    put("Ranking", "--ranking", ranking);
    put("LocalFirst", "--local-first", localFirst);
    put("RackPenalty", "--rack-penalty", rackPenalty);
    put("InlineReads", "--inline-reads", inlineReads);
    put("HedgeShare", "--hedge-share", hedgeShare);
    if (values.isEmpty()) {
      throw new UserError(
          "nothing to set: give --ranking, --local-first, --rack-penalty, --inline-reads or"
              + " --hedge-share");
    }
    if (rackPenalty != null && !(rackPenalty >= 1 && rackPenalty <= 1_000)) {
      throw new UserError("--rack-penalty must be 1 to 1000, not " + rackPenalty);
    }
    if (hedgeShare != null && !(hedgeShare >= 0 && hedgeShare <= 1)) {
      throw new UserError("--hedge-share must be 0 to 1, not " + hedgeShare);
    }
  }

  private void put(String attribute, String option, Object value) {
    if (value != null) {
      values.put(attribute, value);
      typed.add(option + " " + value);
    }
  }

  @Override
  public Integer call() throws EngineException {
    collect();
    try (CassandraEngine ring = PluginTarget.cassandra(choice)) {
      return set(terminal, ring.ranking(), values, String.join(", ", typed), act);
    }
  }

  /**
   * Returns the exit code.
   *
   * @param what the values as they were typed
   * @throws UserError if no node can be set, with a line for each
   */
  static int set(
      Terminal terminal, RankingPlugin plugin, Map<String, Object> values, String what, boolean act)
      throws EngineException {
    RankingChange change = act ? plugin.set(values) : plugin.check(values);
    if (!change.touched()) {
      throw new NoNodeError(change);
    }
    terminal.line(
        "%s on %d of %d nodes: %s%s",
        act ? "set" : "would set",
        change.taken(),
        change.nodes().size(),
        what,
        act ? "" : "; --act does it");
    for (RankingChange.Node node : change.skipped()) {
      String how = act ? node.touched() ? "failed on" : "skipped" : "would skip";
      terminal.line("%s %s: %s", how, node.id(), node.problem());
    }
    if (act) {
      terminal.line("at a node's next start the values of its JVM options hold again");
    }
    if (change.skipped().isEmpty()) {
      return 0;
    }
    if (act) {
      terminal.line("so they do on nodes that were down: run this command again when those are up");
    }
    return 1;
  }

  /** Nothing was changed. */
  private static final class NoNodeError extends UserError {
    private static final long serialVersionUID = 1L;

    private final List<String> nodes;

    NoNodeError(RankingChange change) {
      super("none of %d nodes can be set; nothing was changed".formatted(change.nodes().size()));
      this.nodes =
          change.skipped().stream().map(node -> node.id() + ": " + node.problem()).toList();
    }

    @Override
    public List<String> details() {
      return nodes;
    }
  }
}
