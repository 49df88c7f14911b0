package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.PartitionItems;
import io.trimtab.controller.place.ReadCluster;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.controller.place.UsagePackingTest;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.UsagePredictor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The usage policy places around what is frozen or excluded. */
class UsageAroundTest {
  private static final int SEEDS = 300;
  private static final TableSettings EXCLUDED = new TableSettings(null, List.of("fixed"));
  private static final double TARGET = 0.7;
  private static final double MARGIN = 0.1;

  /** What is frozen, and what is of the table {@code fixed}. */
  private static boolean stays(ReadCluster world, PartitionId id) {
    return id.table().equals("fixed") || world.frozen.contains(id);
  }

  private static Settings settings(int maxNodes) {
    return Settings.defaults()
        .with(UsageSettings.builder().model("m.json").target(TARGET).margin(MARGIN).build())
        .with(GuardSettings.builder().maxNodes(maxNodes).minGain(0.0).build())
        .with(EXCLUDED)
        .with(Policies.USAGE);
  }

  private static Decision decide(ReadCluster world, int maxNodes) {
    return Policies.USAGE.decide(world.seen(), PolicyState.INITIAL, settings(maxNodes));
  }

  private static Plan plan(Decision decision) {
    assertThat(decision).isInstanceOf(Decision.Act.class);
    return ((Decision.Act) decision).plan();
  }

  private static ReadCluster random(long seed) {
    Random random = new Random(seed);
    ReadCluster world = new ReadCluster(2 + random.nextInt(5));
    int usable = world.nodes.size();
    if (random.nextInt(3) == 0) {
      world.node(true);
    }
    double scale = 30 * Math.exp(random.nextGaussian()) / Math.sqrt(usable);
    int partitions = 4 + random.nextInt(25);
    int staying = random.nextInt(3);
    for (int i = 0; i < partitions; i++) {
      boolean fixed = random.nextInt(8) < staying;
      // What stays is on some nodes only, so that others can be given up.
      int node = random.nextInt(fixed && random.nextInt(4) != 0 ? 2 : world.nodes.size());
      world.with(
          fixed && random.nextBoolean() ? "fixed" : "t",
          node,
          20 + random.nextInt(600),
          scale * random.nextInt(8));
      if (fixed) {
        world.frozen.add(world.id(i));
      }
    }
    return world;
  }

  /** By the model, of each node that holds something that may be placed, or nothing. */
  private static double mostPlaced(ReadCluster world, ClusterSnapshot after) {
    return usage(world, after, false);
  }

  private static double usage(ReadCluster world, ClusterSnapshot after, boolean all) {
    var usage = byNode(world, after);
    double most = 0;
    for (NodeState node : after.nodes()) {
      List<PartitionId> here = on(after, node);
      boolean full = !here.isEmpty() && here.stream().allMatch(id -> stays(world, id));
      if (!node.draining() && (all || !full)) {
        most = Math.max(most, usage.get(node.id()));
      }
    }
    return most;
  }

  private static List<PartitionId> on(ClusterSnapshot after, NodeState node) {
    return after.partitions().stream()
        .filter(p -> p.node().filter(node.id()::equals).isPresent())
        .map(PartitionState::id)
        .toList();
  }

  /** By the model, of each node that is not about to leave. */
  private static Map<NodeId, Double> byNode(ReadCluster world, ClusterSnapshot after) {
    var items = PartitionItems.of(world.seen(), UsageSettings.builder().build());
    var model = new UsagePredictor(UsagePackingTest.model());
    Map<NodeId, Double> usage = new TreeMap<>();
    for (NodeState node : after.nodes()) {
      if (!node.draining()) {
        List<UsagePacking.Item> held = on(after, node).stream().map(items::get).toList();
        usage.put(node.id(), UsagePacking.usage(model, held, ReadCluster.CACHE));
      }
    }
    return usage;
  }

  @Test
  void whateverIsFrozenOrExcludedStaysAndTheRestIsPlacedAroundIt() {
    Map<String, Integer> cases = new TreeMap<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      ReadCluster world = random(seed);
      Observation.Usable seen = world.seen();
      int maxNodes = world.nodes.size() + new Random(seed).nextInt(4);
      Settings settings = settings(maxNodes);
      if (!(Policies.USAGE.decide(seen, PolicyState.INITIAL, settings)
          instanceof Decision.Act act)) {
        cases.merge("hold", 1, Integer::sum);
        continue;
      }
      Plan plan = act.plan();
      ClusterSnapshot after = PlanApplier.apply(plan, seen.snapshot());
      Map<PartitionId, NodeId> then =
          after.partitions().stream()
              .collect(Collectors.toMap(PartitionState::id, p -> p.node().orElseThrow()));
      assertThat(then).as("seed %d", seed).hasSameSizeAs(world.partitions);
      for (PartitionState p : world.partitions) {
        if (stays(world, p.id())) {
          assertThat(then.get(p.id())).as("seed %d, %s", seed, p.id()).isEqualTo(p.node().get());
        }
        NodeState on = after.node(then.get(p.id())).orElseThrow();
        assertThat(on.draining() && !stays(world, p.id())).as("seed %d", seed).isFalse();
      }
      assertThat(plan.actions(Action.Move.class))
          .as("seed %d", seed)
          .noneMatch(move -> stays(world, move.partition()));
      assertThat(Guard.forbids(plan.actions(), seen.snapshot(), Map.of(), settings))
          .as("seed %d", seed)
          .isEmpty();
      // What was predicted is what the plan makes: sets have gone to the nodes of what stays.
      double most = mostPlaced(world, after);
      assertThat(usage(world, after, true))
          .as("seed %d", seed)
          .isCloseTo(act.predicted().orElseThrow().most(), within(1e-3));
      Map<NodeId, Double> predicted = act.predicted().orElseThrow().usage();
      Map<NodeId, Double> made = byNode(world, after);
      assertThat(predicted).as("seed %d", seed).containsOnlyKeys(made.keySet());
      made.forEach(
          (node, usage) ->
              assertThat(predicted.get(node)).as("%s", node).isCloseTo(usage, within(1e-3)));
      int removed = plan.actions(Action.RemoveNode.class).size();
      int added = plan.actions(Action.AddNode.class).size();
      if (removed > 0) {
        assertThat(most).as("seed %d", seed).isLessThan(TARGET * (1 - MARGIN) + 1e-3);
      }
      boolean around = !world.frozen.isEmpty();
      boolean draining = world.nodes.get(world.nodes.size() - 1).draining();
      String how = removed > 0 ? "shrinks" : added > 0 ? "grows" : "keeps";
      cases.merge(how + (around ? " around" : ""), 1, Integer::sum);
      cases.merge(draining && around ? "draining around" : "", 1, Integer::sum);
    }
    for (String each : List.of("shrinks around", "grows around", "keeps around")) {
      assertThat(cases.getOrDefault(each, 0)).as("%s: %s", each, cases).isGreaterThan(5);
    }
    assertThat(cases.get("draining around")).as("%s", cases).isGreaterThan(10);
  }

  @Test
  void theOthersAreTakenApartFromWhatStays() {
    // Two pairs of which each fills a cache; one of each pair stays.
    ReadCluster world =
        new ReadCluster(2)
            .with("fixed", 0, 900, 100)
            .with("t", 0, 900, 100)
            .with("t", 1, 20, 55)
            .with("t", 1, 20, 55);

    List<Action.Move> moves = plan(decide(world, 2)).actions(Action.Move.class);

    assertThat(moves).extracting(Action.Move::partition).contains(world.id(1));
    assertThat(moves).extracting(Action.Move::partition).doesNotContain(world.id(0));
  }

  @Test
  void theNodeOfWhatStaysIsNotGivenUp() {
    ReadCluster world = new ReadCluster(4);
    for (int i = 0; i < 4; i++) {
      // The smallest: its node would have been the first to leave.
      world.with(i == 0 ? "fixed" : "t", i, 100 + 50 * i, 50);
    }

    Plan plan = plan(decide(world, 4));

    assertThat(plan.actions(Action.RemoveNode.class))
        .hasSize(3)
        .extracting(Action.RemoveNode::node)
        .doesNotContain(world.nodes.get(0).id());
    assertThat(plan.actions(Action.Move.class))
        .hasSize(3)
        .allMatch(move -> move.to().equals(world.nodes.get(0).id()));
  }

  @Test
  void nodesJoinWhereWhatStaysLeavesTooLittleRoom() {
    ReadCluster world = new ReadCluster(2);
    world.with("fixed", 0, 900, 120).with("t", 0, 900, 120);
    world.with("fixed", 1, 900, 120).with("t", 1, 900, 120);

    Plan plan = plan(decide(world, 8));

    assertThat(plan.actions(Action.AddNode.class)).hasSize(2);
    assertThat(plan.actions(Action.Move.class))
        .extracting(Action.Move::partition)
        .containsExactlyInAnyOrder(world.id(1), world.id(3));
  }

  /** What nothing can be done about is told, and asks for no nodes. */
  @Test
  void aNodeThatIsTooFullOfWhatStaysIsNotCounted() {
    ReadCluster world = new ReadCluster(3);
    world.with("fixed", 0, 3_000, 200);
    world.with("t", 1, 900, 60).with("t", 1, 900, 60).with("t", 2, 20, 5);

    Plan plan = plan(decide(world, 8));

    assertThat(plan.actions(Action.AddNode.class)).isEmpty();
    assertThat(plan.actions(Action.Move.class)).isNotEmpty();
    assertThat(plan.summary())
        .contains("; not counted: 1 node with nothing but what stays where it is, up to ");
    ReadCluster alone = new ReadCluster(2).with("fixed", 0, 900, 200).with("fixed", 1, 900, 200);
    assertThat(decide(alone, 8))
        .isInstanceOfSatisfying(
            Decision.Hold.class,
            hold -> {
              assertThat(hold.reason()).isEqualTo("no partition may be moved");
              assertThat(hold.setting()).isEqualTo("tables.deny");
            });
  }

  @Test
  void aFrozenPartitionDoesNotHoldThePlan() {
    ReadCluster world = new ReadCluster(2);
    world.with("t", 0, 900, 100).with("t", 0, 900, 100).with("t", 1, 20, 55).with("t", 1, 20, 55);
    Action.Move first = plan(decide(world, 2)).actions(Action.Move.class).get(0);
    List<Stability.Moved> moves = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      var at = RandomCluster.NOW.minusSeconds(60);
      moves.add(new Stability.Moved(at, first.partition(), first.from(), first.to()));
      moves.add(new Stability.Moved(at, first.partition(), first.to(), first.from()));
    }

    Decider.NextStep next =
        Decider.decide(
            new Decider.Context(
                world.seen(),
                new TreeMap<NodeId, Duration>(),
                PolicyState.INITIAL,
                settings(2),
                new Decider.Past(
                    Optional.empty(),
                    Optional.empty(),
                    OptionalDouble.empty(),
                    Setbacks.NONE,
                    new Stability(moves, List.of(), List.of()),
                    ""),
                Optional.of(NodeCapacity.of(100)),
                false,
                RandomCluster.NOW));

    assertThat(next)
        .isInstanceOfSatisfying(
            Decider.Go.class,
            go ->
                assertThat(go.act().plan().actions(Action.Move.class))
                    .isNotEmpty()
                    .noneMatch(move -> move.partition().equals(first.partition())));
  }
}
