package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.Rings;
import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanCosts;
import io.trimtab.controller.policy.AutopilotPolicyTest;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangePriceTest {
  /** The same cluster, where nodes tell that they have the plug-in, or that they don't. */
  private static ClusterLoad load(boolean plugin) throws Exception {
    return load(plugin, PolicyState.INITIAL);
  }

  private static ClusterLoad load(boolean plugin, PolicyState state) throws Exception {
    return load(AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode()), plugin, state);
  }

  private static ClusterLoad load(Observation.Usable seen, boolean plugin, PolicyState state) {
    ClusterSnapshot now = seen.snapshot();
    List<NodeState> nodes =
        now.nodes().stream()
            .map(
                node ->
                    new NodeState(
                        node.id(),
                        node.incarnation(),
                        true,
                        false,
                        node.profile(),
                        plugin,
                        node.usage(),
                        node.gauges()))
            .toList();
    Observation.Usable told = seen.on(now.with(nodes, now.partitions(), now.gaps()));
    return new ClusterLoad(new DecisionContext(told, state, Settings.defaults()));
  }

  /** Of the blocks that were cached, most need not be asked for in vain. */
  @Test
  void whereThePluginHandsBlocksOverAMoveIsCheaper() throws Exception {
    ClusterLoad with = load(true);
    ClusterLoad without = load(false);
    ChangePrice warm = new ChangePrice(with, Layout.now(with));
    ChangePrice cold = new ChangePrice(without, Layout.now(without));
    for (int p = 0; p < with.partitions().size(); p++) {
      int from = with.at(p);
      int to = from == 0 ? 1 : 0;
      // Two seconds, and requests that are lost weigh five times as much.
      double closed = 10 * with.demand(p).corrected();

      assertThat(warm.ofMove(with.demand(p), from, to)).isGreaterThan(closed);
      assertThat(warm.ofMove(with.demand(p), from, to) - closed)
          .isLessThan(0.5 * (cold.ofMove(without.demand(p), from, to) - closed));
    }
  }

  /** What leaves a node while it restarts comes back to its files. */
  @Test
  void aRestartRewritesNothing() throws Exception {
    Observation.Usable seen = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode());
    ClusterLoad load =
        load(Rings.storing(seen, node -> true, 10L << 30), false, PolicyState.INITIAL);
    Layout now = Layout.now(load);
    ChangePrice price = new ChangePrice(load, now);
    int node = load.at(0);
    Profile other = now.profile(node) == Profile.WRITE ? Profile.READ : Profile.WRITE;
    int[] held = now.on(node).toArray();
    double twice = 0;
    double rewritten = 0;
    for (int p : held) {
      twice += 2 * price.ofMove(load.demand(p), node, node);
      boolean large = load.demand(p).bytes() > now.memory(node).cacheBytes() / 4;
      rewritten += large ? load.demand(p).bytes() / ChangePrice.COMPACT_BYTES_PER_SECOND : 0;
    }

    assertThat(rewritten).as("of moves that stay").isPositive();
    assertThat(price.ofProfile(now, node, other))
        .isCloseTo(30 * now.usage(node) + twice - 2 * rewritten, within(1e-6));
  }

  @Test
  void aPlanTakesAsLongAsItsMovesAndWhatIsRewritten() throws Exception {
    ClusterLoad load = load(false);
    Layout now = Layout.now(load);
    ChangePrice price = new ChangePrice(load, now);
    double rewriting = load.demand(0).bytes() / ChangePrice.COMPACT_BYTES_PER_SECOND;
    Layout moved = now.copy();
    moved.move(0, load.at(0) == 0 ? 1 : 0);
    Layout compacted = now.copy();
    compacted.compact(0, 0);

    assertThat(price.seconds(now)).isZero();
    // Two moves at a time, of two seconds each.
    assertThat(price.seconds(moved)).isBetween(1.0, 1 + rewriting);
    assertThat(price.seconds(compacted)).isCloseTo(rewriting, within(1e-9));
    ClusterLoad plugin = load(true);
    assertThat(new ChangePrice(plugin, Layout.now(plugin)).seconds(moved))
        .as("blocks are handed over first")
        .isGreaterThan(price.seconds(moved));
  }

  @Test
  void toANodeThatIsAddedBlocksAreHandedOverIfAllOthersDoIt() throws Exception {
    for (boolean plugin : new boolean[] {true, false}) {
      ClusterLoad load = load(plugin);
      ChangePrice price = new ChangePrice(load, Layout.now(load));
      int added = load.nodes().size();
      int other = load.at(0) == 0 ? 1 : 0;

      assertThat(price.ofMove(load.demand(0), load.at(0), added))
          .isEqualTo(price.ofMove(load.demand(0), load.at(0), other));
    }
  }

  @Test
  void whatPlansHaveCostUsersIsThePriceOfAMoveWhateverIsMoved() throws Exception {
    Instant now = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode()).snapshot().takenAt();
    PolicyState measured =
        PolicyState.INITIAL.with(Optional.of(new PlanCosts(16, 4, 0, now.minusSeconds(1))));
    ClusterLoad before = load(false);
    ClusterLoad after = load(false, measured);
    ChangePrice guessed = new ChangePrice(before, Layout.now(before));
    ChangePrice known = new ChangePrice(after, Layout.now(after));
    // Four seconds of all nodes' requests, which weigh five times as much as a node.
    double lost = 4 * after.nodes().size() * 5;
    for (int p = 0; p < after.partitions().size(); p++) {
      int from = after.at(p);
      int to = from == 0 ? 1 : 0;
      double rest = guessed.ofMove(before.demand(p), from, to) - 10 * before.demand(p).corrected();

      assertThat(known.ofMove(after.demand(p), from, to)).isCloseTo(rest + lost, within(0.01));
    }
  }

  /** What was measured long ago tells nothing, and no move is cheap because of it. */
  @Test
  void whatIsForgottenIsGuessedAgain() throws Exception {
    Instant now = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode()).snapshot().takenAt();
    Instant longAgo = now.minus(Duration.ofDays(3));
    ClusterLoad before = load(false);
    ClusterLoad after =
        load(false, PolicyState.INITIAL.with(Optional.of(new PlanCosts(0, 4, 0, longAgo))));
    int to = before.at(0) == 0 ? 1 : 0;

    assertThat(new ChangePrice(after, Layout.now(after)).ofMove(after.demand(0), after.at(0), to))
        .isCloseTo(
            new ChangePrice(before, Layout.now(before)).ofMove(before.demand(0), after.at(0), to),
            within(0.01));
  }

  @Test
  void noMoveIsFreeHoweverLittleWasLost() throws Exception {
    Instant now = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode()).snapshot().takenAt();
    ClusterLoad load =
        load(false, PolicyState.INITIAL.with(Optional.of(new PlanCosts(0, 4, 0, now))));
    ChangePrice price = new ChangePrice(load, Layout.now(load));

    assertThat(price.ofMove(load.demand(0), load.at(0), load.at(0) == 0 ? 1 : 0)).isPositive();
  }

  @Test
  void aPlanIsSaidToTakeAsLongAsPlansTookLately() throws Exception {
    Instant now = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode()).snapshot().takenAt();
    ClusterLoad before = load(false);
    ClusterLoad after =
        load(false, PolicyState.INITIAL.with(Optional.of(new PlanCosts(0, 4, 52, now))));

    assertThat(seconds(before, 2)).isLessThan(13);
    assertThat(seconds(after, 2)).isCloseTo(26, within(1e-9));
    assertThat(seconds(after, 0)).isZero();
  }

  /** How long a plan is said to take that moves so many partitions to the next node. */
  private static double seconds(ClusterLoad load, int moves) {
    Layout now = Layout.now(load);
    Layout then = now.copy();
    for (int p = 0; p < moves; p++) {
      then.move(p, load.at(p) == 0 ? 1 : 0);
    }
    return new ChangePrice(load, now).seconds(then);
  }
}
