package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.agreement.Floor;
import io.trimtab.controller.choice.Generator.Candidate;
import io.trimtab.controller.choice.layout.KeptProfiles;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.PlanLimits;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.models.usage.LearnedNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Three nodes whose disks are busy as their caches are small, each with four partitions. Larger
 * caches need a restart, for which a node is emptied and filled again: eight moves.
 */
class RestartedNodesTest {
  private static final int ON_EACH = 4;
  private static final double PER_SECOND = 52;

  private final ByHand cluster = new ByHand();
  private Observation.Usable seen;

  @BeforeEach
  void threeNodes() {
    List<BlockHistogram> blocks = new ArrayList<>();
    double misses = ON_EACH * PER_SECOND;
    for (String name : List.of("a", "b", "c")) {
      NodeId node =
          cluster.node(
              name,
              Profile.HOMOGENEOUS,
              Double.NaN,
              ResourcesTest.IDLE + misses * 290e-6,
              misses * 4e-3);
      for (int i = 0; i < ON_EACH; i++) {
        PartitionId id = cluster.reads(node, "t", PER_SECOND);
        var bin = new BlockHistogram.Bin(500, 4_000);
        blocks.add(BlockHistogram.ofReads(id, List.of(bin), ByHand.BLOCK));
      }
    }
    seen =
        cluster
            .seen()
            .withBlocks(blocks)
            .with(Optional.of(LearnedNodes.alike(ResourcesTest.learned())));
  }

  private static Layout now(Observation.Usable seen, GuardSettings guard) {
    Settings settings =
        Settings.defaults()
            .with(Policies.AUTOPILOT)
            .with(PlaceSettings.builder().way(Action.ApplyMode.RESTART).build())
            .with(guard);
    return Layout.now(ByHand.load(seen, settings));
  }

  private Layout now(int maxMoves) {
    return now(seen, GuardSettings.builder().maxMoves(maxMoves).build());
  }

  private static Evaluator evaluator(Layout now) {
    return new Evaluator(now.load(), now, 0.7);
  }

  private static long restarts(Layout layout) {
    return layout.present().filter(layout::restarts).count();
  }

  private static Optional<Layout> otherProfiles(Layout now) {
    return new SmallSteps()
        .propose(now, evaluator(now)).stream()
            .filter(candidate -> candidate.title().equals("change profiles"))
            .map(Candidate::layout)
            .findFirst();
  }

  private static long moves(Layout now, Layout then) {
    return new LayoutPlan(now, evaluator(now))
        .actions(then).stream().filter(step -> step.action() instanceof Action.Move).count();
  }

  @Test
  void noMoreNodesAreRestartedThanThePlanMayEmptyAndFill() {
    Layout all = otherProfiles(now(500)).orElseThrow();
    assertThat(restarts(all)).isEqualTo(3);
    assertThat(moves(now(500), all)).isEqualTo(24);

    Layout some = otherProfiles(now(20)).orElseThrow();
    assertThat(restarts(some)).isEqualTo(2);
    assertThat(moves(now(20), some)).isEqualTo(16);

    assertThat(otherProfiles(now(7))).isEmpty();
  }

  @Test
  void theTableTellsTheMovesOfRestarts() {
    Layout now = now(500);
    Evaluator evaluator = evaluator(now);
    Candidate candidate = new Candidate("change profiles", otherProfiles(now).orElseThrow());
    Choice choice = new Choice(evaluator.cost(now), evaluator, List.of(candidate), Floor.NONE);

    Alternative told = choice.alternatives(Optional.empty(), Map.of()).get(0);
    assertThat(told.moves()).isEqualTo(24);
    assertThat(told.bytes()).isCloseTo(24 << 20, within(1.0));
    // Their caches hold all of it then.
    assertThat(told.rewritten()).isZero();
  }

  private static Layout allFor(Layout now, Profile profile) {
    Layout then = now.copy();
    then.present().forEach(n -> then.configure(n, profile));
    return then;
  }

  /** The rest follows with the next plans. */
  @Test
  void whereOnlyProfilesAreLeftAsManyNodesRestartAsOnePlanMay() {
    Layout now = now(20);
    Layout begun = GainOrder.begun(now, allFor(now, Profile.READ), evaluator(now)).orElseThrow();
    assertThat(restarts(begun)).isEqualTo(2);
    assertThat(begun.moved().count()).isZero();

    Layout little = now(7);
    assertThat(GainOrder.begun(little, allFor(little, Profile.READ), evaluator(little))).isEmpty();
  }

  private static List<Candidate> regrouped(Layout now) {
    return new Regroup(now.size()).propose(now, evaluator(now));
  }

  @Test
  void aNodeThatIsMoreThanAPlanMayMoveKeepsItsProfileAndTheTextSaysWhy() {
    for (Candidate candidate : regrouped(now(500))) {
      assertThat(candidate.title()).isEqualTo("regroup all partitions");
      assertThat(restarts(candidate.layout())).isEqualTo(3);
    }
    List<Candidate> kept = regrouped(now(3));
    assertThat(kept).isNotEmpty();
    for (Candidate candidate : kept) {
      assertThat(candidate.title())
          .matches(
              ".*regroup all partitions \\([abc]:1 and 2 more nodes keep their profiles:"
                  + " to restart the first takes [4-8] moves, guard\\.maxMoves allows 3\\)");
      assertThat(restarts(candidate.layout())).isZero();
    }
  }

  /** Of one node with four partitions of 400 MiB, which no cache holds. */
  private static String kept(GuardSettings guard) {
    ByHand large = new ByHand();
    NodeId full = large.node("full", Profile.WRITE, 0.9);
    large.node("idle", Profile.WRITE, 0.1);
    for (int i = 0; i < ON_EACH; i++) {
      large.partition(full, "t", new Rates(100, 0, 0, 0), 32 << 10, 400L << 20);
    }
    Layout then = now(large.seen(), guard).copy();
    int node = ByHand.index(then, full);
    then.configure(node, Profile.READ);
    String text = KeptProfiles.keep(then, new PlanLimits(then.load().settings()));
    assertThat(then.restarts(node)).isEqualTo(text.isEmpty());
    return text;
  }

  @Test
  void theTextNamesTheSettingThatLimits() {
    assertThat(kept(GuardSettings.builder().maxMoves(8).maxCompactions(4).build())).isEmpty();
    assertThat(kept(GuardSettings.builder().maxMoves(7).build()))
        .isEqualTo(
            " (full:1 keeps its profile: to restart it takes 8 moves, guard.maxMoves allows 7)");
    assertThat(kept(GuardSettings.builder().maxCompactions(3).build()))
        .isEqualTo(
            " (full:1 keeps its profile: to restart it takes 4 compactions,"
                + " guard.maxCompactions allows 3)");
    assertThat(kept(GuardSettings.builder().maxMovedGiB(5).build())).isEmpty();
    assertThat(kept(GuardSettings.builder().maxMovedGiB(4).build()))
        .isEqualTo(
            " (full:1 keeps its profile: to restart it takes moves and compactions of 5 GiB,"
                + " guard.maxMovedGiB allows 4)");
  }
}
