package io.trimtab.controller.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.Rings;
import io.trimtab.controller.choice.ResourcesTest;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.engineapi.NodeId;
import io.trimtab.models.usage.LearnedNodes;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.ReadPoint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What usage of a ring's nodes is predicted from. */
class RingUsageTest {
  private static final NodeId FIRST = new NodeId("n0:9042");

  /** What a node of the model uses without any requests. */
  private static final double BUILT_IDLE = 0.3;

  /** Three nodes at one half. */
  private static Observation.Usable ring(Rates asked) {
    return Rings.seen(Optional.empty(), asked, 0.5, 0.5, 0.5);
  }

  private static Observation.Usable reads() {
    return ring(new Rates(500, 0, 0, 0));
  }

  /** Of reads only. */
  private static UsageModel built(String version) {
    return new UsageModel(
        UsageModel.SCHEMA,
        "cassandra",
        new TreeMap<>(Map.of("engineVersion", version)),
        BUILT_IDLE,
        List.of(new ReadPoint(1, 0.8, 1_000, List.of()), new ReadPoint(0.5, 0.8, 200, List.of())),
        List.of(),
        null,
        null);
  }

  private static Observation.Usable with(Observation.Usable seen, UsageModel model) {
    return seen.with(List.of(), model);
  }

  private static Optional<LearnedNodes> learned() {
    return Optional.of(LearnedNodes.alike(ResourcesTest.learned()));
  }

  private static RingUsage usage(Observation.Usable seen) {
    return RingUsage.of(seen, seen.snapshot().liveNodes());
  }

  @Test
  void aBuiltModelTellsWhatANodeUsesForBeingAwake() {
    RingUsage usage = usage(with(reads(), built("5.0.9")));

    assertThat(usage.origin()).isEqualTo(Origin.BUILT);
    assertThat(usage.text()).isEmpty();
    assertThat(usage.at(FIRST, 1)).isCloseTo(0.5, within(1e-9));
    assertThat(usage.at(FIRST, 2)).isCloseTo(BUILT_IDLE + 2 * (0.5 - BUILT_IDLE), within(1e-9));
    assertThat(usage(reads()).at(FIRST, 2)).as("without any").isCloseTo(1, within(1e-9));
  }

  @Test
  void aModelOfTheseNodesComesBeforeWhatWasLearnedAndOneOfOthersAfterIt() {
    Observation.Usable known = reads().with(learned());
    RingUsage own = usage(with(known, built("5.0.9")));
    RingUsage others = usage(with(known, built("4.1.0")));

    assertThat(own.origin()).isEqualTo(Origin.BUILT);
    assertThat(own.at(FIRST, 0)).isCloseTo(BUILT_IDLE, within(1e-9));
    assertThat(others.origin()).isEqualTo(Origin.LEARNED);
    assertThat(others.at(FIRST, 0)).isCloseTo(ResourcesTest.IDLE, within(0.03));
    assertThat(others.text()).isEmpty();
  }

  @Test
  void aModelOfOtherNodesIsUsedWhereThereIsNothingElse() {
    RingUsage usage = usage(with(reads(), built("4.1.0")));

    assertThat(usage.origin()).isEqualTo(Origin.BUILT);
    assertThat(usage.text())
        .startsWith("; warning: the built model is of nodes with engine version 4.1.0; n0:9042 has")
        .endsWith("build it anew on such a node: trimtab model build");
  }

  /** By what was learned, or by shares. */
  @Test
  void aModelThatHasNotSeenSuchRequestsIsNotUsed() {
    Observation.Usable seen = with(ring(new Rates(500, 0, 0, 50)), built("5.0.9"));
    RingUsage usage = usage(seen);

    assertThat(usage.origin()).isEqualTo(Origin.REQUESTS);
    assertThat(usage.at(FIRST, 2)).isCloseTo(1, within(1e-9));
    assertThat(usage.text())
        .isEqualTo("; by shares alone, as the model has no updates; build it with them");
  }
}
