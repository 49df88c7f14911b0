package io.trimtab.cli.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.EngineException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code plugin status} and {@code plugin install} say of Cassandra's nodes. */
class PluginStatusTest {
  private static final String DOWN = "JMX at n2:7199 does not answer: Connection refused";

  @TempDir Path home;
  private final FakeRing ring = new FakeRing();
  private final StringWriter out = new StringWriter();
  private final Terminal terminal = new Terminal(out, out, false, false, false);
  private boolean closed;

  @BeforeEach
  void ownHome() {
    System.setProperty("trimtab.home", home.toString());
  }

  @AfterEach
  void usersHome() {
    System.clearProperty("trimtab.home");
  }

  private LoadedPlugin plugin() {
    return new CassandraLoaded(new RankingPlugin(ring), () -> closed = true);
  }

  private int status() throws EngineException {
    try (LoadedPlugin plugin = plugin()) {
      return PluginCommand.status(terminal, plugin, "cassandra");
    }
  }

  private int install() throws EngineException {
    try (LoadedPlugin plugin = plugin()) {
      return PluginCommand.install(terminal, plugin);
    }
  }

  /** Runs of blanks as one. */
  private List<String> lines() {
    return out.toString().lines().map(line -> line.replaceAll(" +", " ").strip()).toList();
  }

  @Test
  void everyNodeIsARowWithAllThatCanBeSet() throws EngineException {
    ring.node("5.0.9").with("LocalFirst", true).with("HedgeShare", 0.05).with("RackPenalty", 1.5);
    ring.node("").with("InlineReads", true);

    assertThat(status()).isZero();

    assertThat(lines())
        .containsExactly(
            "node plug-in ranking local first rack penalty inline reads reads ranked not ranked"
                + " hedges problem",
            "n1:9042 1.0 trimtab yes 1.50 no 12 3 5.00 %",
            "n2:9042 1.0 trimtab no none yes 12 3 any",
            "the plug-in works on 2 of 2 nodes");
    assertThat(closed).isTrue();
    out.getBuffer().setLength(0);
    assertThat(install()).isZero();
    assertThat(out.toString()).endsWith("the plug-in works on every node; nothing to do\n");
  }

  @Test
  void whatIsWrongIsOnTheRowOfItsNode() throws EngineException {
    ring.node("5.0.9").with("Ranking", "off");
    ring.node("5.0.9").silent(DOWN);
    ring.node("5.0.9").without();
    ring.node("4.0.11").without();
    ring.node("5.1").with("Failures", 0L);
    ring.node("5.0-rc1").with("Failures", 2L);

    assertThat(status()).isEqualTo(1);

    assertThat(lines().subList(1, 9))
        .containsExactly(
            "n1:9042 1.0 off no none no 12 3 any",
            "n2:9042 unknown " + DOWN,
            "n3:9042 not loaded",
            "n4:9042 not loaded it runs Cassandra 4.0.11, the plug-in is for 4.1 and 5.0",
            "n5:9042 1.0 trimtab no none no 12 3 any it runs Cassandra 5.1, the plug-in is for 4.1"
                + " and 5.0",
            "n6:9042 1.0 trimtab no none no 12 3 any 2 errors in the plug-in; the first is in the"
                + " node's log",
            "nodes rank differently: off on 1, trimtab on 2",
            "the plug-in works on 1 of 6 nodes; without it: 1 (trimtab plugin install cassandra)");
  }

  @Test
  void theStepsAreForNodesThatCanHaveIt() throws EngineException {
    ring.node("4.1.10").without();
    ring.node("4.0.11").without();

    assertThat(install()).isEqualTo(1);

    assertThat(out.toString())
        .contains(
            "On each node that lacks the plug-in (Cassandra 4.1 and 5.0):", "endpoint_snitch: ");
    assertThat(home.resolve("plugin/trimtab-cassandra-plugin.jar")).isNotEmptyFile();
  }

  @Test
  void withoutANodeThatCanHaveItNothingIsWritten() throws EngineException {
    ring.node("4.0.11").without();
    ring.node("5.0.9").silent(DOWN);

    assertThat(install()).isEqualTo(1);

    assertThat(lines().subList(1, 4))
        .containsExactly(
            "n1:9042 not loaded it runs Cassandra 4.0.11, the plug-in is for 4.1 and 5.0",
            "n2:9042 unknown " + DOWN,
            "there is no node to load the plug-in on; see the column problem");
    assertThat(home).isEmptyDirectory();
  }
}
