package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.ReadCluster;
import io.trimtab.controller.place.UsagePackingTest;
import io.trimtab.controller.place.WhatIf;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class UsagePolicyTest {
  private static Settings settings(int maxNodes) {
    return Settings.defaults()
        .with(UsageSettings.builder().model("model.json").build())
        .with(GuardSettings.builder().maxNodes(maxNodes).build())
        .with(Policies.USAGE);
  }

  private static Decision decide(ReadCluster world, int maxNodes) {
    return Policies.USAGE.decide(world.seen(), PolicyState.INITIAL, settings(maxNodes));
  }

  private static <A extends Action> List<A> actions(Decision decision, Class<A> kind) {
    assertThat(decision).isInstanceOf(Decision.Act.class);
    return ((Decision.Act) decision).plan().actions(kind);
  }

  @Test
  void twoThatSpoilEachOthersCacheArePutApart() {
    // As many requests on each node; on the first, twice what the cache holds.
    ReadCluster world =
        new ReadCluster(2).with(0, 2_200, 55).with(0, 2_200, 55).with(1, 20, 55).with(1, 20, 55);

    Decision decision = decide(world, 2);

    assertThat(actions(decision, Action.Move.class)).hasSize(2);
    assertThat(actions(decision, Action.RemoveNode.class)).isEmpty();
    assertThat(((Decision.Act) decision).plan().summary())
        .startsWith("highest predicted usage of 2 nodes: 0.");
    assertThat(((Decision.Act) decision).plan().gain()).isBetween(0.2, 1.0);
  }

  @Test
  void nodesThatAreNotNeededLeave() {
    ReadCluster world = new ReadCluster(4);
    for (int i = 0; i < 4; i++) {
      world.with(i, 200, 100);
    }

    Decision decision = decide(world, 4);

    // Together they fit one cache, and cost a tenth of one node.
    assertThat(actions(decision, Action.RemoveNode.class)).hasSize(3);
    assertThat(actions(decision, Action.AddNode.class)).isEmpty();
  }

  @Test
  void ofThemThoseLeaveThatCanBeGivenBack() {
    ReadCluster world = new ReadCluster(4);
    for (int i = 0; i < 4; i++) {
      world.with(i, 200 + i, 100);
    }
    List<NodeId> row = List.of(new NodeId("node3:1"), new NodeId("node2:1"));
    NodeCapacity offer =
        NodeCapacity.of(9).with(Removable.inTurn(List.of(row), "only the last pod goes"));
    Decision decision =
        Policies.USAGE.decide(
            world.seen().withOffer(Optional.of(offer)), PolicyState.INITIAL, settings(4));

    assertThat(actions(decision, Action.RemoveNode.class))
        .extracting(Action.RemoveNode::node)
        .containsExactlyElementsOf(row);
    assertThat(((Decision.Act) decision).plan().summary())
        .endsWith("; node0:1 would go first, but only the last pod goes");
  }

  @Test
  void asManyLeaveAtOnceAsSomeCopyOfEverythingStays() {
    ReadCluster world = new ReadCluster(6);
    for (int i = 0; i < 6; i++) {
      world.with(i, 200, 100);
    }
    Observation.Usable seen = world.seen();
    ClusterSnapshot threeCopies = seen.snapshot().with(Copies.alike(3));
    Observation.Usable usable =
        new Observation.Usable(threeCopies, seen.rates(), seen.usage(), seen.usage(), List.of())
            .with(seen.blocks(), UsagePackingTest.model());

    Decision decision = Policies.USAGE.decide(usable, PolicyState.INITIAL, settings(6));

    assertThat(actions(decision, Action.RemoveNode.class)).hasSize(2);
  }

  @Test
  void aNodeIsAddedWhereNoPlacementStaysBelowTheTarget() {
    ReadCluster world = new ReadCluster(2);
    for (int i = 0; i < 4; i++) {
      world.with(i % 2, 900, 120);
    }

    assertThat(actions(decide(world, 8), Action.AddNode.class)).hasSize(2);
    // Not allowed: nothing better is known than what is.
    assertThat(decide(world, 2)).isInstanceOf(Decision.Hold.class);
  }

  @Test
  void noNodeIsAddedForAPartitionThatIsTooMuchForAny() {
    ReadCluster world = new ReadCluster(2).with(0, 3_000, 200).with(1, 20, 10);
    Decision decision = decide(world, 8);
    assertThat(decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason()).startsWith("no better placement found: ");
  }

  @Test
  void whereAllIsWellNothingIsDone() {
    ReadCluster world = new ReadCluster(2).with(0, 900, 120).with(1, 900, 120);
    Decision decision = decide(world, 2);
    assertThat(decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .startsWith("no need to act: highest predicted usage");
  }

  @Test
  void whatIsMeasuredOtherwiseIsSaid() {
    Observation.Usable seen = new ReadCluster(2).with(0, 900, 120).with(1, 900, 120).seen();
    NodeId full = seen.snapshot().nodes().get(1).id();
    Map<NodeId, Double> usage = new HashMap<>(seen.usage());
    usage.put(full, 0.99);
    Observation.Usable measured =
        new Observation.Usable(seen.snapshot(), seen.rates(), usage, usage, List.of())
            .with(seen.blocks(), UsagePackingTest.model());

    Decision decision = Policies.USAGE.decide(measured, PolicyState.INITIAL, settings(2));

    assertThat(((Decision.Hold) decision).reason())
        .startsWith("node " + full + " is measured at 0.99, and this policy goes by predictions");
  }

  @Test
  void whatIsNotKnownIsSaidAndNothingDone() {
    ReadCluster world = new ReadCluster(2).with(0, 900, 55);
    world.blocks.clear();
    assertThat(((Decision.Hold) decide(world, 2)).reason())
        .isEqualTo("the block accesses of t/p0 are unknown");

    ReadCluster inMemory = new ReadCluster(2).with(0, 900, 55).with(1, 900, 55);
    inMemory.blocks.replaceAll(b -> BlockHistogram.ofReads(b.partition(), List.of(), 0));
    // Without a miss both are no more than one node can do.
    assertThat(actions(decide(inMemory, 2), Action.RemoveNode.class)).hasSize(1);
    assertThat(ask(inMemory, nothing())).allMatch(line -> line.hitsBefore() == 1);

    ReadCluster plain = new ReadCluster(1).with(0, 10, 1);
    Observation.Usable without =
        new Observation.Usable(
            plain.seen().snapshot(), plain.rates, plain.usage, plain.usage, List.of());
    Decision decision = Policies.USAGE.decide(without, PolicyState.INITIAL, settings(2));
    assertThat(((Decision.Hold) decision).setting()).isEqualTo("usage.model");
    ReadCluster scans = new ReadCluster(1).with(0, 10, 1);
    scans.rates.replaceAll((id, r) -> new Rates(1, 1, 10, 0));
    assertThat(((Decision.Hold) decide(scans, 2)).reason())
        .isEqualTo("the model can't predict this: the model has no scans; build it with them");
  }

  private static List<WhatIf.NodeForecast> ask(ReadCluster world, WhatIf.Change change) {
    return WhatIf.of(
        world.seen(), UsagePackingTest.model(), UsageSettings.builder().build(), change);
  }

  private static WhatIf.Change nothing() {
    return new WhatIf.Change(Optional.empty(), 0, Map.of(), OptionalDouble.empty(), Map.of());
  }

  @Test
  void whatIfTellsEachNodesUsageBeforeAndAfter() {
    ReadCluster world = new ReadCluster(2).with(0, 900, 55).with(0, 900, 55).with(1, 20, 55);
    NodeId first = new NodeId("node0:1");
    NodeId second = new NodeId("node1:1");

    List<WhatIf.NodeForecast> same = ask(world, nothing());
    assertThat(same).extracting(WhatIf.NodeForecast::node).containsExactly(first, second);
    assertThat(same).allMatch(l -> l.before() == l.after() && l.hitsBefore() == l.hitsAfter());
    assertThat(same.get(0).before()).isGreaterThan(0.3);
    assertThat(same.get(1).hitsBefore()).isEqualTo(1);

    var moved =
        ask(
            world,
            new WhatIf.Change(
                Optional.empty(),
                0,
                Map.of(),
                OptionalDouble.empty(),
                Map.of(new PartitionId("t", "p0"), second)));
    assertThat(moved.get(0).after()).isLessThan(0.1);
    assertThat(moved.get(1).after()).isLessThan(0.1);

    var twice =
        ask(
            world,
            new WhatIf.Change(
                Optional.empty(), 0, Map.of("t", 2.0), OptionalDouble.empty(), Map.of()));
    assertThat(twice.get(0).after() - 0.02)
        .isCloseTo(2 * (twice.get(0).before() - 0.02), within(0.02));

    var left =
        ask(
            world,
            new WhatIf.Change(Optional.of(first), 0, Map.of(), OptionalDouble.empty(), Map.of()));
    assertThat(left.get(0).after()).isNaN();
    assertThat(left.get(1).after()).isGreaterThan(same.get(0).before());

    var more =
        ask(
            world,
            new WhatIf.Change(Optional.empty(), 1, Map.of(), OptionalDouble.empty(), Map.of()));
    assertThat(more).hasSize(3);
    assertThat(more.get(0).node()).isEqualTo(new NodeId("new-1"));
    assertThat(more.get(0).before()).isNaN();
    assertThat(more).allMatch(l -> l.after() < 0.1);
  }

  @Test
  void whatIfRefusesWhatThereIsNot() {
    ReadCluster world = new ReadCluster(1).with(0, 10, 1);
    assertThatThrownBy(
            () ->
                ask(
                    world,
                    new WhatIf.Change(
                        Optional.empty(), 0, Map.of("no", 2.0), OptionalDouble.empty(), Map.of())))
        .hasMessage("there is no table no");
    assertThatThrownBy(
            () ->
                ask(
                    world,
                    new WhatIf.Change(
                        Optional.of(new NodeId("x:1")),
                        0,
                        Map.of(),
                        OptionalDouble.empty(),
                        Map.of())))
        .hasMessage("there is no node x:1");
    assertThatThrownBy(
            () ->
                ask(
                    world,
                    new WhatIf.Change(
                        Optional.of(new NodeId("node0:1")),
                        0,
                        Map.of(),
                        OptionalDouble.empty(),
                        Map.of())))
        .hasMessage("node0:1 is the only node");
  }

  @Test
  void thePolicyNeedsAModel() {
    assertThatThrownBy(() -> Settings.defaults().with(Policies.USAGE))
        .hasMessageStartingWith("usage.model is missing");
    assertThatThrownBy(() -> UsageSettings.builder().model("m").target(1.0).build())
        .hasMessageStartingWith("usage.target must be in (0, 1)");
  }
}
