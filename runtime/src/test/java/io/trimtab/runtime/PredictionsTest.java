package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.observe.ColdNodes;
import io.trimtab.controller.observe.LoadRecord;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.formats.JsonMappers;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.NodeUsages;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.ports.StateDir;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
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

  /** Takes the first partition to the last node, and predicts what nodes use then. */
  private record Predicting(UsagePrediction.Origin origin, Map<NodeId, Double> usage)
      implements Policy {
    @Override
    public String name() {
      return "predicting";
    }

    @Override
    public Set<Need> needs() {
      return Set.of();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      PartitionState first = seen.snapshot().partitions().get(0);
      NodeId from = first.node().orElseThrow();
      NodeId to = new NodeId("n2:1");
      if (from.equals(to)) {
        return new Decision.Hold("it is there", "", state);
      }
      Action move = new Action.Move(first.id(), from, to);
      Plan plan =
          new Plan(
              "predicting-1",
              seen.snapshot().clusterId(),
              seen.snapshot().takenAt(),
              name(),
              "it belongs there",
              1,
              List.of(new PlannedAction(1, move, "", "", "", "")));
      return new Decision.Act(plan, state)
          .predicting(new UsagePrediction(origin, new TreeMap<>(usage)));
    }
  }

  @Test
  void everyNodeIsPredictedWithThePlanAndMeasuredAfterIt() throws Exception {
    Policy policy =
        new Predicting(
            UsagePrediction.Origin.LEARNED,
            Map.of(new NodeId("n0:1"), 0.7, new NodeId("n1:1"), 0.95, new NodeId("n9:1"), 0.5));
    // These nodes tell nothing of their caches.
    loop((int) ColdNodes.LONGEST.toSeconds() + 5, SETTINGS.with(policy)).run(true, 2, false);

    PredictionLedger.PredictionResult line = PredictionLedger.of(journal()).get(0);
    assertThat(line.from()).isEqualTo(UsagePrediction.Origin.LEARNED);
    assertThat(line.model()).isEmpty();
    assertThat(line.predicted()).isEqualTo(0.95);
    assertThat(line.nodes().lines())
        .containsExactly(
            new NodeUsages.Line("n0:1", 0.7, 0.9),
            new NodeUsages.Line("n1:1", 0.95, 0.9),
            new NodeUsages.Line("n2:1", Double.NaN, 0.9),
            new NodeUsages.Line("n9:1", 0.5, Double.NaN));
    assertThat(line.nodes().errors().worstNode()).isEqualTo("n0:1");
  }

  /** The policy predicts nothing. All nodes together are asked for as much before and after. */
  @Test
  void aPlanOfMet1IsPredictedByNodeAndMeasuredAfterIt() throws Exception {
    loop((int) ColdNodes.LONGEST.toSeconds() + 5, SETTINGS).run(true, 2, false);

    assertThat(heard.plans).hasSize(1);
    List<PredictionLedger.PredictionResult> lines = PredictionLedger.of(journal());
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).planId()).isEqualTo(heard.plans.get(0).id());
    assertThat(lines.get(0).from()).isEqualTo(UsagePrediction.Origin.REQUESTS);
    assertThat(lines.get(0).kinds()).contains("reconfigure");
    List<NodeUsages.Line> nodes = lines.get(0).nodes().lines();
    assertThat(nodes).extracting(NodeUsages.Line::node).containsExactly("n0:1", "n1:1", "n2:1");
    assertThat(nodes).allMatch(node -> node.measured() == 0.9);
    assertThat(nodes.stream().mapToDouble(NodeUsages.Line::predicted).sum())
        .isCloseTo(2.7, within(1e-3));
    // It was not decided by that, and is no guess.
    assertThat(journal())
        .filteredOn(Entry.PlanStarted.class::isInstance)
        .allMatch(entry -> ((Entry.PlanStarted) entry).from() == null);
  }

  /** As its use was not predicted. */
  @Test
  void aNodeThatDrainsIsNotTheMostUsed() throws Exception {
    note(0.9);
    engine.draining.add(new NodeId("n2:1"));
    engine.used.put(new NodeId("n2:1"), 1.0);
    heard.endAfterHolds = 3;

    loop().run(true, 2, false);

    assertThat(PredictionLedger.of(journal()).get(0).measured()).isCloseTo(0.9, within(0.01));
  }

  @Test
  void aModelThatHasBeenWrongIsNotActedOn() throws Exception {
    note(0.9, 0.1, 0.8, 0.5);
    Policy policy = new Predicting(UsagePrediction.Origin.BUILT, Map.of());

    loop(2, SETTINGS.with(policy)).run(true, 1, false);

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

  /** A model of nodes with this in their fingerprint, and an autopilot that has it. */
  private Path observedWith(String fingerprint) throws Exception {
    Path model = home.resolve("model.json");
    Files.writeString(
        model,
        """
        {"schema": 1, "engine": "fake", "fingerprint": {%s}, "idle": 0.02,
         "reads": [{"hitRatio": 1.0, "level": 0.5, "opsPerSecond": 900, "runs": []}]}
        """
            .formatted(fingerprint));
    Settings settings =
        SETTINGS
            .with(UsageSettings.builder().model(model.toString()).build())
            .with(Policies.AUTOPILOT);
    loop(5, settings).run(false, 0, false);
    return model;
  }

  /** The engine's version is 1. */
  @Test
  void aModelOfOtherNodesIsToldOnce() throws Exception {
    Path model = observedWith("\"engineVersion\": \"2\"");

    assertThat(heard.otherModels)
        .containsExactly(
            model
                + " is of nodes with engine version 2; n0:1 has 1"
                + "; build it anew on such a node: trimtab model build");
  }

  /** As where a node tells something in every other snapshot. */
  @Test
  void differencesThatComeByTurnsAreToldOnceEach() throws Exception {
    engine.gaugesAt =
        LongStream.range(1, 1_000)
            .boxed()
            .collect(Collectors.toMap(i -> i, i -> heap(i % 2 == 0 ? 1_200 : 800)));

    Path model = observedWith("\"heapBytes\": \"" + (400L << 20) + "\"");

    String anew = "; build it anew on such a node: trimtab model build";
    assertThat(heard.otherModels)
        .containsExactlyInAnyOrder(
            model + " is of nodes with 400 MiB of heap; n0:1 has 800 MiB" + anew,
            model + " is of nodes with 400 MiB of heap; n0:1 has 1,200 MiB" + anew);
  }

  private static NodeGauges heap(long mebibytes) {
    return new NodeGauges(-1, -1, mebibytes << 20, -1, -1, -1, -1, -1, -1, -1, -1, -1, Map.of());
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

  /** Within the five minutes after which it is kept for the first time. */
  @Test
  void whatWasSeenIsKeptWhenAControllerEnds() throws Exception {
    autopilot(20).run(false, 0, false);

    assertThat(StateDir.of("fake").loadRecord().outlooks(Duration.ofHours(1)))
        .containsOnlyKeys("t");
  }

  @Test
  void aRecordThatCannotBeReadIsBegunAnew() throws Exception {
    Path file = StateDir.of("fake").folder().resolve("load.json");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "{");

    autopilot(400).run(false, 0, false);

    assertThat(StateDir.of("fake").loadRecord().outlooks(Duration.ofHours(1)))
        .containsOnlyKeys("t");
    assertThat(heard.discarded)
        .as("days of load are lost")
        .singleElement()
        .asString()
        .startsWith("what was recorded of the cluster's load can't be read, so that costs and what")
        .endsWith("load.json.unreadable");
    autopilot(20).run(false, 0, false);
    assertThat(heard.discarded).as("once").hasSize(1);
  }
}
