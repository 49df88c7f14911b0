package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cassandra.ControlKeyspace.Places;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ControlKeyspaceTest {
  private static final String SIMPLE = "org.apache.cassandra.locator.SimpleStrategy";

  private static Map<String, String> simple(int copies) {
    return Map.of("class", SIMPLE, "replication_factor", Integer.toString(copies));
  }

  private static Map<String, String> network(String dataCentre, int copies) {
    return Map.of("class", "NetworkTopologyStrategy", dataCentre, Integer.toString(copies));
  }

  /** All changes until none is needed. */
  private static List<Map<String, String>> changes(Map<String, String> from, Places places) {
    List<Map<String, String>> all = new ArrayList<>();
    Optional<Map<String, String>> next = ControlKeyspace.next(from, places);
    while (next.isPresent() && all.size() < 20) {
      all.add(next.get());
      next = ControlKeyspace.next(next.get(), places);
    }
    return all;
  }

  @Test
  void aRingThatGrowsGetsOneCopyAtATimeUpToThree() {
    Places five = new Places(Map.of("dc1", 5), true);

    assertThat(changes(simple(1), five))
        .containsExactly(network("dc1", 1), network("dc1", 2), network("dc1", 3));
    assertThat(changes(network("dc1", 3), five)).isEmpty();
  }

  @Test
  void copiesAreTakenAwayOnlyWhereThereAreFewerNodes() {
    assertThat(changes(network("dc1", 3), new Places(Map.of("dc1", 2), true)))
        .containsExactly(network("dc1", 2));
    assertThat(changes(network("dc1", 5), new Places(Map.of("dc1", 6), true))).isEmpty();
  }

  @Test
  void aNewDataCentreGetsCopiesOfItsOwn() {
    Places both = new Places(Map.of("dc1", 3, "dc2", 2), false);

    List<Map<String, String>> changes = changes(network("dc1", 3), both);

    assertThat(changes).hasSize(2);
    assertThat(changes.get(0)).containsEntry("dc1", "3").containsEntry("dc2", "1");
    assertThat(changes.get(1)).containsEntry("dc1", "3").containsEntry("dc2", "2");
  }

  @Test
  void theStrategyStaysWhereTheOtherOneCouldChooseOtherNodes() {
    Places racks = new Places(Map.of("dc1", 4), false);

    assertThat(changes(simple(1), racks)).containsExactly(simple2(2), simple2(3));
  }

  private static Map<String, String> simple2(int copies) {
    return Map.of("class", "SimpleStrategy", "replication_factor", Integer.toString(copies));
  }

  @Test
  void nothingIsChangedWhereNothingIsKnown() {
    assertThat(changes(Map.of(), new Places(Map.of("dc1", 3), true))).isEmpty();
    assertThat(changes(simple(1), new Places(Map.of(), false))).isEmpty();
  }

  @Test
  void aQuoteInANameIsEscaped() {
    assertThat(ControlKeyspace.cql(Map.of("it's", "1"))).isEqualTo("{'it''s': '1'}");
  }
}
