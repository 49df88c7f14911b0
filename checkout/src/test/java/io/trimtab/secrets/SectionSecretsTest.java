package io.trimtab.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderFile;
import io.trimtab.providers.ProviderSettings;
import io.trimtab.sources.MetricSources;
import io.trimtab.sources.MetricsConfig;
import io.trimtab.testkit.secrets.TextForms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Providers and metric sources whose servers refuse them, and repeat how they have proved
 * themselves: no secret is in the error or its causes, in the log, or in an object's text form.
 */
@Timeout(60)
final class SectionSecretsTest {
  private static final String SECRET = "s3cr3t-W0rd";

  /** Up to the dash, at which parsers end a word. */
  private static final String PART = "s3cr3t";

  private static final String BASIC =
      Base64.getEncoder().encodeToString(("reader:" + SECRET).getBytes(StandardCharsets.UTF_8));

  /** Of a cluster that has an id, and of which nobody sees more. */
  private static final ProviderContext CLUSTER =
      new ProviderContext(
              () -> {
                throw new EngineException("nobody looks at the cluster");
              },
              ProviderContext.Words.PLAIN,
              id -> Path.of("unused"),
              line -> {})
          .knownAs("c1");

  private static final String MACHINES =
      "    machines: {port: 16020, type: t, max: 1, keep: 0s}\n    image: i\n";

  private static final String POOLS =
      """
          namespace: db
          node: "{pod}.rs:16020"
          pools: [{statefulSet: rs, max: 3}]
      """;

  @TempDir private Path folder;
  private EchoServer server;
  private CapturedLog log;

  @BeforeEach
  void begin() throws IOException {
    server = new EchoServer();
    log = new CapturedLog();
    secret("secret", SECRET);
    secret("user", "reader:" + SECRET);
  }

  @AfterEach
  void end() {
    log.close();
    server.close();
  }

  private void secret(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /**
   * @param sent what the server has heard
   * @param among class of an object that has to do with the secret
   */
  private void assertHidden(Object asked, Throwable failed, String sent, String among) {
    assertThat(server.heard()).anySatisfy(proof -> assertThat(proof).contains(sent));
    List<String> secrets = List.of(PART, BASIC, EchoServer.TOKEN);
    TextForms forms = TextForms.of(asked, secrets);
    assertThat(forms.classes()).contains(among);
    assertThat(forms.showing()).isEmpty();
    assertThat(secrets)
        .noneMatch(Throwables.getStackTrace(failed)::contains)
        .noneMatch(log.text()::contains);
  }

  private void assertProviderHides(String section, String sent, String among) throws IOException {
    Path file = Files.writeString(folder.resolve("provider.yaml"), "provider:\n" + section);
    ProviderSettings settings = ProviderFile.read(file).settings();
    NodeProvider provider = settings.provider(CLUSTER);
    Throwable failed = catchThrowable(provider::capacity);

    assertThat(failed).isInstanceOf(EngineException.class);
    assertThat(provider.spare()).as("what it asks for this is in the log").isZero();
    assertHidden(List.of(settings, provider), failed, sent, "io.trimtab.providers." + among);
  }

  @Test
  void theKeysOfEc2AreNotShown() throws IOException {
    assertProviderHides(
        """
          ec2:
            region: eu-west-1
            endpoint: %s
            accessKey: "command:echo reader"
            secretKey: file:secret
        """
                .formatted(server.address())
            + MACHINES,
        "Credential=reader/",
        "ec2.Ec2Cloud");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{user: reader, project: p, secret: 'file:secret'}",
        "{credential: c, secret: 'command:cat secret'}",
      })
  void whatKeystoneIsGivenIsNotShown(String login) throws IOException {
    String from = login.replace("cat secret", "cat " + folder.resolve("secret"));
    assertProviderHides(keystone(from), SECRET, "openstack.Login");
  }

  @Test
  void theTokenThatKeystoneGivesIsNotShown() throws IOException {
    server.grant();
    assertProviderHides(
        keystone("{user: reader, project: p, secret: 'file:secret'}"),
        EchoServer.TOKEN,
        "openstack.Keystone$Session");
  }

  private String keystone(String login) {
    return """
          openstack:
            auth: %s/v3
            login: %s
        """
            .formatted(server.address(), login)
        + MACHINES;
  }

  @Test
  void theTokenOfKubernetesIsNotShown() throws IOException {
    assertProviderHides(
        "  kubernetes:\n    server: " + server.address() + "\n    token: file:secret\n" + POOLS,
        "Bearer " + SECRET,
        "kubernetes.QuietConfig");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{token: " + SECRET + "} | Bearer " + SECRET,
        "{username: reader, password: " + SECRET + "} | Basic ",
      })
  void whatAKubeconfigHasIsNotShown(String user, String sent) throws IOException {
    secret(
        "kubeconfig",
        """
        apiVersion: v1
        kind: Config
        current-context: test
        clusters:
        - {name: c, cluster: {server: "%s"}}
        users:
        - {name: u, user: %s}
        contexts:
        - {name: test, context: {cluster: c, user: u}}
        """
            .formatted(server.address(), user));
    assertProviderHides(
        "  kubernetes:\n    kubeconfig: kubeconfig\n" + POOLS, sent, "kubernetes.QuietConfig");
  }

  /** By a status, by an error in an answer that is none, and by words that are no JSON. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type: prometheus, url: '%1$s', tokenFile: secret | Bearer " + SECRET,
        "type: prometheus, url: '%1$s', userFile: user | Basic ",
        "type: prometheus, url: '%1$s/ok', tokenFile: secret | Bearer " + SECRET,
        "type: prometheus, url: '%1$s/raw', tokenFile: secret | Bearer " + SECRET,
        "type: jolokia, port: %2$d, tokenFile: secret | Bearer " + SECRET,
        "type: jolokia, port: %2$d, path: /ok, userFile: user | Basic ",
      })
  void whatAMetricSourceIsGivenIsNotShown(String source, String sent) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("metrics.yaml"),
            "metrics:\n  sources:\n    - {%s}\n"
                .formatted(source.formatted(server.address(), server.port())));
    MetricsConfig config = MetricsConfig.read(file);
    List<MetricSource> sources = MetricSources.of(config, "cassandra");
    try (MetricSource asked = sources.get(0)) {
      Throwable failed = catchThrowable(() -> asked.read(List.of(new NodeId("127.0.0.1:9042"))));
      assertThat(failed).isInstanceOf(IOException.class);
      assertHidden(List.of(config, asked), failed, sent, "io.trimtab.sources.HttpJson");
    }
  }
}
