package io.trimtab.controller.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.Rings;
import io.trimtab.controller.ahead.Ahead;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.PlaceSettings.Tokens;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.usage.UsageModel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** When nodes join a ring and leave it. */
class RingNodesTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(GuardSettings.builder().minNodes(3).maxNodes(9).build());

  private static NodeId id(int node) {
    return new NodeId("n" + node + ":9042");
  }

  /** Nodes with one table, of which each is asked for so many reads a second. */
  private static Observation.Usable ring(double reads, double... usage) {
    List<NodeState> nodes = new ArrayList<>();
    List<PartitionState> partitions = new ArrayList<>();
    Map<NodeId, Double> used = new HashMap<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int i = 0; i < usage.length; i++) {
      nodes.add(
          new NodeState(
              id(i),
              1,
              true,
              false,
              Optional.empty(),
              false,
              new NodeUsage(usage[i], 0, 0, 0),
              NodeGauges.UNKNOWN));
      used.put(id(i), usage[i]);
      PartitionId part = new PartitionId("t", "p" + i);
      partitions.add(
          new PartitionState(
              part, Optional.of(id(i)), PartitionCounters.ZERO, 1 << 20, 1, 65_536, KeyRange.ALL));
      rates.put(part, new Rates(reads, 0, 0, 0));
    }
    return new Observation.Usable(
        Rings.snapshot(Instant.EPOCH, nodes, partitions), rates, used, used, List.of());
  }

  private static Decision decide(Observation.Usable seen) {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, SETTINGS);
  }

  private static boolean has(Decision decision, Class<? extends Action> kind) {
    return decision instanceof Decision.Act act && !act.plan().actions(kind).isEmpty();
  }

  /** Its compiler works, and its caches are empty. */
  @Test
  void aNodeThatHasJustStartedIsNoReasonForAnotherOne() {
    Observation.Usable seen = ring(1_000, 0.5, 0.5, 0.5, 0.95);

    assertThat(has(decide(seen), Action.AddNode.class)).isTrue();
    assertThat(has(decide(seen.withCold(Set.of(id(3)))), Action.AddNode.class)).isFalse();
    // Where all have started nothing else is known.
    Set<NodeId> all = Set.of(id(0), id(1), id(2), id(3));
    assertThat(has(decide(seen.withCold(all)), Action.AddNode.class)).isTrue();
  }

  private static Ahead foreseen(double factor) {
    Outlook peak = new Outlook(0.9, factor, factor, "yesterday", Optional.empty());
    return new Ahead(within -> Map.of("t", peak), Optional.empty(), Optional.empty());
  }

  @Test
  void forATableThatHardlyIsAskedForNowNodesAreKept() {
    Observation.Usable night = ring(0.01, 0.02, 0.02, 0.02, 0.02, 0.02);

    assertThat(has(decide(night), Action.RemoveNode.class)).isTrue();
    Decision kept = decide(night.with(foreseen(20_000)));
    assertThat(kept).as("%s", kept).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) kept).reason())
        .startsWith("a node could be given back, but table t, with next to no requests now, is")
        .contains("expected to have 20999 more a second within 60 min");
    // Next to nothing, by what reads usually cost.
    assertThat(has(decide(night.with(foreseen(20))), Action.RemoveNode.class)).isTrue();
  }

  private static List<NodeId> leave(Decision decision) {
    return decision instanceof Decision.Act act
        ? act.plan().actions(Action.RemoveNode.class).stream().map(Action.RemoveNode::node).toList()
        : List.of();
  }

  /** By even shares the others would be at 0.81. */
  @Test
  void aNodeThatNobodyAsksLeavesHoweverMuchTheOthersAreUsed() {
    assertThat(leave(decide(ring(1_000, 0.65, 0.65, 0.65, 0.65, 0.01)))).containsExactly(id(4));
    assertThat(leave(decide(ring(1_000, 0.65, 0.65, 0.65, 0.65, 0.1)))).isEmpty();
    assertThat(leave(decide(ring(1_000, 0.65, 0.75, 0.65, 0.65, 0.01)))).isEmpty();
  }

  /** It uses 0.37, of which 0.30 for being awake: 0.07 would come to nodes that are at 0.68. */
  @Test
  void aNodeThatIsAwakeForLessThanItsModelSaysIsNotTakenForLight() {
    UsageModel model =
        new UsageModel(
            UsageModel.SCHEMA,
            "cassandra",
            new TreeMap<>(),
            0.36,
            List.of(new UsageModel.ReadPoint(1, 0.86, 1_000, List.of())),
            List.of(),
            null,
            null);
    Observation.Usable seen = ring(100, 0.68, 0.68, 0.68, 0.37);

    assertThat(leave(decide(seen.with(List.of(), model)))).isEmpty();
    // There is room for it.
    Observation.Usable room = ring(100, 0.6, 0.6, 0.6, 0.37);
    assertThat(leave(decide(room.with(List.of(), model)))).containsExactly(id(3));
  }

  /** Of two light ones either has to take what is expected of the other. */
  @Test
  void whatIsExpectedCountsForANodeThatDoesLittleNow() {
    Observation.Usable seen = ring(1_000, 0.04, 0.04, 0.04, 0.04);
    Outlook peak = new Outlook(0.9, 1, 6, "a week ago", Optional.empty());
    Ahead rising = new Ahead(within -> Map.of("t", peak), Optional.empty(), Optional.empty());

    assertThat(leave(decide(seen))).hasSize(1);
    assertThat(leave(decide(seen.with(rising)))).isEmpty();
  }

  /** The most used one has just started, and its peers say little of it. */
  @Test
  void nothingIsGivenBackWhileANodeIsCold() {
    Observation.Usable seen = ring(1_000, 0.2, 0.2, 0.2, 0.2, 0.6);

    assertThat(leave(decide(seen.withCold(Set.of(id(4)))))).isEmpty();
  }

  @Test
  void noRoomIsMadeWhereItsProviderHasNone() {
    Observation.Usable skewed = ring(1_000, 0.99, 0.85, 0.4, 0.06, 0.05);

    Settings five = SETTINGS.with(GuardSettings.builder().minNodes(3).maxNodes(5).build());
    PolicyState none = PolicyState.INITIAL;

    assertThat(leave(decide(skewed.withOffer(Optional.of(NodeCapacity.of(0)))))).isEmpty();
    Observation.Usable used = skewed.withOffer(Optional.of(NodeCapacity.of(0)));
    assertThat(leave(Policies.AUTOPILOT.decide(used, none, five))).as("both").isEmpty();
    Observation.Usable one = skewed.withOffer(Optional.of(NodeCapacity.of(1)));
    assertThat(leave(Policies.AUTOPILOT.decide(one, none, five))).containsExactly(id(4));
    Observation.Usable cold = skewed.withCold(Set.of(id(2)));
    assertThat(leave(Policies.AUTOPILOT.decide(cold, none, five))).isEmpty();
    assertThat(leave(Policies.AUTOPILOT.decide(skewed, none, five))).hasSize(2);
  }

  @Test
  void whereNoMoreAreAllowedThoseThatDoLittleMakeRoom() {
    Settings five = SETTINGS.with(GuardSettings.builder().minNodes(3).maxNodes(5).build());
    Observation.Usable skewed = ring(1_000, 0.99, 0.85, 0.4, 0.06, 0.05);
    PolicyState once = PolicyState.INITIAL.after(Set.of(id(0)));

    Decision decision = Policies.AUTOPILOT.decide(skewed, once, five);
    assertThat(leave(decision)).containsExactly(id(4), id(3));
    assertThat(((Decision.Act) decision).plan().summary())
        .startsWith(
            "a node is at 0.99, and no more nodes are allowed; n4:9042, n3:9042, used to 0.06 or"
                + " less, leave, so that others can join where the requests are");
    // Each time counts, also for one that is not quite full.
    assertThat(((Decision.Act) decision).next().fullFor(id(0))).isEqualTo(2);
    assertThat(((Decision.Act) decision).next().fullFor(id(1))).isEqualTo(1);

    PolicyState inVain = once.after(Set.of(id(0))).after(Set.of(id(0)));
    assertThat(Policies.AUTOPILOT.decide(skewed, inVain, five)).isInstanceOf(Decision.Hold.class);
    Settings anywhere = five.with(PlaceSettings.builder().tokens(Tokens.ENGINE).build());
    assertThat(Policies.AUTOPILOT.decide(skewed, once, anywhere)).isInstanceOf(Decision.Hold.class);
    Settings all = SETTINGS.with(GuardSettings.builder().minNodes(5).maxNodes(5).build());
    assertThat(Policies.AUTOPILOT.decide(skewed, once, all)).isInstanceOf(Decision.Hold.class);
  }
}
