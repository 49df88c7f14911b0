package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.cassandra.versions.CassandraVersions;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.Clocks;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.testkit.secrets.TextForms;
import io.trimtab.testkit.tls.Keytool;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which rings the engine connects with. */
class CassandraEngineTest {
  private static final String SECRET = "hunter2hunter2";

  private final AtomicBoolean closed = new AtomicBoolean();

  /** Whatever it is asked, it answers by the method's name. */
  static <T> T fake(Class<T> type, Function<String, Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, asked, arguments) -> answer.apply(asked.getName())));
  }

  /** A node of which only this is known. */
  static Node node(String version, NodeState state) {
    return fake(
        Node.class,
        asked ->
            switch (asked) {
              case "getCassandraVersion" -> Version.parse(version);
              case "getState" -> state;
              case "getDatacenter" -> "dc1";
              default -> null;
            });
  }

  /** With live nodes. */
  private CassandraEngine of(String... versions) {
    return of(Stream.of(versions).map(version -> node(version, NodeState.UP)).toList());
  }

  private CassandraEngine of(List<Node> ring) {
    return of(CassandraContact.of("127.0.0.1", 0), ring);
  }

  private CassandraEngine of(CassandraContact contact, List<Node> ring) {
    Map<UUID, Node> nodes = new HashMap<>();
    ring.forEach(node -> nodes.put(new UUID(0, nodes.size()), node));
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
    return new CassandraEngine(contact, session, Clocks.SYSTEM);
  }

  @Test
  void aRingWithAVersionThatIsNotSupportedIsRefused() {
    assertThatThrownBy(() -> CassandraEngine.supported(of("5.0.9", "3.11.19")))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "Cassandra at 127.0.0.1:9042: Cassandra 3.11.19 is not supported; 4.0, 4.1, 5.0 and"
                + " 6.0 are");
    assertThat(closed).isTrue();
  }

  /** As that of CQL: otherwise a snapshot would have nothing but nodes that can't be read. */
  @Test
  void aPasswordForJmxThatIsNotThereIsToldAtOnce() {
    CassandraContact contact =
        CassandraContact.of("127.0.0.1:1", 0)
            .with(
                Optional.empty(),
                Optional.of(
                    new Credentials(
                        "ann",
                        () -> {
                          throw new IllegalStateException("JMX_PASSWORD is not set");
                        })));
    assertThatThrownBy(() -> CassandraEngine.connect(contact))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("JMX_PASSWORD is not set");
  }

  @Test
  void aRingThatIsBeingUpgradedIsConnectedWith() throws EngineException {
    try (CassandraEngine engine = CassandraEngine.supported(of("4.1.10", "5.0.9"))) {
      assertThat(engine).isNotNull();
      assertThat(closed).isFalse();
    }
  }

  /** Otherwise nothing could replace it, or take it out of the ring. */
  @Test
  void aDeadNodeThatWasNotUpgradedHindersNothing() throws EngineException {
    List<Node> upgraded =
        List.of(
            node("5.0.9", NodeState.UP),
            node("5.0.9", NodeState.UNKNOWN),
            node("3.11.19", NodeState.DOWN));
    try (CassandraEngine engine = CassandraEngine.supported(of(upgraded))) {
      assertThat(engine).isNotNull();
      assertThat(CassandraVersions.of(upgraded).text()).isEqualTo("5.0.9");
      assertThat(RingSnapshots.blockers(2, 3, CassandraVersions.of(upgraded))).isEmpty();
    }
  }

  /** But for what is the driver's and RMI's, which the live tests look at. */
  @Test
  void noObjectOfAnOpenEngineShowsASecret(@TempDir Path folder) throws Exception {
    Keytool keytool = new Keytool(folder, SECRET);
    Store key = new Store(keytool.key("ann"), () -> SECRET);
    Store trust = new Store(keytool.trust("ann"), () -> SECRET);
    Optional<Tls> tls =
        Optional.of(new Tls(Optional.of(trust), Optional.of(key), HostNames.ADDRESS));
    assertThat(tls.get().context()).isNotNull();
    Optional<Credentials> user = Optional.of(new Credentials("ann", () -> SECRET));
    CassandraContact contact =
        CassandraContact.of("127.0.0.1", 0)
            .with(user, user)
            .with(new Protection(tls, tls, Optional.of(folder.resolve("application.conf"))));
    try (CassandraEngine engine = of(contact, List.of())) {
      TextForms forms = TextForms.of(engine, List.of(SECRET));
      assertThat(forms.classes())
          .contains(
              CassandraContact.class.getName(),
              Credentials.class.getName(),
              Protection.class.getName(),
              Store.class.getName(),
              "io.trimtab.host.tls.Tls$Loaded",
              JmxPool.class.getName());
      assertThat(forms.showing()).isEmpty();
    }
  }
}
