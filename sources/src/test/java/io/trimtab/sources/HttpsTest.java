package io.trimtab.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.sources.AnsweringServer.Answer;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.tls.ServerKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that are asked by HTTPS, of servers of this machine with certificates of their own. */
@Timeout(60)
class HttpsTest {
  private static final NodeId HERE = new NodeId("127.0.0.1:9042");
  private static final String SECRET = "s3cr3t";

  private static final String UNTRUSTED = "its certificate is not trusted: PKIX path building";
  private static final String TRUST_IT =
      "; to mend it: add the certificate of the authority that signed the server's to"
          + " metrics.sources.trust";

  @TempDir private Path folder;
  private final ServerKeys keys = ServerKeys.get();
  private Path authority;
  private Path token;

  @BeforeEach
  void files() throws IOException {
    authority = Files.writeString(folder.resolve("ca.pem"), keys.authority());
    token = Files.writeString(folder.resolve("token"), SECRET);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
  }

  private static AnsweringServer server(SSLContext tls) throws IOException {
    return new AnsweringServer(
        tls,
        question ->
            Answer.ok(
                AnsweringServer.sample(
                    question.contains("mbean") ? "jolokia.json" : "prometheus-iowait.json")));
  }

  private String trusting() {
    return "trust: " + authority;
  }

  /** Whoever asks has a token, which nobody but a server that is trusted may see. */
  private MetricsConfig config(String type, AnsweringServer server, String trust) {
    String address =
        type.equals("jolokia")
            ? "port: %d%n    https: true".formatted(server.port())
            : "url: %s%n    hosts: {127.0.0.1: node1.example.org}".formatted(server.url());
    return Configs.metrics(
        "sources:%n  - type: %s%n    %s%n    tokenFile: %s%n    %s%n"
            .formatted(type, address, token, trust));
  }

  private Map<NodeId, NodeReadings> read(String type, AnsweringServer server, String trust)
      throws IOException {
    MetricsConfig config = config(type, server, trust);
    try (MetricSource source = MetricSources.of(config, "cassandra").get(0)) {
      return source.read(List.of(HERE));
    }
  }

  private static void refused(ThrowingCallable call, String begins, String ends) {
    assertThatThrownBy(call)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(begins)
        .hasMessageEndingWith(ends)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain(SECRET));
  }

  private static String at(String type, AnsweringServer server) {
    return "metric source %s at https://127.0.0.1:%d: ".formatted(type, server.port());
  }

  @ParameterizedTest
  @ValueSource(strings = {"prometheus", "jolokia"})
  void whoseAuthorityIsTrustedIsAsked(String type) throws IOException {
    try (AnsweringServer server = server(keys.good())) {
      assertThat(read(type, server, trusting()).get(HERE).values()).isNotEmpty();
      assertThat(server.authorizations()).isNotEmpty().containsOnly("Bearer " + SECRET);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"prometheus", "jolokia"})
  void aStrangerIsToldWithTheSettingThatMendsItAndGetsNoToken(String type) throws IOException {
    try (AnsweringServer server = server(keys.strange())) {
      refused(() -> read(type, server, trusting()), at(type, server) + UNTRUSTED, TRUST_IT);
      assertThat(server.asked()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"prometheus", "jolokia"})
  void withoutTheSettingNoAuthorityOfOnesOwnIsTrusted(String type) throws IOException {
    try (AnsweringServer server = server(keys.good())) {
      refused(() -> read(type, server, ""), at(type, server) + UNTRUSTED, TRUST_IT);
      assertThat(server.asked()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"prometheus", "jolokia"})
  void theCertificateOfAnotherHostIsToldAsThat(String type) throws IOException {
    try (AnsweringServer server = server(keys.misnamed())) {
      refused(
          () -> read(type, server, trusting()),
          at(type, server) + "its certificate names another host: ",
          "; to mend it: give the server a certificate that names the host of that address");
      assertThat(server.asked()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"prometheus", "jolokia"})
  void oneThatHasExpiredIsMendedByNoSetting(String type) throws IOException {
    try (AnsweringServer server = server(keys.expired())) {
      refused(
          () -> read(type, server, trusting()),
          at(type, server) + "its certificate is not trusted: PKIX path validation failed",
          "; to mend it: renew the server's certificate, or that of its authority, or set this"
              + " machine's clock");
    }
  }

  @Test
  void aFileOfAuthoritiesThatCanNotBeUsedIsNamedBeforeAnythingIsAsked() throws IOException {
    try (AnsweringServer server = server(keys.good())) {
      MetricsConfig missing = config("prometheus", server, "trust: " + folder.resolve("no.pem"));
      assertThatThrownBy(() -> MetricSources.of(missing, "cassandra"))
          .isInstanceOf(UserError.class)
          .hasMessage("metrics.sources.trust: " + folder.resolve("no.pem") + ": no such file");
      MetricsConfig other = config("jolokia", server, "trust: " + token);
      assertThatThrownBy(() -> MetricSources.of(other, "cassandra"))
          .isInstanceOf(UserError.class)
          .hasMessageStartingWith("metrics.sources.trust: " + token + " can't be read as certif")
          .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain(SECRET));
    }
  }

  /** That is what {@code why} has where no policy decides for want of a value. */
  @Test
  void whatIsUnknownForItHasTheLineAsItsReason() throws IOException, EngineException {
    InMemoryCluster cluster = new InMemoryCluster(ClusterSpec.assigned(1, 2));
    NodeId silent = new NodeId("node001:16020");
    cluster.faults().always(Verb.SNAPSHOT, silent, Kind.NAN);
    try (AnsweringServer server = server(keys.strange())) {
      MetricsConfig config = config("prometheus", server, trusting());
      List<MetricSource> sources = MetricSources.of(config, "hbase");
      try (Engine engine = MetricSources.over(cluster.engine(), config, sources)) {
        assertThat(engine.snapshot().node(silent).orElseThrow().read().missing())
            .singleElement()
            .asString()
            .startsWith(at("prometheus", server) + UNTRUSTED)
            .endsWith(TRUST_IT);
      }
    }
  }
}
