package io.trimtab.cassandra.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.trimtab.cassandra.cql.DriverOptions;
import io.trimtab.engineapi.connect.ConnectionStep;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As whom a session is logged in that has its user from a driver's file or a certificate. */
class SessionUserTest {
  private static final UUID OURS = new UUID(1, 1);
  private static final UUID OTHERS = new UUID(2, 2);
  private static final String PLAIN =
      "datastax-java-driver.advanced.auth-provider"
          + " {class = PlainTextAuthProvider, username = ann, password = hunter2}";
  private static final String OWN =
      "datastax-java-driver.advanced.auth-provider.class = own.Provider";

  /** As a node of 4.1 says it. */
  private static final DriverException NO_COLUMN =
      new InvalidQueryException(
          null, "Undefined column name client_options in table system_views.clients");

  private static final DriverException NO_RIGHT =
      new UnauthorizedException(
          null, "User bob has no SELECT permission on <table system_views.clients>");

  @TempDir private Path folder;

  private static <T> T fake(Class<T> type, Function<String, Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, asked, arguments) -> answer.apply(asked.getName())));
  }

  /** A connection as a node shows it. */
  private static Row client(Map<String, String> options, String user) {
    return fake(Row.class, asked -> asked.equals("getMap") ? options : user);
  }

  private static Row client(UUID id, String user) {
    return client(Map.of("DRIVER_NAME", "d", "CLIENT_ID", id.toString()), user);
  }

  private SessionUser of(String file, Row... clients) throws IOException {
    ResultSet shown = fake(ResultSet.class, asked -> List.of(clients).iterator());
    return of(file, () -> shown);
  }

  private SessionUser refused(String file, DriverException why) throws IOException {
    return of(
        file,
        () -> {
          throw why;
        });
  }

  private SessionUser of(String file, Supplier<ResultSet> clients) throws IOException {
    Path options = Files.writeString(folder.resolve("application.conf"), file);
    DriverConfig config = DriverOptions.of(options).getInitialConfig();
    DriverContext context = fake(DriverContext.class, asked -> config);
    CqlSession session =
        fake(CqlSession.class, asked -> asked.equals("getContext") ? context : clients.get());
    return SessionUser.of(session, OURS);
  }

  /** Whatever has logged in: also where the file names nobody, or another one. */
  @Test
  void aNodeTellsWhoOfItsClientsThisIs() throws IOException {
    for (String file : List.of("", PLAIN, OWN)) {
      SessionUser user =
          of(
              file,
              client(OTHERS, "bob"),
              client(Map.of(), "cqlsh"),
              // One that has yet to log in.
              client(OURS, null),
              client(OURS, "carl"));
      assertThat(user.name()).as(file).contains("carl");
      assertThat(user.text()).isEqualTo("as carl");
      assertThat(user.instead()).isEmpty();
    }
  }

  @Test
  void aClusterThatAsksForNoUserIsToldAsThat() throws IOException {
    for (SessionUser user :
        List.of(of("", client(OURS, "anonymous")), of(""), refused("", NO_COLUMN))) {
      assertThat(user.name()).isEmpty();
      assertThat(user.text()).isEqualTo("without a user");
      assertThat(user.instead())
          .map(ConnectionStep::text)
          .contains("ok      permissions: the cluster asks for no user");
    }
  }

  @Test
  void whereANodeDoesNotTellTheFileDoes() throws IOException {
    for (DriverException why : List.of(NO_COLUMN, NO_RIGHT, new DriverTimeoutException("late"))) {
      assertThat(refused(PLAIN, why).name()).as("%s", why).contains("ann");
    }
    assertThat(of(PLAIN, client(OTHERS, "bob")).name()).contains("ann");
  }

  @Test
  void whoIsNotKnownIsToldAsThatAndNotTakenForSomebodyWhoMayDoAll() throws IOException {
    SessionUser older = refused(OWN, NO_COLUMN);
    assertThat(older.name()).isEmpty();
    assertThat(older.instead().orElseThrow().detail()).startsWith("not checked: ");

    SessionUser bob = refused(OWN, NO_RIGHT);
    assertThat(bob.name()).isEmpty();
    assertThat(bob.instead().orElseThrow().works()).isFalse();
    assertThat(bob.instead().orElseThrow().detail()).contains("User bob has no SELECT permission");
    assertThat(bob.instead().orElseThrow().mend()).startsWith("GRANT SELECT ON KEYSPACE");
  }
}
