package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.Clocks;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Which rings the engine connects with. */
class CassandraEngineTest {
  private final AtomicBoolean closed = new AtomicBoolean();

  private static <T> T fake(Class<T> type, Function<String, Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, asked, arguments) -> answer.apply(asked.getName())));
  }

  /** With nodes of which only the versions are known. */
  private CassandraEngine of(String... versions) {
    Map<UUID, Node> nodes = new HashMap<>();
    for (String version : versions) {
      Node node =
          fake(
              Node.class,
              asked -> asked.equals("getCassandraVersion") ? Version.parse(version) : null);
      nodes.put(new UUID(0, nodes.size()), node);
    }
    Metadata metadata = fake(Metadata.class, asked -> nodes);
    CqlSession session =
        fake(
            CqlSession.class,
            asked -> {
              if (asked.equals("close")) {
                closed.set(true);
                return null;
              }
              return metadata;
            });
    return new CassandraEngine(CassandraContact.of("127.0.0.1", 0), session, Clocks.SYSTEM);
  }

  @Test
  void aRingWithAVersionThatIsNotSupportedIsRefused() {
    assertThatThrownBy(() -> CassandraEngine.supported(of("5.0.9", "3.11.19")))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "Cassandra at 127.0.0.1:9042: Cassandra 3.11.19 is not supported; 4.1, 5.0 and 6.0"
                + " are");
    assertThat(closed).isTrue();
  }

  @Test
  void aRingThatIsBeingUpgradedIsConnectedWith() throws EngineException {
    try (CassandraEngine engine = CassandraEngine.supported(of("4.1.10", "5.0.9"))) {
      assertThat(engine).isNotNull();
      assertThat(closed).isFalse();
    }
  }
}
