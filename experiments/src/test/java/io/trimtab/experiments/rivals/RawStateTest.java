package io.trimtab.experiments.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.ports.StateDir;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawStateTest {
  private static final String HOME = "trimtab.home";

  @TempDir private Path home;
  @TempDir private Path folder;
  private String before;

  @BeforeEach
  void useAHomeOfItsOwn() {
    before = System.getProperty(HOME);
    System.setProperty(HOME, home.toString());
  }

  @AfterEach
  void useTheOneOfBefore() {
    if (before == null) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, before);
    }
  }

  @Test
  void whatAControllerLeavesIsKeptInPlaceOfAnEarlierTrys() throws Exception {
    StateDir state = StateDir.of("c");
    Files.createDirectories(state.folder().resolve("controllers"));
    Files.writeString(state.folder().resolve("load.json"), "{}");
    Files.writeString(state.folder().resolve("controllers").resolve("1"), "pid");
    Path raw = folder.resolve("raw").resolve("autopilot-1");
    Files.createDirectories(raw);
    Files.writeString(raw.resolve("old.jsonl"), "");

    RawState.keep(raw, state, List.of("20 s: weighed", "21 s: plan of 2 actions"));

    assertThat(raw.resolve("load.json")).hasContent("{}");
    assertThat(raw.resolve("decisions.txt")).hasContent("20 s: weighed\n21 s: plan of 2 actions");
    assertThat(raw.resolve("ledger.csv")).hasContent("at,plan,from,node,predicted,measured");
    assertThat(raw.resolve("old.jsonl")).doesNotExist();
    assertThat(raw.resolve("controllers")).doesNotExist();
  }

  @Test
  void theLedgerHasALineForEachNode() {
    Instant at = Instant.parse("2026-11-26T12:00:00Z");
    List<Entry> entries =
        List.of(
            new Entry.Predicted(
                at, "p1", "m", List.of("move"), 0.7, null, Map.of("n1:1", 0.7, "n2:1", 0.5)),
            new Entry.Measured(at.plusSeconds(60), "p1", 0.8, Map.of("n1:1", 0.8)));

    List<String> lines = RawState.ledger(PredictionLedger.of(entries));

    assertThat(lines).hasSize(3);
    assertThat(lines.get(1)).startsWith("2026-11-26T12:00:00Z,p1,").endsWith(",n1:1,0.7,0.8");
    assertThat(lines.get(2)).endsWith(",n2:1,0.5,");
  }
}
