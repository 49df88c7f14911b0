package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.trimtab.engineapi.NodeId;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Under which name a node's table of settings has the memory of memtables. */
class MemtableSpaceTest {
  private static final long HEAP = 1_000L << 20;
  private static final UUID ID = new UUID(0, 1);
  private static final Member MEMBER =
      new Member(new NodeId("n:9042"), "n", "n:7000", ID, "dc1", "rack1");

  /** Of a node with these settings and no others. */
  private static long bytes(Map<String, String> settings) {
    Node node = CassandraEngineTest.node("4.0.19", NodeState.UP);
    Metadata metadata = CassandraEngineTest.fake(Metadata.class, asked -> Map.of(ID, node));
    CqlSession session =
        (CqlSession)
            Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(),
                new Class<?>[] {CqlSession.class},
                (proxy, asked, arguments) ->
                    asked.getName().equals("getMetadata")
                        ? metadata
                        : answer(settings, ((SimpleStatement) arguments[0]).getQuery()));
    return new MemtableSpace(session).bytes(MEMBER, 1, HEAP);
  }

  private static ResultSet answer(Map<String, String> settings, String query) {
    String name = query.split("'")[1];
    Row row = CassandraEngineTest.fake(Row.class, asked -> settings.get(name));
    return CassandraEngineTest.fake(
        ResultSet.class, asked -> settings.containsKey(name) ? row : null);
  }

  @Test
  void aSizeHasItsUnit() {
    assertThat(bytes(Map.of("memtable_heap_space", "51MiB"))).isEqualTo(51L << 20);
    // Later versions know the old name as well.
    assertThat(bytes(Map.of("memtable_heap_space", "2GiB", "memtable_heap_space_in_mb", "1")))
        .isEqualTo(2L << 30);
  }

  @Test
  void inCassandra40TheNameHasTheUnit() {
    assertThat(bytes(Map.of("memtable_heap_space_in_mb", "51"))).isEqualTo(51L << 20);
    assertThat(bytes(Map.of("memtable_heap_space_in_mb", "much"))).isEqualTo(-1);
  }

  @Test
  void withoutEitherItIsNotKnown() {
    assertThat(bytes(Map.of())).isEqualTo(-1);
  }
}
