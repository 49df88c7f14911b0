package io.trimtab.cli.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.cli.plugin.FakeRing.FakeNode;
import io.trimtab.clikit.CommandFactory;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What an operator reads of nodes that can't be set, and what the others do. */
class PluginSetTest {
  private static final String DOWN = "JMX at n2:7199 does not answer: Connection refused";

  private final FakeRing ring = new FakeRing();
  private final StringWriter out = new StringWriter();
  private final Terminal terminal = new Terminal(out, out, false, false, false);

  private int set(boolean act, Map<String, Object> values) throws EngineException {
    return PluginSet.set(terminal, new RankingPlugin(ring), values, "--some", act);
  }

  private int off(boolean act) throws EngineException {
    return set(act, Map.of("Ranking", "off"));
  }

  @Test
  void everyNodeIsSet() throws EngineException {
    FakeNode one = ring.node("5.0.9");
    FakeNode other = ring.node("");

    assertThat(set(true, Map.of("Ranking", "off", "HedgeShare", 0.1))).isZero();

    assertThat(out.toString().lines())
        .containsExactly(
            "set on 2 of 2 nodes: --some",
            "at a node's next start the values of its JVM options hold again");
    assertThat(one.values).containsEntry("Ranking", "off").containsEntry("HedgeShare", 0.1);
    assertThat(other.values).isEqualTo(one.values);
  }

  @Test
  void nodesThatCanNotBeSetAreNamedAndTheOthersAreSet() throws EngineException {
    FakeNode one = ring.node("5.0.9");
    ring.node("5.0.9").silent(DOWN);
    FakeNode bare = ring.node("5.0.9").without();
    ring.node("4.0.11").without();
    FakeNode last = ring.node("5.0.9");

    assertThat(off(true)).isEqualTo(1);

    assertThat(out.toString().lines())
        .containsExactly(
            "set on 2 of 5 nodes: --some",
            "skipped n2:9042: " + DOWN,
            "skipped n3:9042: it has no plug-in: trimtab plugin install cassandra",
            "skipped n4:9042: it has no plug-in: it runs Cassandra 4.0.11, the plug-in is for 4.1"
                + " and 5.0",
            "at a node's next start the values of its JVM options hold again",
            "so they do on nodes that were down: run this command again when those are up");
    assertThat(one.values).containsEntry("Ranking", "off");
    assertThat(last.values).containsEntry("Ranking", "off");
    assertThat(bare.values).containsEntry("Ranking", "trimtab");
  }

  @Test
  void withoutActNothingIsSet() throws EngineException {
    FakeNode one = ring.node("5.0.9");
    assertThat(off(false)).isZero();
    ring.node("5.0.9").silent(DOWN);

    assertThat(off(false)).isEqualTo(1);

    assertThat(out.toString().lines())
        .containsExactly(
            "would set on 1 of 1 nodes: --some; --act does it",
            "would set on 1 of 2 nodes: --some; --act does it",
            "would skip n2:9042: " + DOWN);
    assertThat(one.values).containsEntry("Ranking", "trimtab");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whereNoNodeCanBeSetThatIsAnErrorWithALineForEach(boolean act) {
    ring.node("5.0.9").silent("JMX at n1:7199 refuses the user: wrong password; see --jmx-user");
    ring.node("5.0.9").silent(DOWN);

    assertThatThrownBy(() -> off(act))
        .hasMessage("none of 2 nodes can be set; nothing was changed")
        .asInstanceOf(type(UserError.class))
        .extracting(UserError::details)
        .isEqualTo(
            List.of(
                "n1:9042: JMX at n1:7199 refuses the user: wrong password; see --jmx-user",
                "n2:9042: " + DOWN));
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anUnknownRankingIsOneLineHoweverManyNodesThereAre(boolean act) {
    FakeNode one = ring.node("5.0.9");
    ring.node("5.0.9");
    ring.node("5.0.9").silent(DOWN);

    assertThatThrownBy(() -> set(act, Map.of("LocalFirst", true, "Ranking", "nearest")))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "no node that answers knows a ranking nearest; there are random, c3, trimtab, off;"
                + " nothing was changed");
    assertThat(one.values).containsEntry("LocalFirst", false);
    assertThat(out.toString()).isEmpty();
  }

  /**
   * A node that is frozen answers nothing until its time limit; many must not take many of them.
   */
  @Test
  void nodesAreAskedSideBySide() throws EngineException {
    CountDownLatch asked = new CountDownLatch(4);
    for (int i = 0; i < 4; i++) {
      ring.node("5.0.9").together(asked);
    }

    assertThat(off(true)).isZero();
  }

  /** While the plug-in is renewed, one node after another. */
  @Test
  void anOlderPlugInIsSkippedBeforeItHasHalfOfTheValues() throws EngineException {
    FakeNode older = ring.node("5.0.9");
    older.values.remove("HedgeShare");
    FakeNode small = ring.node("5.0.9").with("Rankings", new String[] {"off"});
    FakeNode fresh = ring.node("5.0.9");

    assertThat(set(true, Map.of("HedgeShare", 0.5, "Ranking", "c3"))).isEqualTo(1);

    assertThat(out.toString())
        .contains(
            "set on 1 of 3 nodes",
            "skipped n1:9042: No such attribute: HedgeShare",
            "skipped n2:9042: its plug-in knows no ranking c3, but off\n");
    assertThat(older.values).containsEntry("Ranking", "trimtab");
    assertThat(small.values).containsEntry("HedgeShare", 1.0);
    assertThat(fresh.values).containsEntry("HedgeShare", 0.5);
  }

  @Test
  void aNodeThatDiesMeanwhileMayHaveSomeOfTheValues() throws EngineException {
    ring.node("5.0.9").fragile("LocalFirst");

    assertThat(set(true, Map.of("LocalFirst", true))).isEqualTo(1);

    assertThat(out.toString())
        .contains(
            "set on 0 of 1 nodes",
            "failed on n1:9042: it may have some of the values: Connection reset\n");
  }

  private void parse(String... arguments) {
    new CommandLine(new PluginSet(terminal), new CommandFactory(terminal)).parseArgs(arguments);
  }

  @Test
  void whetherSomethingIsOnIsAWordOfItsOwn() {
    parse("--local-first", "false", "--inline-reads", "true", "--act");
    parse("--local-first=false");
    assertThatThrownBy(() -> parse("--local-first", "perhaps"))
        .hasMessageContaining("--local-first")
        .hasMessageContaining("perhaps");
    assertThatThrownBy(() -> parse("--local-first")).hasMessageContaining("--local-first");
  }
}
