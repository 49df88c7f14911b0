package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is left as it is does not keep the rest from being placed. */
class FrozenTest {
  private static final Instant NOW = RandomCluster.NOW;
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(GuardSettings.builder().maxMovedGiB(10_000).minGain(0.0).build())
          .with(Policies.MET_1);

  private static Decider.NextStep decide(Observation.Usable seen, Stability stability) {
    return Decider.decide(
        new Decider.Context(
            seen,
            new TreeMap<NodeId, Duration>(),
            PolicyState.INITIAL,
            SETTINGS,
            new Decider.Past(
                Optional.empty(),
                Optional.empty(),
                OptionalDouble.empty(),
                Setbacks.NONE,
                stability,
                ""),
            Optional.of(NodeCapacity.of(100)),
            false,
            NOW));
  }

  private static Observation.Usable observed(long seed) {
    RandomCluster cluster = new RandomCluster(seed);
    return new Observation.Usable(
        cluster.snapshot, cluster.rates, cluster.usage, cluster.usage, List.of());
  }

  private static Optional<Plan> plan(Decider.NextStep step) {
    return step instanceof Decider.Go go ? Optional.of(go.act().plan()) : Optional.empty();
  }

  private static Stability moved(PartitionId partition, NodeId a, NodeId b) {
    List<Stability.Moved> moves = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      moves.add(new Stability.Moved(NOW.minusSeconds(60), partition, a, b));
      moves.add(new Stability.Moved(NOW.minusSeconds(60), partition, b, a));
    }
    return new Stability(moves, List.of(), List.of());
  }

  private static Stability reprofiled(NodeId node) {
    List<Stability.Reprofiled> changes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      changes.add(
          new Stability.Reprofiled(NOW.minusSeconds(60), node, Profile.READ, Profile.WRITE));
      changes.add(
          new Stability.Reprofiled(NOW.minusSeconds(60), node, Profile.WRITE, Profile.READ));
    }
    return new Stability(List.of(), List.of(), changes);
  }

  @Test
  void theOthersMoveAroundAFrozenPartition() {
    int around = 0;
    for (long seed = 0; seed < 60; seed++) {
      Observation.Usable seen = observed(seed);
      List<Action.Move> moves =
          plan(decide(seen, Stability.NONE))
              .map(p -> p.actions(Action.Move.class))
              .orElse(List.of());
      if (moves.size() < 3) {
        continue;
      }
      Action.Move first = moves.get(0);
      Decider.NextStep next = decide(seen, moved(first.partition(), first.from(), first.to()));
      if (next instanceof Decider.Refusal refusal && refusal.by().equals("guard")) {
        assertThat(refusal.setting()).as("seed %d", seed).isNotEqualTo("stability.returns");
      }
      List<Action.Move> others =
          plan(next).map(p -> p.actions(Action.Move.class)).orElse(List.of());
      assertThat(others)
          .as("seed %d", seed)
          .extracting(Action.Move::partition)
          .doesNotContain(first.partition());
      around += others.isEmpty() ? 0 : 1;
    }
    assertThat(around).isGreaterThan(10);
  }

  @Test
  void theOthersAreReconfiguredBesideAFrozenNode() {
    int beside = 0;
    for (long seed = 0; seed < 60; seed++) {
      Observation.Usable seen = observed(seed);
      List<Action.Reconfigure> changes =
          plan(decide(seen, Stability.NONE))
              .map(p -> p.actions(Action.Reconfigure.class))
              .orElse(List.of());
      if (changes.size() < 2) {
        continue;
      }
      NodeId first = changes.get(0).node();
      Decider.NextStep next = decide(seen, reprofiled(first));
      if (next instanceof Decider.Refusal refusal && refusal.by().equals("guard")) {
        assertThat(refusal.setting()).as("seed %d", seed).isNotEqualTo("stability.returns");
      }
      List<Action.Reconfigure> others =
          plan(next).map(p -> p.actions(Action.Reconfigure.class)).orElse(List.of());
      assertThat(others)
          .as("seed %d", seed)
          .extracting(Action.Reconfigure::node)
          .doesNotContain(first);
      beside += others.isEmpty() ? 0 : 1;
    }
    assertThat(beside).isGreaterThan(5);
  }
}
