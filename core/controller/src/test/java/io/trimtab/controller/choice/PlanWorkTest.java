package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.choice.Generator.Candidate;
import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.LayoutWork;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is counted of plans before they are made is what they do, and no more than they may. */
class PlanWorkTest {
  private static final int SEEDS = 60;
  private static final double TARGET = 0.6;

  /** So that some nodes cache all that they serve, and others do not. */
  private static final NodeGauges GAUGES =
      new NodeGauges(-1, -1, 1L << 30, -1, -1, -1, 1L << 28, -1, -1, -1, -1, -1, Map.of());

  /** What a plan does, counted action by action. */
  private static final class Counted {
    private final ClusterSnapshot snapshot;
    private int moves;
    private int splits;
    private int compactions;
    private int restarts;
    private double moved;
    private double split;
    private double rewritten;

    Counted(ClusterSnapshot snapshot, List<PlannedAction> actions) {
      this.snapshot = snapshot;
      actions.stream().map(PlannedAction::action).forEach(this::add);
    }

    private void add(Action action) {
      if (action instanceof Action.Move move) {
        moves++;
        moved += bytes(move.partition());
      } else if (action instanceof Action.Split half) {
        moves++;
        splits++;
        split += bytes(half.partition());
      } else if (action instanceof Action.Compact compact) {
        compactions++;
        rewritten += bytes(compact.partition());
      } else if (action instanceof Action.Reconfigure change) {
        restarts += change.way() == Action.ApplyMode.RESTART ? 1 : 0;
      }
    }

    private double bytes(PartitionId partition) {
      return snapshot.partition(partition).map(PartitionState::sizeBytes).orElse(0L);
    }
  }

  /** Of which some nodes are full; by restart, nodes have no plug-in. */
  private static Layout now(long seed, boolean restart, GuardSettings guard) {
    Random random = new Random(seed);
    RandomCluster cluster = new RandomCluster(seed, 3 + random.nextInt(4), 60);
    Map<NodeId, Double> used = new HashMap<>();
    cluster.snapshot.nodes().forEach(n -> used.put(n.id(), 0.3 + 0.65 * random.nextDouble()));
    List<NodeState> nodes =
        cluster.snapshot.nodes().stream().map(n -> n.with(n.usage(), GAUGES)).toList();
    ClusterSnapshot snapshot =
        cluster.snapshot.with(nodes, cluster.snapshot.partitions(), List.of());
    Observation.Usable seen =
        new Observation.Usable(snapshot, cluster.rates, used, used, hints(snapshot))
            .withOffer(Optional.of(NodeCapacity.of(2)));
    Action.ApplyMode way = restart ? Action.ApplyMode.RESTART : Action.ApplyMode.ONLINE;
    Settings settings =
        Settings.defaults().with(guard).with(PlaceSettings.builder().way(way).build());
    return Layout.now(new ClusterLoad(new DecisionContext(seen, PolicyState.INITIAL, settings)));
  }

  /** Each partition can be split: its keys begin with its number within the table. */
  private static List<SplitHint> hints(ClusterSnapshot snapshot) {
    List<SplitHint> hints = new ArrayList<>();
    for (PartitionState p : snapshot.partitions()) {
      int k = Integer.parseInt(p.id().name().substring(1)) / 7;
      RowKey key = RowKey.of(new byte[] {(byte) k, 64});
      hints.add(new SplitHint(p.id(), SplitHint.Verdict.SPLIT, key, 0.5, 0.01, 5_000, "as it is"));
    }
    return hints;
  }

  private static List<Candidate> candidates(Layout now, Evaluator evaluator) {
    List<Generator> generators =
        List.of(
            new SmallSteps(),
            new SplitFirst(),
            new EvenOut(),
            new Regroup(now.size() + 1),
            new MoreNodes(0, now.size() + 2),
            new FewerNodes(1, nodes -> nodes.get(nodes.size() - 1)),
            new RegroupFewer(1, nodes -> nodes.get(nodes.size() - 1)));
    List<Candidate> all = new ArrayList<>();
    generators.forEach(generator -> all.addAll(generator.propose(now, evaluator)));
    all.addAll(new Spared(now, evaluator).of(all));
    return all;
  }

  private static Counted counted(Layout now, Evaluator evaluator, Layout then) {
    return new Counted(
        now.load().context().seen().snapshot(), new LayoutPlan(now, evaluator).actions(then));
  }

  @Test
  void whatIsCountedOfALayoutIsWhatItsPlanDoes() {
    int restarts = 0;
    int splits = 0;
    int uncached = 0;
    int cached = 0;
    int often = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Layout now = now(seed, seed % 2 == 0, GuardSettings.builder().build());
      Evaluator evaluator = new Evaluator(now.load(), now, TARGET);
      for (Candidate candidate : candidates(now, evaluator)) {
        Counted plan = counted(now, evaluator, candidate.layout());
        LayoutWork work = LayoutWork.of(candidate.layout());
        String what = "seed " + seed + ", " + candidate.title();

        assertThat(work.most().moves()).as(what).isEqualTo(plan.moves);
        assertThat(work.most().splits()).as(what).isEqualTo(plan.splits);
        assertThat(work.most().compactions()).as(what).isEqualTo(plan.compactions);
        assertThat(work.rewritten()).as(what).isCloseTo(plan.rewritten + plan.split, within(1.0));
        assertThat(work.counted())
            .as(what)
            .isCloseTo(plan.moved + plan.rewritten + plan.split, within(1.0));
        if (plan.splits == 0) {
          assertThat(work.moved()).as(what).isCloseTo(plan.moved, within(1.0));
        } else {
          assertThat(work.moved()).as(what).isGreaterThan(plan.moved);
        }
        restarts += plan.restarts;
        splits += plan.splits;
        uncached += plan.compactions;
        cached += plan.restarts == 0 ? plan.moves - plan.splits - plan.compactions : 0;
        often += plan.restarts > 1 && candidate.title().startsWith("regroup") ? 1 : 0;
      }
    }
    assertThat(List.of(restarts, splits, uncached, cached, often)).allMatch(count -> count > 10);
  }

  /** The most moves, splits and compactions of any plan, and how many plans begin something. */
  private static int[] most(GuardSettings guard) {
    int[] most = new int[4];
    for (long seed = 0; seed < SEEDS; seed++) {
      Layout now = now(seed, seed % 2 == 0, guard);
      Evaluator evaluator = new Evaluator(now.load(), now, TARGET);
      for (Candidate candidate : candidates(now, evaluator)) {
        Counted plan = counted(now, evaluator, candidate.layout());
        String what = "seed " + seed + ", " + candidate.title();
        assertThat(plan.moves).as(what).isLessThanOrEqualTo(guard.maxMoves());
        assertThat(plan.splits).as(what).isLessThanOrEqualTo(guard.maxSplits());
        assertThat(plan.compactions).as(what).isLessThanOrEqualTo(guard.maxCompactions());
        assertThat(plan.moved + plan.rewritten + plan.split)
            .as(what)
            .isLessThanOrEqualTo(guard.maxMovedGiB() * (double) (1L << 30));
        most[0] = Math.max(most[0], plan.moves);
        most[1] = Math.max(most[1], plan.splits);
        most[2] = Math.max(most[2], plan.compactions);
        most[3] += candidate.title().startsWith("begin ") ? 1 : 0;
      }
    }
    return most;
  }

  @Test
  void whateverIsLimitedPlansAreCutToIt() {
    int[] free = most(GuardSettings.builder().build());
    assertThat(free[0]).isGreaterThan(30);
    assertThat(free[1]).isGreaterThan(1);
    assertThat(free[2]).isGreaterThan(20);
    assertThat(free[3]).isZero();

    int[] moves = most(GuardSettings.builder().maxMoves(25).build());
    assertThat(moves[0]).isGreaterThan(15);
    assertThat(moves[3]).as("begun").isPositive();
    int[] splits = most(GuardSettings.builder().maxSplits(1).build());
    assertThat(splits[1]).isEqualTo(1);
    assertThat(splits[0]).isEqualTo(free[0]);
    int[] compactions = most(GuardSettings.builder().maxCompactions(12).build());
    assertThat(compactions[2]).isEqualTo(12);
    assertThat(compactions[3]).as("begun").isPositive();
    int[] bytes = most(GuardSettings.builder().maxMovedGiB(1).build());
    assertThat(bytes[3]).as("begun").isPositive();
  }
}
