package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.LearnedNodes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What each generator proposes. */
class GeneratorsTest {
  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);

  private final ByHand cluster = new ByHand();

  private static List<Generator.Candidate> propose(
      Generator generator, Observation.Usable seen, double target) {
    Layout now = Layout.now(ByHand.load(seen, SETTINGS));
    return generator.propose(now, new Evaluator(now.load(), now, target));
  }

  @Test
  void partitionsAreEvenedOutAmongNodesThatAreConfiguredAlike() {
    NodeId full = cluster.node("full", Profile.READ, 0.9);
    NodeId alike = cluster.node("alike", Profile.READ, 0.3);
    cluster.node("idle", Profile.WRITE, 0);
    for (int i = 0; i < 3; i++) {
      cluster.reads(full, "t", 100);
    }
    cluster.reads(alike, "t", 100);

    List<Generator.Candidate> found = propose(new EvenOut(), cluster.seen(), 0.7);
    assertThat(found).hasSize(1);
    Layout layout = found.get(0).layout();
    assertThat(layout.moved().toArray()).hasSize(1);
    assertThat(layout.nodeOf(layout.moved().findFirst().orElseThrow()))
        .isEqualTo(ByHand.index(layout, alike));
  }

  @Test
  void whereAllNodesAreConfiguredAlikeThatIsNothingNew() {
    NodeId full = cluster.node("full", Profile.READ, 0.9);
    cluster.node("idle", Profile.READ, 0);
    cluster.reads(full, "t", 100);
    cluster.reads(full, "t", 100);

    assertThat(propose(new EvenOut(), cluster.seen(), 0.7)).isEmpty();
  }

  /** Half of it, as what has moved may be rewritten; the rest follows in later plans. */
  @Test
  void smallStepsMoveNoMoreBytesThanOnePlanMay() {
    NodeId full = cluster.node("full", Profile.READ, 0.95);
    cluster.node("idle", Profile.READ, 0);
    for (int i = 0; i < 8; i++) {
      cluster.partition(full, "t", new Rates(100, 0, 0, 0), 32 << 10, 300L << 20);
    }
    Observation.Usable seen = cluster.seen();

    assertThat(movedBySmallSteps(seen, SETTINGS)).isEqualTo(3);
    assertThat(
            movedBySmallSteps(seen, SETTINGS.with(GuardSettings.builder().maxMovedGiB(1).build())))
        .isEqualTo(1);
  }

  private static long movedBySmallSteps(Observation.Usable seen, Settings settings) {
    Layout now = Layout.now(ByHand.load(seen, settings));
    List<Generator.Candidate> found =
        new SmallSteps().propose(now, new Evaluator(now.load(), now, 0.7));
    assertThat(found).hasSize(1);
    return found.get(0).layout().moved().count();
  }

  /** What already is more than one plan may move is done by several, and still has to be mended. */
  @Test
  void aGroupingThatOnePlanMayNotMakeIsMendedAllTheSame() {
    NodeId full = cluster.node("full", Profile.READ, 0.96);
    NodeId idle = cluster.node("idle", Profile.READ, 0);
    for (int i = 0; i < 8; i++) {
      cluster.reads(full, "t", 100);
    }
    Settings one = SETTINGS.with(GuardSettings.builder().maxMoves(1).build());
    Layout now = Layout.now(ByHand.load(cluster.seen(), one));
    Evaluator evaluator = new Evaluator(now.load(), now, 0.7);
    Relief relief = new Relief(evaluator, evaluator.budget(), EnumSet.of(Relief.Kind.MOVE));
    Layout allowed = now.copy();
    Layout more = now.copy();
    more.move(0, ByHand.index(more, idle));
    more.move(1, ByHand.index(more, idle));

    assertThat(relief.improve(allowed)).isEqualTo(1);
    assertThat(evaluator.isOver(allowed, ByHand.index(allowed, full))).isTrue();
    assertThat(evaluator.isOver(more, ByHand.index(more, full))).isTrue();
    assertThat(relief.improve(more)).isPositive();
    assertThat(evaluator.isOver(more, ByHand.index(more, full))).isFalse();
  }

  private List<Generator.Candidate> onFewer(Rates second, int least) {
    for (String name : List.of("a", "b", "c")) {
      NodeId node = cluster.node(name, Profile.HOMOGENEOUS, 0.2);
      cluster.reads(node, "r", 100);
      cluster.partition(node, "w", second, 32 << 10);
    }
    Generator generator = new RegroupFewer(least, nodes -> nodes.get(nodes.size() - 1));
    return propose(generator, cluster.seen(), 0.63);
  }

  @Test
  void aGroupingOnOneNodeFewerIsProposed() {
    List<Generator.Candidate> found = onFewer(new Rates(0, 0, 0, 100), 2);

    assertThat(found).hasSize(1);
    Layout layout = found.get(0).layout();
    assertThat(layout.names()).containsExactly(new NodeId("a:1"), new NodeId("b:1"));
    assertThat(layout.hasOtherProfiles()).isTrue();
    assertThat(layout.present().mapToLong(n -> layout.on(n).count()).sum()).isEqualTo(6);
  }

  @Test
  void whatIsOfOneClassNeedsNoGrouping() {
    assertThat(onFewer(new Rates(100, 0, 0, 0), 2)).isEmpty();
  }

  @Test
  void noFewerNodesThanThereMustBeAreProposed() {
    assertThat(onFewer(new Rates(0, 0, 0, 100), 3)).isEmpty();
  }

  /** Of a load that twenty nodes would take, or of nodes that use nearly as much without any. */
  @Test
  void asManyNodesAsAgreementsNeedAreProposedThoughTheyDoNotSuffice() {
    for (String name : List.of("a", "b")) {
      NodeId node = cluster.node(name, Profile.READ, 0.3);
      for (int i = 0; i < 3; i++) {
        cluster.reads(node, "t", 100);
      }
    }
    Observation.Usable seen = cluster.seen();

    assertThat(propose(new MoreNodes(0, 12), seen, 0.03))
        .as("ten more would be wanted, and there are six partitions")
        .extracting(Generator.Candidate::title)
        .containsExactly("add 4 nodes");
    List<Generator.Candidate> found = propose(new MoreNodes(3, 12), seen, 0.03);
    assertThat(found)
        .extracting(Generator.Candidate::title)
        .containsExactly("add a node", "add 4 nodes");
    assertThat(found.get(0).layout().size()).isEqualTo(3);
  }

  /** Each node's tables are worth as much as the hot one: whoever takes the half, loses more. */
  @Test
  void roomIsMadeForAHalfThatIsTooMuchForEveryOtherNode() {
    Observation.Usable seen = oneHotPartition();

    assertThat(propose(new SmallSteps(), seen, 0.7))
        .allMatch(candidate -> candidate.layout().halves().isEmpty());
    List<Generator.Candidate> found = propose(new SplitFirst(), seen, 0.7);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).title()).isEqualTo("move partitions, split partitions");
    Layout layout = found.get(0).layout();
    assertThat(layout.present().mapToDouble(layout::usage).max().orElseThrow()).isLessThan(0.7);
    // Of what can't be split there is nothing to be seen.
    assertThat(propose(new SplitFirst(), cluster.seen(), 0.7)).isEmpty();
  }

  /** The node that gets the half is above the target only after it, and never else. */
  @Test
  void roomIsMadeBeforeTheSplit() {
    Decision decision = Policies.AUTOPILOT.decide(oneHotPartition(), PolicyState.INITIAL, SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    Plan plan = ((Decision.Act) decision).plan();
    Action.Split split = plan.actions(Action.Split.class).get(0);
    List<Action> before = new ArrayList<>();
    plan.actions().stream()
        .map(PlannedAction::action)
        .takeWhile(action -> !action.equals(split))
        .forEach(before::add);
    assertThat(before)
        .isNotEmpty()
        .allSatisfy(
            action ->
                assertThat(action.as(Action.Move.class).map(Action.Move::from))
                    .hasValue(split.rightTo()));
    assertThat(plan.actions()).extracting(PlannedAction::step).isSorted();
  }

  private Observation.Usable oneHotPartition() {
    NodeId hot = cluster.node("hot", Profile.HOMOGENEOUS, 1);
    PartitionId all = cluster.reads(hot, "t", 1_000);
    for (int n = 0; n < 4; n++) {
      NodeId other = cluster.node("n" + n, Profile.HOMOGENEOUS, 0.45);
      for (int i = 0; i < 6; i++) {
        cluster.reads(other, "u" + n, 75);
      }
    }
    SplitHint halves =
        new SplitHint(
            all, SplitHint.Verdict.SPLIT, RowKey.of(new byte[] {9}), 0.5, 0.01, 5_000, "as it is");
    return cluster.seen().with(List.of(halves));
  }

  /** What calls of scans, rows and misses cost. */
  private static LearnedCosts learned() {
    Random random = new Random(7);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      double calls = 30 * random.nextDouble();
      double rows = calls * (50 + 100 * random.nextDouble());
      double misses = 300 * random.nextDouble();
      double cpu = 0.03 + 150e-6 * calls + 4e-6 * rows + 40e-6 * misses;
      learner = learner.with(new CostSample(0, calls, rows, misses, 0, cpu, 3e-3 * misses));
    }
    return learner.costs();
  }

  /** A node whose disk is busy with scans of small blocks, and one that serves next to nothing. */
  private Observation.Usable scanned(int blockBytes) {
    return scanned(blockBytes, 1 << 20, 0);
  }

  /**
   * The same.
   *
   * @param huge bytes of one more table that is scanned most of all; 0 for none
   */
  private Observation.Usable scanned(int blockBytes, long bytes, long huge) {
    double calls = 18;
    double rows = 100 * calls;
    double misses = 16 * calls;
    double cpu = 0.03 + 150e-6 * calls + 4e-6 * rows + 40e-6 * misses;
    NodeId busy = cluster.node("busy", Profile.HOMOGENEOUS, Double.NaN, cpu, 3e-3 * misses);
    NodeId idle = cluster.node("idle", Profile.HOMOGENEOUS, Double.NaN, 0.03, 0);
    PartitionId scans =
        cluster.partition(busy, "s", new Rates(0, calls, rows, 0), blockBytes, bytes);
    PartitionId seldom = cluster.partition(idle, "t", new Rates(0, 0.01, 1, 0), blockBytes);
    List<BlockHistogram> blocks = new ArrayList<>();
    if (huge > 0) {
      PartitionId other =
          cluster.partition(idle, "huge", new Rates(0, 2 * calls, rows, 0), blockBytes, huge);
      blocks.add(
          new BlockHistogram(
              other, List.of(new BlockHistogram.Bin(50, 10)), ByHand.BLOCK, 1, 1, 100, 100, 16));
    }
    blocks.addAll(
        List.of(
            new BlockHistogram(
                scans,
                List.of(new BlockHistogram.Bin(50, 1e6)),
                ByHand.BLOCK,
                1_000,
                1_000,
                100_000,
                100_000,
                16_000),
            new BlockHistogram(
                seldom,
                List.of(new BlockHistogram.Bin(50, 10)),
                ByHand.BLOCK,
                1,
                1,
                100,
                100,
                16)));
    return cluster.seen().withBlocks(blocks).with(Optional.of(LearnedNodes.alike(learned())));
  }

  @Test
  void scansGetLargerBlocks() {
    List<Generator.Candidate> found = propose(new BlockSizes(), scanned(32 << 10), 0.7);

    assertThat(found).hasSize(1);
    Layout layout = found.get(0).layout();
    assertThat(layout.rewrites().blockSizes().values()).contains(Profile.SCAN.blockSizeBytes());
    int busy = ByHand.index(layout, new NodeId("busy:1"));
    assertThat(layout.usage(busy)).isLessThan(0.7);
  }

  @Test
  void aTableThatIsTooLargeToBeRewrittenLeavesTheOthersTheirTurn() {
    List<Generator.Candidate> found =
        propose(new BlockSizes(), scanned(32 << 10, 1 << 20, 1L << 50), 0.7);

    assertThat(found).hasSize(1);
    assertThat(found.get(0).layout().rewrites().blockSizes()).hasSize(1);
  }

  @Test
  void whatHasLargeBlocksKeepsThem() {
    assertThat(propose(new BlockSizes(), scanned(128 << 10), 0.7)).isEmpty();
  }

  @Test
  void blockSizesThatAreNotToBeChangedAreNot() {
    Settings kept = SETTINGS.with(PlaceSettings.builder().blockSizes(false).build());
    Layout now = Layout.now(ByHand.load(scanned(32 << 10), kept));

    assertThat(new BlockSizes().propose(now, new Evaluator(now.load(), now, 0.7))).isEmpty();
  }

  /** The partition can't be split, and would be as much for any other node. */
  @Test
  void aPlanSetsTheSizeAndRewritesTheFiles() {
    Decision decision = Policies.AUTOPILOT.decide(scanned(32 << 10), PolicyState.INITIAL, SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    List<PlannedAction> actions = ((Decision.Act) decision).plan().actions();
    assertThat(actions).extracting(planned -> planned.action().kind()).contains("block-size");
    int resized =
        actions.stream()
            .filter(planned -> planned.action() instanceof Action.SetBlockSize)
            .mapToInt(PlannedAction::step)
            .min()
            .orElseThrow();
    assertThat(actions)
        .filteredOn(planned -> planned.action() instanceof Action.Compact)
        .isNotEmpty()
        .allSatisfy(
            planned -> {
              assertThat(planned.step()).isGreaterThan(resized);
              assertThat(planned.reason()).isEqualTo("its table has another block size");
            });
  }
}
