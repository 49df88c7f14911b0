package io.trimtab.contract.secure.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.auth.PlainTextAuthProviderBase;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.internal.core.ssl.DefaultSslEngineFactory;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.contract.secure.EditedConnections;
import io.trimtab.contract.secure.LiveController;
import io.trimtab.contract.secure.Refused;
import io.trimtab.contract.secure.Secrets;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.testkit.secrets.TextForms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A controller whose user and TLS for CQL stand in the driver's own file, {@code application.conf},
 * and nowhere else; those for JMX are in the file of connections.
 */
public final class DriverFile {
  private static final String USER = "trimtab";
  private static final String WRONG = "not-the-password";

  /** Nodes keep what they know of permissions for a second. */
  private static final long HEARD_MS = 2_000;

  private final CassandraLab lab;
  private final Path folder;
  private final String password;

  /** As an operator may have one: the file says how it logs in, but not as whom. */
  public static final class OwnProvider extends PlainTextAuthProviderBase {
    private final String password;

    /** For the driver. */
    public OwnProvider(DriverContext context) {
      super(context.getSessionName());
      password =
          context
              .getConfig()
              .getDefaultProfile()
              .getString(DefaultDriverOption.AUTH_PROVIDER_PASSWORD);
    }

    @Override
    protected Credentials getCredentials(EndPoint endPoint, String serverAuthenticator) {
      return new Credentials(USER.toCharArray(), password.toCharArray());
    }
  }

  /**
   * @param folder an empty one, in which its files and homes are
   */
  public DriverFile(CassandraLab lab, Path folder) throws IOException {
    this.lab = lab;
    this.folder = folder;
    this.password = Files.readString(lab.dir().secure().resolve("cql.password")).strip();
  }

  /**
   * Writes both files.
   *
   * @param provider what {@code advanced.auth-provider} is
   */
  private EditedConnections connections(String provider) throws IOException {
    Path secure = lab.dir().secure();
    String stores = Files.readString(secure.resolve("store.password")).strip();
    // Neither a data centre nor a consistency, which the controller adds.
    String options =
        """
        datastax-java-driver.advanced {
          auth-provider {%s}
          ssl-engine-factory {
            class = DefaultSslEngineFactory
            truststore-path = "%s"
            truststore-password = "%s"
            keystore-path = "%s"
            keystore-password = "%s"
          }
        }
        """
            .formatted(
                provider,
                secure.resolve("trust.p12"),
                stores,
                secure.resolve("client.p12"),
                stores);
    Path file = Files.writeString(folder.resolve("application.conf"), options);
    return EditedConnections.write(
        secure.resolve("connections.yaml"),
        lab.config().name(),
        "driver",
        text -> text.replaceFirst("(?s)cql:.*?(?=jmx:)", "driver: " + file + "\n      "));
  }

  private static String plain(String password) {
    return "class = PlainTextAuthProvider, username = %s, password = \"%s\""
        .formatted(USER, password);
  }

  private static String own(String password) {
    return "class = \"%s\", password = \"%s\"".formatted(OwnProvider.class.getName(), password);
  }

  /** Checks that a connection is checked, planned by and held by it, and no password shown. */
  public void assertSuffices() throws Exception {
    Secrets secrets = Secrets.of(lab.dir().secure());
    for (String provider : List.of(plain(password), own(password))) {
      EditedConnections file = connections(provider);
      Path home = Files.createTempDirectory(folder, "home");
      assertThat(said(home, file.arguments("connect", "check", "--debug")).lines())
          .as(provider)
          .noneMatch(line -> line.startsWith("FAILED"))
          .anyMatch(line -> line.startsWith("ok      login: as " + USER + ", "))
          .filteredOn(line -> line.startsWith("ok      permission "))
          .hasSize(5);
      said(home, file.arguments("plan", "--debug", "--period", "1s", "--samples", "2"));
      assertThat(secrets.assertNotBelow(home, Set.of()))
          .contains(home.resolve("logs").resolve("trimtab.log"));
      ClusterChoice choice = ClusterChoice.of(file.arguments());
      try (Engine engine = choice.connect();
          ControlLock lock = engine.takeControl("driver's file")) {
        assertThat(lock.held()).isTrue();
        assertThat(engine.snapshot().gaps()).isEmpty();
        TextForms forms = TextForms.of(List.of(choice, engine), secrets.texts());
        assertThat(forms.classes()).contains(DefaultSslEngineFactory.class.getName());
        // The driver's own library keeps the file as it has read it, and shows it.
        assertThat(forms.showing()).allMatch(shown -> shown.startsWith("com.typesafe.config."));
      }
    }
  }

  /** What a command has said that has ended with 0. */
  private static String said(Path home, List<String> words) throws Exception {
    try (LiveController command = LiveController.command(home, words)) {
      assertThat(command.ended()).as("%s: %s", words, command.said()).isZero();
      return command.said();
    }
  }

  /** Checks that a permission which that user lacks is named, though no file of ours has a user. */
  public void assertMissedByName(CqlSession operator) throws Exception {
    String views = "SELECT ON KEYSPACE system_views ";
    List<String> told = new ArrayList<>();
    operator.execute("REVOKE " + views + "FROM " + USER);
    try {
      Thread.sleep(HEARD_MS);
      for (String provider : List.of(plain(password), own(password))) {
        EditedConnections file = connections(provider);
        told.add(Refused.command(file.arguments("connect", "check")).failed());
      }
    } finally {
      operator.execute("GRANT " + views + "TO " + USER);
      Thread.sleep(HEARD_MS);
    }
    // By the file's name for the user; and by what the nodes say of one whose name it has not.
    assertThat(told.get(0))
        .isEqualTo(
            "FAILED  permission SELECT on keyspace system_views: missing; to mend it: GRANT "
                + views
                + "TO "
                + USER);
    assertThat(told.get(1))
        .startsWith("FAILED  permissions: ")
        .contains("User " + USER + " has no SELECT permission")
        .contains("; to mend it: GRANT " + views + "TO ");
  }

  /** Checks that nothing is planned or done by a password that is wrong there, nor is it shown. */
  public void assertWrongPasswordRefused() throws IOException {
    EditedConnections file = connections(plain(WRONG));
    String login = Refused.command(file.arguments("connect", "check")).failed();
    assertThat(login)
        .startsWith("FAILED  login: ")
        .endsWith("advanced.auth-provider of " + folder.resolve("application.conf"));
    Stream.of(file.arguments("plan"), file.arguments("run", "--act", "--plans", "1"))
        .map(words -> Refused.command(words).line())
        .forEach(
            line -> assertThat(line).startsWith("trimtab: Cassandra at ").doesNotContain(WRONG));
    assertThat(login).doesNotContain(WRONG);
  }
}
