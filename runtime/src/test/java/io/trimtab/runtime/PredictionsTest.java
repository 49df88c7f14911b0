package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.observe.LoadRecord;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.formats.JsonMappers;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.ports.StateDir;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Predictions are compared with what came of them, and a model that errs is not acted on. */
class PredictionsTest extends LoopFixture {
  private void note(double... predictions) {
    Instant then = FakeEngine.NOW.minusSeconds(86_400);
    try (Journal journal = new Journal(LoopFixture.olderVersions())) {
      for (int i = 0; i < predictions.length; i++) {
        String plan = "usage-" + i;
        journal.append(
            new Entry.Predicted(then, plan, "", List.of("move", "add-node"), predictions[i]));
        if (i < predictions.length - 1) {
          journal.append(new Entry.Measured(then, plan, 0.5));
        }
      }
    }
  }

  @Test
  void whatCameOfAPredictionIsNotedAtTheNextGoodLook() throws Exception {
    note(0.6);
    heard.endAfterHolds = 3;

    loop().run(true, 2, false);

    PredictionLedger.PredictionResult line = PredictionLedger.of(journal()).get(0);
    double most =
        engine.snapshot().nodes().stream().mapToDouble(n -> n.usage().server()).max().orElse(0);
    assertThat(line.measured()).isCloseTo(most, within(0.01));
    assertThat(line.error()).isCloseTo(0.6 - most, within(0.01));
  }

  @Test
  void aModelThatHasBeenWrongIsNotActedOn() throws Exception {
    note(0.9, 0.1, 0.8, 0.5);
    heard.endAfterHolds = 2;

    loop().run(true, 1, false);

    assertThat(engine.verbs).isEmpty();
    assertThat(heard.held)
        .first()
        .asString()
        .startsWith("ledger: the model's last predictions were 0.")
        .endsWith("[usage.errorMax]");
  }

  @Test
  void theLedgerTellsTheErrorOfEachKindOfAction() {
    note(0.6, 0.4, 0.5);
    List<PredictionLedger.PredictionResult> lines = PredictionLedger.of(journal());
    assertThat(lines).hasSize(3);
    assertThat(lines.get(2).known()).isFalse();
    assertThat(PredictionLedger.byKind(lines)).containsOnlyKeys("add-node", "move");
    assertThat(PredictionLedger.byKind(lines).get("move")).isCloseTo(0.1, within(1e-9));
    // Two are too few to judge a model by.
    assertThat(PredictionLedger.recentError(lines, "")).isEmpty();
  }

  private ControlLoop autopilot(int holds) {
    return loop(holds, SETTINGS.with(Policies.AUTOPILOT));
  }

  private ControlLoop loop(int holds, Settings settings) {
    heard.endAfterHolds = heard.held.size() + holds;
    heard.loop =
        new ControlLoop(engine, Optional.empty(), settings, heard, ports, FaultPoints.NONE);
    return heard.loop;
  }

  /** The engine's version is 1. */
  @Test
  void aModelOfOtherNodesIsToldOnce() throws Exception {
    Path model = home.resolve("model.json");
    Files.writeString(
        model,
        """
        {"schema": 1, "engine": "fake", "fingerprint": {"engineVersion": "2"}, "idle": 0.02,
         "reads": [{"hitRatio": 1.0, "level": 0.5, "opsPerSecond": 900, "runs": []}]}
        """);
    Settings settings =
        SETTINGS
            .with(UsageSettings.builder().model(model.toString()).build())
            .with(Policies.AUTOPILOT);

    loop(5, settings).run(false, 0, false);

    assertThat(heard.otherModels)
        .containsExactly(model + " is of nodes with engine version 2; n0:1 has 1");
  }

  @Test
  void whatTablesWereAskedForIsKnownToTheNextController() throws Exception {
    autopilot(400).run(false, 0, false);
    Path file = StateDir.of("fake").folder().resolve("load.json");
    assertThat(file).exists();
    int before = StateDir.of("fake").loadRecord().outlooks(Duration.ofHours(1)).size();

    // Beyond the five minutes after which it is kept again.
    autopilot(700).run(false, 0, false);

    assertThat(before).isEqualTo(1);
    String text = Files.readString(file);
    LoadRecord.Kept last = JsonMappers.MAPPER.readValue(text, LoadRecord.Kept.class);
    assertThat(last.tables().get("t").rates()).hasSizeGreaterThan(2);
  }

  @Test
  void aRecordThatCannotBeReadIsBegunAnew() throws Exception {
    Path file = StateDir.of("fake").folder().resolve("load.json");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "{");

    autopilot(400).run(false, 0, false);

    assertThat(StateDir.of("fake").loadRecord().outlooks(Duration.ofHours(1)))
        .containsOnlyKeys("t");
  }
}
