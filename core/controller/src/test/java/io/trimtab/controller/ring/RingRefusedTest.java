package io.trimtab.controller.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.Rings;
import io.trimtab.controller.agreement.Shop;
import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Where the best plan for a ring may not be carried out, the next best one is. */
class RingRefusedTest {
  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);

  private final List<Decision.Act> asked = new ArrayList<>();

  private Decision decide(
      Observation.Usable seen, Settings settings, Policy.Reach reach, Predicate<Decision.Act> bad) {
    Policy.Veto veto =
        act -> {
          asked.add(act);
          return bad.test(act)
              ? Optional.of(new Policy.Refused("it was in vain", "guard.some", reach))
              : Optional.empty();
        };
    return Policies.AUTOPILOT.heeding(veto).decide(seen, PolicyState.INITIAL, settings);
  }

  private Decision decide(Observation.Usable seen, Predicate<Decision.Act> bad) {
    return decide(seen, SETTINGS, Policy.Reach.ONE, bad);
  }

  /** Nodes that should have another profile, of which nothing tells what that brings. */
  private static Observation.Usable unlike(double... usage) {
    Profile profile = new Profile("CUSTOM", 0.03, 0.20, 32 << 10);
    return Rings.seen(Optional.of(profile), new Rates(100, 0, 0, 10), usage);
  }

  private static boolean configures(Decision.Act act) {
    return !act.plan().actions(Action.Reconfigure.class).isEmpty();
  }

  private static int joining(Decision decision) {
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return ((Decision.Act) decision).plan().actions(Action.AddNode.class).size();
  }

  private static String verdict(Decision decision, String title) {
    return decision.weighed().stream()
        .filter(alternative -> alternative.title().equals(title))
        .map(Alternative::verdict)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whereToConfigureNodesIsRefusedOneJoins() {
    Decision decision = decide(unlike(0.85, 0.85, 0.85), RingRefusedTest::configures);

    assertThat(joining(decision)).isOne();
    assertThat(verdict(decision, RingTable.CONFIGURE)).isEqualTo("refused: it was in vain");
    assertThat(verdict(decision, "add a node")).isEqualTo("chosen");
  }

  /** Of machines that are shared, for example, one may have room where two have none. */
  @Test
  void whereSoManyNodesAreRefusedFewerJoin() {
    Decision decision = decide(Rings.seen(0.95, 0.95, 0.95), act -> joining(act) > 1);

    assertThat(joining(decision)).isOne();
    assertThat(verdict(decision, "add 2 nodes")).isEqualTo("refused: it was in vain");
    assertThat(verdict(decision, "add a node")).isEqualTo("chosen");
  }

  @Test
  void anAgreementGetsFewerNodesWhereSoManyAreRefused() {
    Observation.Usable seen =
        Rings.seen(0.5, 0.5, 0.5).withServices(List.of(Shop.service(24, 100, 60)));
    Decision decision = decide(seen, Shop.SETTINGS, Policy.Reach.ONE, act -> joining(act) > 1);

    assertThat(joining(decision)).isOne();
    assertThat(verdict(decision, "add 2 nodes")).isEqualTo("refused: it was in vain");
  }

  /** Who is refused everything is told why of the best. */
  @Test
  void whereAllIsRefusedTheBestIsProposed() {
    Decision all = decide(unlike(0.85, 0.85, 0.85), act -> true);

    assertThat(configures((Decision.Act) all)).isTrue();
    assertThat(verdict(all, RingTable.CONFIGURE)).isEqualTo("refused: it was in vain");
    assertThat(all.weighed())
        .extracting(Alternative::verdict)
        .noneMatch(verdict -> verdict.startsWith("chosen"));
  }

  /** The one that is told is not that of the agreement, which would be the limit of nodes. */
  @Test
  void whoWaitsIsToldSoBesideAnAgreement() {
    Settings three = Shop.SETTINGS.with(GuardSettings.builder().minNodes(3).maxNodes(3).build());
    Observation.Usable seen =
        unlike(0.95, 0.95, 0.95).withServices(List.of(Shop.service(24, 100, 60)));
    Decision decision = decide(seen, three, Policy.Reach.ALL, act -> true);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(decision.weighed())
        .extracting(Alternative::verdict)
        .contains("refused: it was in vain")
        .noneMatch(verdict -> verdict.startsWith("chosen") || verdict.contains("chosen one"));
  }

  @Test
  void whatIsWaitedForIsNotGoneAround() {
    Decision all = decide(unlike(0.95, 0.95, 0.95), SETTINGS, Policy.Reach.ALL, act -> true);

    assertThat(asked).isNotEmpty().allMatch(RingRefusedTest::configures);
    assertThat(configures((Decision.Act) all)).isTrue();
  }
}
