package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.trimtab.cli.Main;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.NodeId;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.LabNode;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** {@code trimtab plugin} on three nodes that rank: what an operator types, and is told. */
final class RankingCommands {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String LATER =
      "at a node's next start the values of its JVM options hold again";

  /** Asks a node's bean, not by the code of the commands. */
  interface Asked {
    Object of(LabNode node, String attribute) throws Exception;
  }

  /** What a command did. */
  private record Run(int code, List<String> out, List<String> err) {}

  private final CassandraLab lab;
  private final KnownRows known;
  private final Asked asked;

  private RankingCommands(CassandraLab lab, KnownRows known, Asked asked) {
    this.lab = lab;
    this.known = known;
    this.asked = asked;
  }

  /** Tries them with all nodes, and with a dead one. */
  static void tried(CassandraLab lab, KnownRows known, Asked asked) throws Exception {
    RankingCommands commands = new RankingCommands(lab, known, asked);
    commands.withAllNodes();
    NodeId victim = lab.nodes().get(2).id();
    lab.killNode(victim);
    try {
      commands.withADeadNode(victim);
    } finally {
      lab.startNode(victim, LIMIT);
    }
    commands.afterTheNodeStarts();
  }

  /** Tries them while a node has no plug-in. */
  static void triedWithout(NodeId bare, CassandraLab lab, KnownRows known, Asked asked)
      throws Exception {
    new RankingCommands(lab, known, asked).withANodeThatHasNoPlugIn(bare);
  }

  private static Run run(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = new Main(new Terminal(out, err, false, false, false)).run(words);
    return new Run(code, out.toString().lines().toList(), err.toString().lines().toList());
  }

  /** {@code plugin} with the words of one string, on this lab. */
  private Run plugin(String typed) {
    Run run = run(("plugin " + typed + " --lab " + lab.config().name()).split(" "));
    assertThat(run.err()).noneMatch(line -> line.contains("Exception"));
    return run;
  }

  private void set(String ranking) {
    Run run = plugin("set --act --ranking " + ranking);
    assertThat(run.code()).as("%s", run).isZero();
    assertThat(run.out()).containsExactly("set on 3 of 3 nodes: --ranking " + ranking, LATER);
  }

  /** Nodes in the order of their names. */
  private void rank(Object... rankings) throws Exception {
    for (int i = 0; i < rankings.length; i++) {
      assertThat(asked.of(lab.nodes().get(i), "Ranking")).as("node %d", i).isEqualTo(rankings[i]);
    }
  }

  private static String jmx(NodeId node, int port) {
    return "JMX at " + node.name().split(":")[0] + ":" + port;
  }

  private void withAllNodes() throws Exception {
    set("trimtab");
    Run status = plugin("status cassandra");
    assertThat(status.code()).as("%s", status).isZero();
    assertThat(status.out()).hasSize(1 + 3 + 1).endsWith("the plug-in works on 3 of 3 nodes");
    for (LabNode node : lab.nodes()) {
      assertThat(status.out())
          .filteredOn(row -> row.startsWith(node.id().name()))
          .singleElement()
          .asString()
          .contains("trimtab");
    }
    Run install = plugin("install cassandra");
    assertThat(install.code()).as("%s", install).isZero();

    Run dry = plugin("set --ranking off --local-first true");
    assertThat(dry.code()).as("%s", dry).isZero();
    assertThat(dry.out())
        .containsExactly(
            "would set on 3 of 3 nodes: --ranking off, --local-first true; --act does it");
    rank("trimtab", "trimtab", "trimtab");

    Run unknown = plugin("set --ranking nearest --local-first true --act");
    assertThat(unknown.code()).as("%s", unknown).isEqualTo(Main.REFUSED);
    assertThat(unknown.err())
        .singleElement()
        .asString()
        .contains("no node that answers knows a ranking nearest; there are random, ", ", off");
    rank("trimtab", "trimtab", "trimtab");

    Run done = plugin("set --ranking off --local-first true --hedge-share 0.5 --act");
    assertThat(done.code()).as("%s", done).isZero();
    rank("off", "off", "off");
    for (LabNode node : lab.nodes()) {
      assertThat(asked.of(node, "LocalFirst")).isEqualTo(true);
      assertThat(asked.of(node, "HedgeShare")).isEqualTo(0.5);
    }
    assertThat(plugin("set --local-first false --hedge-share 1 --act").code()).isZero();
    assertThat(asked.of(lab.nodes().get(1), "LocalFirst")).isEqualTo(false);
    set("trimtab");
    throughAPortWithoutJmx();
  }

  private void throughAPortWithoutJmx() throws Exception {
    String point = lab.nodes().get(0).id().name();
    String[] typed = "plugin set --ranking off --act --jmx-port 1 --cassandra".split(" ");
    String[] words = Arrays.copyOf(typed, typed.length + 1);
    words[typed.length] = point;
    Run run = run(words);
    assertThat(run.code()).as("%s", run).isEqualTo(Main.REFUSED);
    assertThat(run.err()).hasSize(3 + 1);
    for (int i = 0; i < 3; i++) {
      NodeId node = lab.nodes().get(i).id();
      assertThat(run.err().get(i))
          .startsWith("  | " + node + ": " + jmx(node, 1) + " does not answer: ")
          .endsWith("; it serves by CQL: is --jmx-port right, and its JMX open to this machine?");
    }
    assertThat(run.err()).endsWith("trimtab: none of 3 nodes can be set; nothing was changed");
    rank("trimtab", "trimtab", "trimtab");
  }

  private void withADeadNode(NodeId dead) throws Exception {
    String why =
        dead + ": " + jmx(dead, lab.client().jmxPort()) + " does not answer: Connection refused";
    Run dry = plugin("set --ranking off");
    assertThat(dry.code()).as("%s", dry).isEqualTo(1);
    assertThat(dry.out())
        .containsExactly(
            "would set on 2 of 3 nodes: --ranking off; --act does it", "would skip " + why);
    rank("trimtab", "trimtab");

    Run set = plugin("set --ranking off --act");
    assertThat(set.code()).as("%s", set).isEqualTo(1);
    assertThat(set.out())
        .containsExactly(
            "set on 2 of 3 nodes: --ranking off",
            "skipped " + why,
            LATER,
            "so they do on nodes that were down: run this command again when those are up");
    rank("off", "off");

    Run status = plugin("status cassandra");
    assertThat(status.code()).as("%s", status).isEqualTo(1);
    assertThat(status.out())
        .endsWith("the plug-in works on 2 of 3 nodes")
        .anyMatch(row -> row.startsWith(dead + "  unknown ") && row.contains("Connection refused"));
  }

  private void withANodeThatHasNoPlugIn(NodeId bare) throws Exception {
    Run status = plugin("status cassandra");
    assertThat(status.code()).as("%s", status).isEqualTo(1);
    assertThat(status.out())
        .endsWith(
            "the plug-in works on 2 of 3 nodes; without it: 1 (trimtab plugin install cassandra)")
        .filteredOn(row -> row.contains("not loaded"))
        .containsExactly(bare + "  not loaded");
    Run install = plugin("install cassandra");
    assertThat(install.code()).as("%s", install).isEqualTo(1);
    assertThat(install.out())
        .contains("On each node that lacks the plug-in (Cassandra 4.1 and 5.0):");

    Run set = plugin("set --ranking random --act");
    assertThat(set.code()).as("%s", set).isEqualTo(1);
    assertThat(set.out())
        .startsWith(
            "set on 2 of 3 nodes: --ranking random",
            "skipped " + bare + ": it has no plug-in: trimtab plugin install cassandra");
    for (LabNode node : lab.nodes()) {
      if (!node.id().equals(bare)) {
        assertThat(asked.of(node, "Ranking")).as("%s", node.id()).isEqualTo("random");
      }
    }
    known.areRead(ConsistencyLevel.ALL);
  }

  private void afterTheNodeStarts() throws Exception {
    rank("off", "off", "trimtab");
    Run status = plugin("status cassandra");
    assertThat(status.code()).as("%s", status).isZero();
    assertThat(status.out()).contains("nodes rank differently: off on 2, trimtab on 1");
    set("trimtab");
    rank("trimtab", "trimtab", "trimtab");
  }
}
