package io.trimtab.controller.agreement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.health.Quarantine;
import io.trimtab.controller.health.UnreadCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.Ownership;
import io.trimtab.models.capacity.Objective;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What 100 clients need: 4 nodes for 30 ms, and for 27, which leave a tenth. */
class AgreementsTest {
  private static Agreements of(Service... services) {
    Observation.Usable seen =
        new Observation.Usable(
            RandomCluster.snapshot(List.of(), List.of()), Map.of(), Map.of(), Map.of(), List.of());
    return Agreements.of(seen.withServices(List.of(services)), Shop.SETTINGS);
  }

  @Test
  void withoutAnAgreementNothingIsNeeded() {
    assertThat(of().floor(5)).isEqualTo(Floor.NONE);
    assertThat(of().wanted(5)).isEmpty();
    MostNodes allowed = new MostNodes(9, "", "guard.maxNodes");
    assertThat(of().most(allowed)).isEqualTo(allowed);
  }

  @Test
  void asManyNodesStayAsTheTablesSayWithAMargin() {
    Floor floor = of(Shop.service(30, 100, 20)).floor(6);
    assertThat(floor.nodes()).isEqualTo(4);
    assertThat(floor.brief()).isEqualTo("agreement shop needs 4 nodes");
    assertThat(floor.setting()).isEqualTo("slo.margin");
    assertThat(floor.told()).startsWith("shop's agreement is kept: 100 clients");

    // One fewer would keep 34 ms, and leave less than a tenth.
    Floor tight = of(Shop.service(34, 100, 25)).floor(4);
    assertThat(tight.nodes()).isEqualTo(4);
    assertThat(tight.brief()).isEqualTo("agreement shop needs 4 nodes");
    assertThat(tight.told()).contains("3 nodes would not meet it: response time 33.3 ms > 30.6");
  }

  /** At night; 100 need 4 nodes with the margin, 20 of them one. */
  @Test
  void belowWhatTheAgreedClientsNeedOneNodeIsGivenBackAtATime() {
    Service few = Shop.service(30, 20, 5);
    assertThat(of(few).floor(8).nodes()).isEqualTo(4);
    assertThat(of(few).floor(4).nodes()).isEqualTo(3);
    assertThat(of(few).floor(3).nodes()).isEqualTo(2);
    assertThat(of(few).floor(1).nodes()).isEqualTo(1);
    assertThat(of(few).floor(8).brief())
        .isEqualTo(
            "only 20 of shop's 100 clients ask now; nodes that all of them need are given back one"
                + " at a time");
    assertThat(of(few).floor(8).setting()).isEqualTo("slo.checks");
    assertThat(of(Shop.service(30, 100, 5)).floor(8).brief())
        .isEqualTo("agreement shop needs 4 nodes");
  }

  @Test
  void severalNeedAsManyNodesAsEachAlone() {
    double any = Double.NaN;
    List<Check> checks = Collections.nCopies(Shop.CHECKS, Shop.check(100, 20, 1));
    Objective promised = new Objective("zipf", 100, 60, any, any, any, 8);
    Floor floor =
        of(
                Shop.service("shop", promised, false, checks),
                Shop.service("logs", promised, false, checks))
            .floor(6);
    assertThat(floor.nodes()).isEqualTo(4);
    assertThat(floor.brief()).isEqualTo("the agreements need 4 nodes together (shop 2, logs 2)");
  }

  @Test
  void whatIsNotKnownGivesNoNodeBackAndAddsNone() {
    Agreements few = of(Shop.service(30, 8, false, 3, 100, 20));
    assertThat(few.floor(6).nodes()).isEqualTo(6);
    assertThat(few.floor(6).brief())
        .isEqualTo("3 of 20 checks of what shop's clients report since the last change");
    assertThat(few.wanted(6)).isEmpty();

    List<Check> filling = new ArrayList<>();
    for (int i = 0; i < Shop.CHECKS; i++) {
      Check check = Shop.check(100, 90, 1);
      filling.add(new Check(100, 90, check.percentiles(), 1, 100 + 20 * i, check.cacheMaxBytes()));
    }
    double any = Double.NaN;
    Objective promised = new Objective("zipf", 100, 30, any, any, any, 8);
    Agreements cold = of(Shop.service("shop", promised, false, filling));
    assertThat(cold.isMissed()).isFalse();
    assertThat(cold.wanted(6)).isEmpty();
    assertThat(cold.floor(6).nodes()).isEqualTo(6);
  }

  @Test
  void oneThatIsMissedNeedsWhatTheTablesSayOrOneMore() {
    Wanted byTables = of(Shop.service(30, 100, 50)).wanted(2).orElseThrow();
    assertThat(byTables.nodes()).isEqualTo(4);
    assertThat(byTables.sure()).isTrue();
    assertThat(byTables.brief()).isEqualTo("agreement shop needs 4 nodes");
    assertThat(byTables.why())
        .startsWith("shop: mean response time 50.0 ms > 30.0; 100 clients, 50.0 ms")
        .endsWith("; by the tables it takes 4 nodes");

    Wanted onlyOne = of(Shop.service(30, 100, 50)).wanted(4).orElseThrow();
    assertThat(onlyOne.nodes()).isEqualTo(5);
    assertThat(onlyOne.sure()).isFalse();
    assertThat(onlyOne.brief()).isEqualTo("agreement shop is missed with 4 nodes");
    assertThat(of(Shop.service(30, 100, 50)).floor(4).nodes()).isEqualTo(4);
  }

  /** Of 200 clients, 100 more than agreed, who would take 7 nodes. */
  @Test
  void clientsThatNobodyPaysForGetNoNodes() {
    Agreements unpaid = of(Shop.service(30, 8, false, Shop.CHECKS, 200, 50)).ofPaying();
    assertThat(unpaid.isMissed()).isTrue();
    assertThat(unpaid.wanted(4)).isEmpty();
    assertThat(unpaid.unpaid())
        .isEqualTo(
            "; shop: mean response time 50.0 ms > 30.0, but 100 of its 200 clients are more than"
                + " agreed, and no node is added for these");
    assertThat(unpaid.floor(4).nodes()).as("nor is one given back").isEqualTo(4);
    assertThat(unpaid.wanted(2).map(Wanted::nodes)).as("for the agreed clients").contains(4);

    Agreements paid = of(Shop.service(30, 8, true, Shop.CHECKS, 200, 50)).ofPaying();
    assertThat(paid.wanted(4).map(Wanted::nodes)).contains(7);
    assertThat(paid.unpaid()).isEmpty();
    Agreements all = of(Shop.service(30, 8, false, Shop.CHECKS, 200, 50));
    assertThat(all.wanted(4).map(Wanted::nodes)).as("as policy slo has it").contains(7);
  }

  /** They hold back, and are answered as was agreed. */
  @Test
  void nodesAreGivenBackByTheClientsThatWereAgreed() {
    Agreements unpaid = of(Shop.service(30, 8, false, Shop.CHECKS, 200, 20)).ofPaying();
    assertThat(unpaid.isMissed()).isFalse();
    assertThat(unpaid.floor(8).nodes()).isEqualTo(4);
    assertThat(of(Shop.service(30, 8, true, Shop.CHECKS, 200, 20)).ofPaying().floor(8).nodes())
        .isEqualTo(8);
  }

  @Test
  void noMoreNodesThanTheTenantsAccept() {
    Agreements agreed = of(Shop.service(30, 5, false, Shop.CHECKS, 100, 50));
    MostNodes most = agreed.most(new MostNodes(9, "", "guard.maxNodes"));
    assertThat(most.nodes()).isEqualTo(5);
    assertThat(most.refusal()).isEqualTo("5 nodes are the most allowed");
    assertThat(most.setting()).isEqualTo("maxNodes of the agreement");
    assertThat(agreed.most(new MostNodes(4, "", "guard.maxNodes")).nodes()).isEqualTo(4);
  }

  /** It may serve again at any time. */
  @Test
  void aNodeThatCantBeReadIsOneOfThoseThatTheTenantsAccept() {
    Service shop = Shop.service(30, 6, false, Shop.CHECKS, 100, 50);
    Observation.Usable all =
        UnreadCluster.seen(UnreadCluster.of(Ownership.ASSIGNED, 5, 0.5, 0))
            .withServices(List.of(shop));
    for (Observation.Usable seen : List.of(all, Quarantine.without(all))) {
      MostNodes most =
          Agreements.of(seen, Shop.SETTINGS).most(new MostNodes(9, "", "guard.maxNodes"));
      assertThat(most.nodes()).as("with the one that can't").isEqualTo(5);
      assertThat(most.refusal())
          .isEqualTo("6 nodes are the most allowed, with 1 node being emptied or not read");
    }
  }

  /** The autopilot would not even listen to its clients. */
  @Test
  void furtherAgreementsWithoutAFirstOneAreRefused() {
    SloSettings also =
        SloSettings.builder().also(List.of("logs.yaml")).tables(List.of("t.csv")).build();
    assertThatThrownBy(() -> Settings.defaults().with(also))
        .hasMessageStartingWith("slo.sla is missing; slo.also names further agreements");
    Settings other = Settings.defaults().with(Policies.TIRAMOLA);
    assertThat(other.with(also).slo().also()).as("policies that keep none").hasSize(1);
  }
}
