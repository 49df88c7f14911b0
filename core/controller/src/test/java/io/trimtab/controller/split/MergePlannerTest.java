package io.trimtab.controller.split;

import static io.trimtab.controller.split.World.START;
import static io.trimtab.controller.split.World.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.ahead.Ahead;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Met1Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What was split is merged once it is cold. */
class MergePlannerTest {
  private static final Settings DEFAULTS = Settings.defaults();
  private static final PolicyState LATER = new PolicyState(1, false, List.of(), List.of());

  @Test
  void coldHalvesAreMergedAgainAfterAWhile() {
    World world = new World();
    world.add("left", 0, 0, 700, 1);
    world.add("right", 1, 700, 30_000, 2);
    world.add("b", 1, 30_000, 50_000, 300);
    world.add("c", 2, 50_000, 65_536, 400);
    PolicyState state = LATER.with(new PolicyState.Boundary("t", key(700), true, START));
    world.now = START.plus(Duration.ofMinutes(59));
    assertThat(new Met1Policy().decide(world.seen(), state, DEFAULTS))
        .isInstanceOf(Decision.Hold.class);

    world.now = START.plus(Duration.ofMinutes(61));
    Decision.Act act = (Decision.Act) new Met1Policy().decide(world.seen(), state, DEFAULTS);

    assertThat(act.plan().actions())
        .extracting(PlannedAction::action)
        .containsExactly(
            new Action.Merge(
                new PartitionId("t", "left"),
                new PartitionId("t", "right"),
                new KeyRange(RowKey.EMPTY, key(30_000)),
                key(700)));
    assertThat(PlanApplier.apply(act.plan(), world.seen().snapshot()).partitions()).hasSize(3);
    Settings others = DEFAULTS.with(new TableSettings(List.of("u"), null));
    assertThat(new Met1Policy().decide(world.seen(), state, others))
        .isInstanceOf(Decision.Hold.class);
    // A boundary that the operator made is the operator's.
    assertThat(new Met1Policy().decide(world.seen(), LATER, DEFAULTS))
        .isInstanceOf(Decision.Hold.class);
  }

  /** By day both were asked for as the rest is. */
  @Test
  void whatIsHotByDayIsNotMergedAtNight() {
    World world = new World();
    world.add("left", 0, 0, 700, 1);
    world.add("right", 1, 700, 30_000, 2);
    world.add("u", "b", 1, 300);
    world.add("u", "c", 2, 400);
    PolicyState state = LATER.with(new PolicyState.Boundary("t", key(700), true, START));
    world.now = START.plus(Duration.ofHours(30));

    assertThat(merges(world.seen().with(highest(3, 700)), state)).hasSize(1);
    assertThat(merges(world.seen().with(highest(300, 700)), state)).isEmpty();
    // All were asked for more alike.
    assertThat(merges(world.seen().with(highest(300, 70_000)), state)).hasSize(1);
    world.rates.replaceAll((id, rates) -> id.table().equals("t") ? Rates.ZERO : rates);
    assertThat(merges(world.seen().with(highest(0, 700)), state)).hasSize(1);
    assertThat(merges(world.seen().with(highest(300, 700)), state)).isEmpty();
  }

  /** Of the two tables within the last day. */
  private static Ahead highest(double t, double u) {
    return new Ahead(
        within -> Map.of(),
        past -> past.equals(Duration.ofDays(1)) ? Map.of("t", t, "u", u) : Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  private static List<Action.Merge> merges(Observation.Usable seen, PolicyState state) {
    return MergePlanner.merges(seen, seen.snapshot().nodes(), state, DEFAULTS);
  }

  /** The rest follows with the next plan. */
  @Test
  void noMoreIsMergedThanOnePlanMay() {
    World world = new World();
    world.add("a", 0, 0, 300, 1);
    world.add("b", 1, 300, 700, 1);
    world.add("c", 0, 700, 1_000, 1);
    world.add("d", 1, 1_000, 65_536, 1);
    world.add("u", "hot", 2, 900);
    PolicyState state =
        LATER
            .with(new PolicyState.Boundary("t", key(300), true, START))
            .with(new PolicyState.Boundary("t", key(1_000), true, START));
    world.now = START.plus(Duration.ofHours(30));
    Settings one = DEFAULTS.with(GuardSettings.builder().maxMerges(1).build());
    Observation.Usable seen = world.seen();

    assertThat(merges(seen, state)).hasSize(2);
    assertThat(MergePlanner.merges(seen, seen.snapshot().nodes(), state, one)).hasSize(1);
  }

  /** Another table's peak of yesterday makes nothing cold that is hot now. */
  @Test
  void whatIsHotNowIsNotMergedWhateverWasHotYesterday() {
    World world = new World();
    world.add("left", 0, 0, 700, 400);
    world.add("right", 1, 700, 30_000, 400);
    world.add("b", 2, 30_000, 65_536, 200);
    world.add("u", "c", 2, 10);
    PolicyState state = LATER.with(new PolicyState.Boundary("t", key(700), true, START));
    world.now = START.plus(Duration.ofHours(30));

    assertThat(merges(world.seen().with(highest(1_000, 100_000)), state)).isEmpty();
  }
}
