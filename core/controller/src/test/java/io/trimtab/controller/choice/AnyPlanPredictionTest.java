package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.Rings;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.LearnedNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * No plan is stopped by what is predicted of it: whatever it does, in whatever order, there is a
 * prediction or none. Plans are drawn that no policy would make, too.
 */
class AnyPlanPredictionTest {
  private static final Settings SETTINGS = Settings.defaults();
  private static final int SEEDS = 150;
  private static final int ACTIONS_MAX = 12;
  private static final int KINDS = 12;

  private static final Optional<LearnedNodes> LEARNED =
      Optional.of(LearnedNodes.alike(ResourcesTest.learned()));

  /** As large as a thousand blocks. */
  private static final NodeGauges GAUGES =
      new NodeGauges(
          -1, -1, 1L << 30, -1, -1, -1, 1_000 * (long) ByHand.BLOCK, -1, -1, -1, -1, -1, Map.of());

  /** Of what a cluster has, and of what it has not. */
  private static final class Drawn {
    private final Random random;
    private final List<NodeId> nodes = new ArrayList<>();
    private final List<PartitionId> partitions = new ArrayList<>();

    Drawn(ClusterSnapshot seen, long seed) {
      random = new Random(seed);
      seen.nodes().forEach(node -> nodes.add(node.id()));
      nodes.add(new NodeId("new-1"));
      nodes.add(new NodeId("new-2"));
      nodes.add(new NodeId("gone:1"));
      seen.partitions().forEach(partition -> partitions.add(partition.id()));
      partitions.add(new PartitionId("t", "gone"));
    }

    private <T> T one(List<T> of) {
      return of.get(random.nextInt(of.size()));
    }

    private Profile profile() {
      return one(Profile.STANDARD);
    }

    private RowKey key() {
      return RowKey.of(new byte[] {(byte) random.nextInt(12), 1});
    }

    Plan plan(ClusterSnapshot seen) {
      List<PlannedAction> all = new ArrayList<>();
      int few = 1 + random.nextInt(ACTIONS_MAX);
      // One kind alone is as likely as many together.
      int only = random.nextBoolean() ? random.nextInt(KINDS) : -1;
      for (int step = 1; step <= few; step++) {
        Action action = action(only < 0 ? random.nextInt(KINDS) : only);
        all.add(new PlannedAction(step, action, "", "", "", ""));
      }
      return new Plan("p", seen.clusterId(), seen.takenAt(), "drawn", "", 1, all);
    }

    private Action action(int kind) {
      NodeId node = one(nodes);
      PartitionId partition = one(partitions);
      return switch (kind) {
        case 0 -> new Action.Move(partition, node, one(nodes));
        case 1 ->
            new Action.Split(partition, key(), 0.01 + 0.98 * random.nextDouble(), node, one(nodes));
        case 2 -> new Action.Merge(partition, one(partitions), KeyRange.ALL, key());
        case 3 ->
            new Action.Reconfigure(
                node, profile(), profile(), one(List.of(Action.ApplyMode.values())));
        case 4 -> new Action.SetNode(node, one(List.of(NodeSetting.values())), 1, 2);
        case 5 ->
            new Action.SetBlockSize(partition.table(), 64 << 10, (8 << 10) << random.nextInt(5));
        case 6 ->
            new Action.Compact(
                partition, random.nextBoolean() ? Action.Compact.ALWAYS : random.nextDouble());
        case 7 -> new Action.AddNode(1 + random.nextInt(3), profile());
        case 8 -> new Action.ReplaceNode(1 + random.nextInt(3), node, profile());
        case 9 -> new Action.Cleanup(node);
        case 10 -> new Action.DrainNode(node);
        default -> new Action.RemoveNode(node);
      };
    }
  }

  private static Observation.Usable seen(ClusterSnapshot snapshot, RandomCluster cluster) {
    return new Observation.Usable(snapshot, cluster.rates, cluster.usage, cluster.usage, List.of());
  }

  private static Observation.Usable assigned(RandomCluster cluster) {
    return seen(cluster.snapshot, cluster);
  }

  /** The same where it is known what requests cost, and what caches are asked for. */
  private static Observation.Usable learned(RandomCluster cluster) {
    ClusterSnapshot now = cluster.snapshot;
    List<NodeState> nodes =
        now.nodes().stream().map(node -> node.with(node.usage(), GAUGES)).toList();
    List<BlockHistogram> blocks = new ArrayList<>();
    Map<NodeId, Double> misses = new HashMap<>();
    for (PartitionState partition : now.partitions()) {
      List<BlockHistogram.Bin> bins = List.of(new BlockHistogram.Bin(500, 300));
      blocks.add(BlockHistogram.ofReads(partition.id(), bins, ByHand.BLOCK));
      partition.node().ifPresent(node -> misses.put(node, 0.3));
    }
    return seen(now.with(nodes, now.partitions(), now.gaps()), cluster)
        .withBlocks(blocks)
        .withMisses(misses)
        .with(LEARNED);
  }

  private static Observation.Usable ring(RandomCluster cluster) {
    ClusterSnapshot now = cluster.snapshot;
    return seen(Rings.snapshot(now.takenAt(), now.nodes(), now.partitions()), cluster);
  }

  /** What was predicted on one kind of cluster. */
  private static final class Tally {
    private final Set<Class<?>> kinds = new HashSet<>();
    private final Set<UsagePrediction.Origin> from = new HashSet<>();
    private int predicted;
    private int all;

    void add(Observation.Usable seen, Plan plan, String seed) {
      DecisionContext context = new DecisionContext(seen, PolicyState.INITIAL, SETTINGS);
      assertThatCode(() -> add(PlanPrediction.of(context, plan)))
          .as("%s: %s", seed, plan.actions().stream().map(PlannedAction::action).toList())
          .doesNotThrowAnyException();
      plan.actions().forEach(planned -> kinds.add(planned.action().getClass()));
      all++;
    }

    private void add(Optional<UsagePrediction> found) {
      found.ifPresent(
          prediction -> {
            assertThat(prediction.usage().values()).noneMatch(usage -> usage.isNaN());
            from.add(prediction.from());
            predicted++;
          });
    }

    /** Otherwise nothing would have been tried. */
    void assertManyOfEachKind() {
      assertThat(kinds).hasSize(Action.class.getPermittedSubclasses().length);
      assertThat(predicted).isBetween(all / 10, all - all / 10);
    }
  }

  @Test
  void ofAnyPlanOnAnyClusterThereIsAPredictionOrNone() {
    Tally requests = new Tally();
    Tally costs = new Tally();
    Tally rings = new Tally();
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomCluster cluster = new RandomCluster(seed);
      Drawn drawn = new Drawn(cluster.snapshot, seed);
      for (int i = 0; i < 4; i++) {
        Plan plan = drawn.plan(cluster.snapshot);
        String what = "seed " + seed + ", plan " + i;
        requests.add(assigned(cluster), plan, what);
        costs.add(learned(cluster), plan, what);
        rings.add(ring(cluster), plan, what);
      }
    }

    requests.assertManyOfEachKind();
    costs.assertManyOfEachKind();
    rings.assertManyOfEachKind();
    assertThat(requests.from).containsExactly(UsagePrediction.Origin.REQUESTS);
    assertThat(costs.from).contains(UsagePrediction.Origin.LEARNED);
    assertThat(rings.from).containsExactly(UsagePrediction.Origin.REQUESTS);
  }
}
