package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.tenants.TableChange;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlternativesTextTest {
  /** A compaction moves nothing. */
  @Test
  void whatMovesAndWhatIsRewrittenAreToldApart() {
    Alternative move =
        new Alternative(
            "move", 0.91, 0.6, 0, 3, 2, 0, 3L << 30, 0, 48, 60, 600, List.of(), "chosen");
    Alternative rewrite =
        new Alternative(
            "compact", 0.91, 0.7, 0, 3, 0, 0, 0, 2L << 30, 24, 120, 90, List.of(), "refused: no");

    List<String> lines = AlternativesText.table(List.of(move, rewrite)).lines().toList();

    assertThat(lines.get(0))
        .matches(
            "alternative +most used +then +nodes +moves +splits +moved +rewritten +takes, min"
                + " +price, min +saves, min *");
    assertThat(lines.get(1))
        .matches("move +0\\.91 +0\\.60 +3 +2 +0 +3\\.00 GiB +0 B +0\\.8 +1\\.0 +10\\.0 +chosen");
    assertThat(lines.get(2))
        .matches(
            "compact +0\\.91 +0\\.70 +3 +0 +0 +0 B +2\\.00 GiB +0\\.4 +2\\.0 +1\\.5 +refused: no");
  }

  /** What is lost is told beside what is gained, relative to what is served now. */
  @Test
  void whichTablesGainAndLoseIsTold() {
    List<TableChange> changes =
        List.of(
            new TableChange("a", 1, 0.85),
            new TableChange("b", 0.8, 0.92),
            new TableChange("c", 0.5, 0.9),
            new TableChange("d", 0.5, 0.6),
            new TableChange("e", 0.9, 0.99));
    Alternative some =
        new Alternative("move", 1, 1, 1, 3, 2, 0, 0, 0, 45, 60, 600, changes, "chosen");

    assertThat(AlternativesText.table(List.of(some)))
        .endsWith("chosen (gain c +80 %, d +20 %, b +15 % and 1 more; loses a -15 %)");
  }
}
