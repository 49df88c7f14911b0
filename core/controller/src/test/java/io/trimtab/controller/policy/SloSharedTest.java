package io.trimtab.controller.policy;

import static io.trimtab.controller.policy.SloPolicyTest.SETTINGS;
import static io.trimtab.controller.policy.SloPolicyTest.added;
import static io.trimtab.controller.policy.SloPolicyTest.checks;
import static io.trimtab.controller.policy.SloPolicyTest.decide;
import static io.trimtab.controller.policy.SloPolicyTest.held;
import static io.trimtab.controller.policy.SloPolicyTest.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Service;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.models.capacity.Objective;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Several agreements on one cluster, by the tables of {@link SloPolicyTest}: 100 clients need 3
 * nodes for 40 ms, and for 36 ms, which leave a tenth.
 */
class SloSharedTest {
  private static Service service(String tenant, int maxNodes, List<Check> checks) {
    double any = Double.NaN;
    Objective objective = new Objective("zipf", 100, 40, any, any, any, maxNodes);
    return new Service(tenant, objective, table(), "small", checks);
  }

  @Test
  void whereOneIsBrokenThereAreNodesForAll() {
    Service shop = service("shop", 20, checks(20, 100, 50));
    Service logs = service("logs", 20, checks(20, 100, 20));
    Decision more = decide(4, SETTINGS, shop, logs);
    assertThat(added(more)).as("3 and 3").isEqualTo(2);
    assertThat(((Decision.Act) more).plan().summary())
        .contains("shop: mean response time 50.0 ms > 40.0")
        .doesNotContain("logs: ");
    assertThat(added(decide(6, SETTINGS, shop, logs)))
        .as("where the tables say that there are enough")
        .isEqualTo(1);
  }

  @Test
  void clientsThatAreAwayMayBeBack() {
    Service shop = service("shop", 20, checks(20, 100, 50));
    Service silent = service("logs", 20, List.of());
    assertThat(added(decide(4, SETTINGS, shop, silent))).isEqualTo(2);
    Service kept = service("shop", 20, checks(20, 100, 20));
    assertThat(held(decide(8, SETTINGS, kept, silent)))
        .isEqualTo("0 of 20 checks of what logs's clients report since the last change");
  }

  @Test
  void aNodeIsGivenBackIfTheRestIsEnoughForAll() {
    Service shop = service("shop", 20, checks(20, 100, 20));
    Service logs = service("logs", 20, checks(20, 100, 20));
    assertThat(held(decide(6, SETTINGS, shop, logs)))
        .contains("shop's agreement is kept: ")
        .contains("logs's agreement is kept: ")
        .contains("together they need 6 nodes (shop 3, logs 3)");
    assertThat(((Decision.Act) decide(7, SETTINGS, shop, logs)).plan().actions())
        .singleElement()
        .satisfies(a -> assertThat(a.action().kind()).isEqualTo("remove-node"));
    Service tiny = service("tiny", 20, checks(20, 10, 3));
    assertThat(held(decide(7, SETTINGS, shop, tiny)))
        .contains("no table tells that tiny needs no more than 6 nodes");
  }

  @Test
  void theStrictestOfTheirLimitsCounts() {
    Service shop = service("shop", 20, checks(20, 100, 50));
    Service logs = service("logs", 5, checks(20, 100, 20));
    Decision full = decide(5, SETTINGS, shop, logs);
    assertThat(held(full)).contains("shop: mean response time").contains("5 nodes are the most");
    assertThat(((Decision.Hold) full).setting()).isEqualTo("maxNodes of the agreement");
  }
}
