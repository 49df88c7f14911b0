package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.trimtab.cassandra.ControlKeyspace.Places;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.host.InCharge;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** With a ring that is being upgraded, where the keyspace may be known; counts statements. */
  private static CqlSession session(Optional<KeyspaceMetadata> known, AtomicInteger statements) {
    Map<UUID, Node> nodes =
        Map.of(
            new UUID(0, 1), CassandraEngineTest.node("4.1.10", NodeState.UP),
            new UUID(0, 2), CassandraEngineTest.node("5.0.9", NodeState.UP));
    Metadata metadata =
        CassandraEngineTest.fake(Metadata.class, asked -> asked.equals("getNodes") ? nodes : known);
    return CassandraEngineTest.fake(
        CqlSession.class,
        asked -> {
          if (asked.equals("execute")) {
            statements.incrementAndGet();
          }
          return asked.equals("getMetadata") ? metadata : null;
        });
  }

  @Test
  void theSchemaOfARingThatIsBeingUpgradedIsLeftAlone() throws LostControlException {
    AtomicInteger statements = new AtomicInteger();
    ControlKeyspace none = new ControlKeyspace(session(Optional.empty(), statements), "shop");
    assertThatThrownBy(none::create)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("nodes run Cassandra 4.1.10 and 5.0.9: nothing is changed");

    KeyspaceMetadata many =
        CassandraEngineTest.fake(
            KeyspaceMetadata.class,
            asked -> asked.equals("getReplication") ? network("dc1", 5) : Optional.empty());
    ControlKeyspace old = new ControlKeyspace(session(Optional.of(many), statements), "shop");
    old.adapt(InCharge.ANYBODY);
    assertThat(statements).hasValue(0);
  }
}
