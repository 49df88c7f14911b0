package io.trimtab.controller.split;

import static io.trimtab.controller.split.World.START;
import static io.trimtab.controller.split.World.key;
import static io.trimtab.controller.split.World.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Met1Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SplitSettings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SplitPlannerTest {
  private static final Settings DEFAULTS = Settings.defaults();
  private static final PolicyState LATER = new PolicyState(1, false, List.of(), List.of());

  private static World hot() {
    World world = new World();
    world.add("a", 0, 0, 30_000, 950);
    world.add("b", 1, 30_000, 50_000, 100);
    world.add("c", 2, 50_000, 65_536, 200);
    return world;
  }

  @Test
  void aPartitionThatIsTooMuchForANodeIsSplitWhereItsRequestsHalve() {
    World world = hot();
    world.hint("a", SplitHint.Verdict.SPLIT, 700, 0.49);

    Decision decision = new Met1Policy().decide(world.seen(), LATER, DEFAULTS);

    assertThat(decision).isInstanceOf(Decision.Act.class);
    Decision.Act act = (Decision.Act) decision;
    assertThat(act.plan().actions())
        .extracting(PlannedAction::action)
        .containsExactly(
            new Action.Split(new PartitionId("t", "a"), key(700), 0.49, node(0), node(1)));
    // 950 on the fullest node before; 584.5 after: 100 and the 51 % that come.
    assertThat(act.plan().gain()).isBetween(0.38, 0.39);
    assertThat(act.next().boundaries())
        .containsExactly(new PolicyState.Boundary("t", key(700), true, START));
    ClusterSnapshot after = PlanApplier.apply(act.plan(), world.seen().snapshot());
    assertThat(after.partitions()).hasSize(4);
    assertThat(after.partitions())
        .filteredOn(p -> p.range().start().equals(key(700)))
        .allMatch(p -> p.node().get().equals(node(1)));
  }

  @Test
  void whatIsNotSplitIsExplained() {
    for (SplitHint.Verdict verdict : EnumSet.complementOf(EnumSet.of(SplitHint.Verdict.SPLIT))) {
      World world = hot();
      world.hint("a", verdict, 700, Double.NaN);
      assertThat(refusal(world, DEFAULTS))
          .isEqualTo("; t/a has more load than a node should carry, but as it is");
    }
    assertThat(refusal(hot(), DEFAULTS)).contains("no plug-in follows its requests");
    World outside = hot();
    outside.hint("a", SplitHint.Verdict.SPLIT, 40_000, 0.5);
    assertThat(refusal(outside, DEFAULTS)).contains("is not inside it");
    World good = hot();
    good.hint("a", SplitHint.Verdict.SPLIT, 700, 0.5);
    Settings off = Settings.defaults().with(SplitSettings.builder().enabled(false).build());
    assertThat(refusal(good, off)).contains("split.enabled");
    assertThat(refusal(good, DEFAULTS.with(new TableSettings(null, List.of("t")))))
        .contains("its table is excluded (tables.deny)");
  }

  private static String refusal(World world, Settings settings) {
    Observation.Usable seen = world.seen();
    SplitPlanner.Proposal proposal =
        SplitPlanner.splits(
            seen, seen.snapshot().nodes(), List.of(node(0)), PolicyState.INITIAL, settings);
    assertThat(proposal.actions()).isEmpty();
    return proposal.refusal();
  }

  @Test
  void whatPlacementCanBalanceIsNotSplit() {
    World world = new World();
    world.add("a", 0, 0, 30_000, 420);
    world.add("b", 0, 30_000, 50_000, 430);
    world.add("c", 1, 50_000, 65_536, 400);
    world.hint("a", SplitHint.Verdict.SPLIT, 700, 0.5);
    world.hint("b", SplitHint.Verdict.SPLIT, 40_000, 0.5);

    Decision decision = new Met1Policy().decide(world.seen(), LATER, DEFAULTS);

    assertThat(decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(Action.Split.class)).isEmpty();
  }

  @Test
  void onlySoManyAreSplitAtOnce() {
    World world = new World();
    for (int i = 0; i < 6; i++) {
      world.add("p" + i, i % 2, i * 10_000, (i + 1) * 10_000, 950);
      world.hint("p" + i, SplitHint.Verdict.SPLIT, i * 10_000 + 5_000, 0.5);
    }
    world.add("rest", 2, 60_000, 65_536, 0);
    SplitSettings two = SplitSettings.builder().enabled(true).maxSplits(2).build();
    Observation.Usable seen = world.seen();

    List<Action.Split> splits =
        SplitPlanner.splits(
                seen,
                seen.snapshot().nodes(),
                List.of(node(0), node(1)),
                PolicyState.INITIAL,
                Settings.defaults().with(PlaceSettings.builder().tolerance(0.0).build()).with(two))
            .actions();

    assertThat(splits).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void anOrderedSplitIsRefusedWhereItCannotBe() {
    Observation.Usable seen = hot().seen();
    PartitionId a = new PartitionId("t", "a");

    assertThat(
            SplitPlanner.ordered(seen, a, key(5), 0.5, Optional.of(node(2)))
                .plan()
                .actions()
                .get(0)
                .action())
        .isEqualTo(new Action.Split(a, key(5), 0.5, node(0), node(2)));
    assertThatThrownBy(() -> SplitPlanner.ordered(seen, a, key(30_000), 0.5, Optional.empty()))
        .hasMessageContaining("is not strictly inside t/a");
    assertThatThrownBy(
            () -> SplitPlanner.ordered(seen, a, key(5), 0.5, Optional.of(new NodeId("x:1"))))
        .hasMessage("x:1 is no node that takes partitions");
    assertThatThrownBy(
            () ->
                SplitPlanner.ordered(
                    seen, new PartitionId("t", "z"), key(5), 0.5, Optional.empty()))
        .hasMessage("t/z is served by no node");
  }

  /** Hot spots come, jump and go; what was split or merged stays so within the hysteresis. */
  @Test
  void splittingAndMergingNeverFlaps() {
    int splits = 0;
    int merges = 0;
    for (long seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      World world = new World();
      world.add("t", 0, 0, 65_536, 0);
      PolicyState state = LATER;
      Map<RowKey, Instant> made = new HashMap<>();
      Map<RowKey, Instant> removed = new HashMap<>();
      Instant changes = START;
      Load load = Load.random(random);
      for (int round = 0; round < 120; round++) {
        world.now = world.now.plus(Duration.ofMinutes(10));
        if (!world.now.isBefore(changes)) {
          load = Load.random(random);
          changes = world.now.plus(Duration.ofMinutes(10L * random.nextInt(30)));
        }
        load.apply(world);
        Observation.Usable seen = world.seen();
        Decision decision = decide(seen, state);
        if (!(decision instanceof Decision.Act act)) {
          continue;
        }
        for (Action.Split split : act.plan().actions(Action.Split.class)) {
          splits++;
          KeyRange range = seen.snapshot().partition(split.partition()).orElseThrow().range();
          assertThat(range.splitsAt(split.key())).as("seed " + seed).isTrue();
          for (var gone : removed.entrySet()) {
            assertThat(range.splitsAt(gone.getKey()) && young(gone.getValue(), world.now))
                .as("seed %d: split again", seed)
                .isFalse();
          }
          made.put(split.key(), world.now);
        }
        for (Action.Merge merge : act.plan().actions(Action.Merge.class)) {
          merges++;
          assertThat(made).as("seed " + seed).containsKey(merge.boundary());
          assertThat(young(made.get(merge.boundary()), world.now)).as("seed " + seed).isFalse();
          removed.put(merge.boundary(), world.now);
        }
        List<PartitionState> after = PlanApplier.apply(act.plan(), seen.snapshot()).partitions();
        world.partitions.clear();
        world.partitions.addAll(after);
        state = act.next();
      }
    }
    assertThat(splits).isGreaterThan(60);
    assertThat(merges).isGreaterThan(10);
  }

  private static boolean young(Instant at, Instant now) {
    return Duration.between(at, now).compareTo(DEFAULTS.split().hysteresis()) < 0;
  }

  /** Only what is split and merged, as other plans would move things about. */
  private static Decision decide(Observation.Usable seen, PolicyState state) {
    List<NodeState> nodes = seen.snapshot().nodes();
    List<NodeId> over =
        nodes.stream().map(NodeState::id).filter(n -> seen.usage().get(n) > 0.8).toList();
    if (over.isEmpty()) {
      List<Action.Merge> merges = MergePlanner.merges(seen, nodes, state, DEFAULTS);
      return merges.isEmpty()
          ? new Decision.Hold("", "", state)
          : MergePlanner.act(seen, merges, state, "met");
    }
    SplitPlanner.Proposal splits = SplitPlanner.splits(seen, nodes, over, state, DEFAULTS);
    return splits.actions().isEmpty()
        ? new Decision.Hold("", "", state)
        : SplitPlanner.act(seen, splits.actions(), splits.gain(), state, "met");
  }

  /** Requests for keys: some everywhere, most around one place. */
  private record Load(double everywhere, double hot, double center, double width) {
    static Load random(Random random) {
      return new Load(
          300 * random.nextDouble(),
          random.nextBoolean() ? 0 : 3_000 * random.nextDouble(),
          65_536 * random.nextDouble(),
          20 + 5_000 * random.nextDouble());
    }

    /** Requests a second for keys below a number. */
    private double below(double key) {
      double within = Math.min(1, Math.max(0, (key - center + width / 2) / width));
      return everywhere * key / 65_536 + hot * within;
    }

    void apply(World world) {
      world.rates.clear();
      world.hints.clear();
      for (PartitionState p : world.partitions) {
        int from = p.range().start().isEmpty() ? 0 : number(p.range().start());
        int to = p.range().end().isEmpty() ? 65_536 : number(p.range().end());
        double own = below(to) - below(from);
        world.rates.put(p.id(), new Rates(own / 2, 0, 0, own / 2));
        int low = from;
        int half = to;
        while (half - low > 1) {
          int middle = (low + half) / 2;
          if (below(middle) - below(from) < own / 2) {
            low = middle;
          } else {
            half = middle;
          }
        }
        if (half > from && half < to) {
          double left = own > 0 ? (below(half) - below(from)) / own : 0.5;
          world.hints.add(
              new SplitHint(p.id(), SplitHint.Verdict.SPLIT, key(half), left, 0, 9_999, ""));
        }
      }
    }

    private static int number(RowKey key) {
      byte[] bytes = key.bytes();
      return (bytes[0] & 0xFF) << 8 | bytes[1] & 0xFF;
    }
  }
}
