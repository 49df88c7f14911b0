package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.controller.observe.ColdNodes;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.journal.PredictionLedger.PredictionResult;
import io.trimtab.runtime.ports.MemoryJournalStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Predicted against measured, for every node. */
class PredictionLedgerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Map<String, Double> PREDICTED = Map.of("a:1", 0.8, "b:1", 0.4, "c:1", 0.3);
  private static final Map<String, Double> MEASURED = Map.of("a:1", 0.5, "b:1", 0.42, "d:1", 0.2);

  private static Entry.Predicted predicted(String plan, Origin from, String model) {
    return new Entry.Predicted(NOW, plan, model, List.of("move"), 0.8, from, PREDICTED);
  }

  private static Entry.Measured measured(String plan) {
    return new Entry.Measured(NOW, plan, 0.5, MEASURED);
  }

  @Test
  void aPlanIsComparedNodeByNode() {
    PredictionResult plan =
        PredictionLedger.of(List.of(predicted("p", Origin.BUILT, "m"), measured("p"))).get(0);

    assertThat(plan.nodes().lines())
        .containsExactly(
            new NodeUsages.Line("a:1", 0.8, 0.5),
            new NodeUsages.Line("b:1", 0.4, 0.42),
            // It has left.
            new NodeUsages.Line("c:1", 0.3, Double.NaN),
            // It has come.
            new NodeUsages.Line("d:1", Double.NaN, 0.2));
    NodeUsages.Errors errors = plan.nodes().errors();
    assertThat(errors.nodes()).isEqualTo(2);
    assertThat(errors.mean()).isCloseTo(0.16, within(1e-9));
    assertThat(errors.worstNode()).isEqualTo("a:1");
    assertThat(errors.worst()).isCloseTo(0.3, within(1e-9));
    assertThat(plan.error()).isCloseTo(0.3, within(1e-9));
    assertThat(plan.meanError()).isCloseTo(0.16, within(1e-9));
  }

  @Test
  void whatIsNotMeasuredYetHasNoErrors() {
    PredictionResult plan = PredictionLedger.of(List.of(predicted("p", Origin.BUILT, "m"))).get(0);

    assertThat(plan.known()).isFalse();
    assertThat(plan.nodes().errors().known()).isFalse();
    assertThat(plan.nodes().lines()).hasSize(3).noneMatch(NodeUsages.Line::known);
    assertThat(PredictionLedger.byKind(List.of(plan))).isEmpty();
  }

  /** More than all of itself a node can't use, however much it is asked for. */
  @Test
  void aPredictionBeyondAFullNodeIsRightWhereTheNodeIsFull() {
    PredictionResult plan =
        PredictionLedger.of(
                List.of(
                    new Entry.Predicted(
                        NOW, "p", "m", List.of(), 1.6, Origin.BUILT, Map.of("a:1", 1.6, "b:1", 2.)),
                    new Entry.Measured(NOW, "p", 1, Map.of("a:1", 1.0, "b:1", 0.7))))
            .get(0);

    assertThat(plan.error()).isZero();
    assertThat(plan.nodes().errors().worst()).isCloseTo(0.3, within(1e-9));
    assertThat(plan.nodes().errors().mean()).isCloseTo(0.15, within(1e-9));
  }

  @Test
  void aModelIsJudgedByAllNodesOrTheMostUsedOneIfThatIsWorse() {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < PredictionLedger.LEAST; i++) {
      entries.add(predicted("p" + i, Origin.BUILT, "m"));
      entries.add(measured("p" + i));
      // They say nothing of the model, nor of one that has no file.
      entries.add(predicted("l" + i, Origin.LEARNED, ""));
      entries.add(measured("l" + i));
    }
    List<PredictionResult> plans = PredictionLedger.of(entries);

    assertThat(PredictionLedger.recentError(plans, "m").orElseThrow()).isCloseTo(0.3, within(1e-9));
    assertThat(PredictionLedger.recentError(plans, "")).isEmpty();
    try (Journal journal = new Journal(new MemoryJournalStore(), JournalState.of(entries))) {
      assertThat(journal.recentError("m").orElseThrow()).isCloseTo(0.3, within(1e-9));
    }
  }

  @Test
  void errorsAreSummedUpByKindOfActionAndByModel() {
    List<Entry> entries = new ArrayList<>();
    entries.add(predicted("p", Origin.BUILT, "m"));
    entries.add(measured("p"));
    entries.add(
        new Entry.Predicted(
            NOW, "q", "", List.of("move", "split"), 0.6, Origin.LEARNED, Map.of("a:1", 0.6)));
    entries.add(new Entry.Measured(NOW, "q", 0.5, Map.of("a:1", 0.5)));
    List<PredictionResult> plans = PredictionLedger.of(entries);

    assertThat(PredictionLedger.byKind(plans)).containsOnlyKeys("move", "split");
    assertThat(PredictionLedger.byKind(plans).get("move")).isCloseTo(0.13, within(1e-9));
    assertThat(PredictionLedger.byOrigin(plans)).containsOnlyKeys(Origin.BUILT, Origin.LEARNED);
    assertThat(PredictionLedger.byOrigin(plans).get(Origin.LEARNED)).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void journalsOfBeforeAreRead() {
    MemoryJournalStore store = new MemoryJournalStore();
    store.append(
        "{\"type\":\"predicted\",\"at\":\"2026-01-01T00:00:00Z\",\"planId\":\"p\","
            + "\"model\":\"m\",\"kinds\":[\"move\"],\"usage\":0.6}");
    store.append(
        "{\"type\":\"measured\",\"at\":\"2026-01-01T00:00:00Z\",\"planId\":\"p\",\"usage\":0.5}");
    List<Entry> entries = Journal.read(store);

    assertThat(entries)
        .containsExactly(
            new Entry.Predicted(NOW, "p", "m", List.of("move"), 0.6),
            new Entry.Measured(NOW, "p", 0.5));
    PredictionResult plan = PredictionLedger.of(entries).get(0);
    assertThat(plan.from()).isEqualTo(Origin.BUILT);
    assertThat(plan.nodes().lines()).isEmpty();
    assertThat(plan.meanError()).isCloseTo(0.1, within(1e-9));
    // A newer controller has measured what an older one predicted.
    assertThat(PredictionLedger.of(List.of(entries.get(0), measured("p"))).get(0).nodes().lines())
        .isEmpty();
  }

  @Test
  void nodesAreWrittenAndReadBack() {
    MemoryJournalStore store = new MemoryJournalStore();
    try (Journal journal = new Journal(store)) {
      journal.append(predicted("p", Origin.LEARNED, ""));
      journal.append(measured("p"));
    }

    assertThat(Journal.read(store))
        .containsExactly(predicted("p", Origin.LEARNED, ""), measured("p"));
  }

  /** What is kept with the cluster is read and written as a whole, and may not grow with it. */
  @Test
  void theNextControllerIsToldErrorsAndOnlyOfTheLastPlanNodes() throws Exception {
    Memory memory =
        JournalState.of(
                List.of(
                    predicted("p", Origin.BUILT, "m"),
                    measured("p"),
                    predicted("q", Origin.LEARNED, "")))
            .memory();

    PredictionResult known = memory.predictions().get(0);
    assertThat(known.nodes().lines()).isEmpty();
    assertThat(known.meanError()).isCloseTo(0.16, within(1e-9));
    assertThat(memory.predictions().get(1).nodes().lines()).hasSize(3);
    ObjectNode json = EntryJson.MAPPER.valueToTree(memory);
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class)).isEqualTo(memory);

    JournalState next = JournalState.of(Optional.of(memory), Optional.empty());
    assertThat(next.ledger().due(NOW, true)).contains("q");
    next.read(measured("q"));
    PredictionResult compared = next.ledger().lines().get(1);
    assertThat(compared.meanError()).isCloseTo(0.16, within(1e-9));
    assertThat(compared.nodes().lines()).isEmpty();
  }

  private static JournalState state(Entry... entries) {
    return JournalState.of(List.of(entries));
  }

  private static Entry started(String plan) {
    return new Entry.PlanStarted(
        NOW,
        new Plan(plan, "c", NOW, "autopilot", "", 1, List.of()),
        BalancerState.PAUSED,
        PolicyState.INITIAL);
  }

  /** Right after a plan caches are cold, which no model predicts. */
  @Test
  void aPredictionIsMeasuredWhenCachesHaveFilledOrShouldHave() {
    PredictionLedger ledger = state(predicted("p", Origin.LEARNED, "")).ledger();

    assertThat(ledger.due(NOW.plusSeconds(60), false)).isEmpty();
    assertThat(ledger.due(NOW.plusSeconds(60), true)).contains("p");
    assertThat(ledger.due(NOW.plus(ColdNodes.LONGEST), false)).contains("p");
    assertThat(state().ledger().due(NOW, true)).isEmpty();
  }

  @Test
  void aPredictionThatThePlanAfterItOvertakesIsNotMeasured() throws Exception {
    JournalState known = state(predicted("p", Origin.BUILT, "m"), started("q"));

    assertThat(known.ledger().due(NOW.plusSeconds(900), true)).isEmpty();
    PredictionResult plan = known.ledger().lines().get(0);
    assertThat(plan.overtaken()).isTrue();
    assertThat(plan.known()).isFalse();
    ObjectNode json = EntryJson.MAPPER.valueToTree(known.memory());
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class)).isEqualTo(known.memory());
    // One that was measured before is not changed.
    PredictionLedger measured =
        state(predicted("p", Origin.BUILT, "m"), measured("p"), started("q")).ledger();
    assertThat(measured.lines().get(0).overtaken()).isFalse();
    assertThat(measured.lines().get(0).known()).isTrue();
  }

  /** What it has of a plan that was begun it has not from the memory, which is older. */
  @Test
  void theNextControllerKnowsThatAPlanWasBegunSince() {
    Memory memory = state(predicted("p", Origin.BUILT, "m")).memory();
    Optional<Journal.Unfinished> begun = state(started("q")).unfinished();

    JournalState next = JournalState.of(Optional.of(memory), begun);

    assertThat(begun).isPresent();
    assertThat(next.ledger().lines().get(0).overtaken()).isTrue();
    assertThat(JournalState.of(Optional.of(memory), Optional.empty()).ledger().due(NOW, true))
        .contains("p");
  }

  @Test
  void whatAnOlderControllerHasLeftIsOfABuiltModel() throws Exception {
    Memory memory =
        JournalState.of(List.of(new Entry.Predicted(NOW, "p", "m", List.of("move"), 0.6))).memory();
    ObjectNode json = EntryJson.MAPPER.valueToTree(memory);
    ((ObjectNode) json.get("predictions").get(0)).remove(List.of("from", "nodes", "overtaken"));

    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class)).isEqualTo(memory);
    assertThat(memory.predictions().get(0).from()).isEqualTo(Origin.BUILT);
  }

  @Test
  void nodesAreNotedByTheirNamesAndInFourDigits() {
    Map<NodeId, Double> usage = Map.of(new NodeId("a:1"), 0.123456, new NodeId("new-1"), 0.5);

    assertThat(NodeUsages.noted(usage, Map.of(new NodeId("new-1"), new NodeId("n9:1"))))
        .containsExactly(Map.entry("a:1", 0.1235), Map.entry("n9:1", 0.5));
  }
}
