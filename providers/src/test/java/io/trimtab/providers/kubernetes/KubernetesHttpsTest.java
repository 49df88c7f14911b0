package io.trimtab.providers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.providers.ServedByHttps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An API server with the certificate of its own cluster's authority, as most have one. */
class KubernetesHttpsTest extends ServedByHttps {
  private static final String SET =
      "{\"kind\":\"StatefulSet\",\"apiVersion\":\"apps/v1\",\"metadata\":{\"name\":\"rs\","
          + "\"uid\":\"u-1\",\"resourceVersion\":\"1\"},\"spec\":{\"replicas\":0,"
          + "\"selector\":{\"matchLabels\":{\"app\":\"rs\"}}}}";

  private static final String NONE =
      "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},"
          + "\"items\":[]}";

  @Override
  protected Service serve(SSLContext tls) throws IOException {
    return answering(
        tls, "application/json", asked -> asked.endsWith("/statefulsets/rs") ? SET : NONE);
  }

  private static String with(String access) {
    return """
        provider:
          kubernetes:
            namespace: db
            node: "{pod}.rs.db.svc:16020"
            poll: 100ms
            keep: 0s
            pools: [{statefulSet: rs, max: 3}]
        """
        + access.indent(4);
  }

  @Override
  protected String settings(int port, String ca) {
    return with("server: https://127.0.0.1:%d%ntoken: file:secret%n%s".formatted(port, ca));
  }

  @Override
  protected String at(int port) {
    return "namespace db, StatefulSet rs: the API server at 127.0.0.1:%d: ".formatted(port);
  }

  @Override
  protected String setting() {
    return "provider.kubernetes.ca";
  }

  /** The settings of a kubeconfig. */
  private String kubeconfig(int port, String cluster, String user) throws IOException {
    secret(
        "kubeconfig",
        """
        apiVersion: v1
        kind: Config
        current-context: test
        clusters:
        - {name: c, cluster: {server: "https://127.0.0.1:%d"%s}}
        users:
        - {name: u, user: {token: %s%s}}
        contexts:
        - {name: test, context: {cluster: c, user: u}}
        """
            .formatted(port, cluster, SECRET, user));
    return with("kubeconfig: kubeconfig");
  }

  @Test
  void theAuthorityOfAKubeconfigIsTrusted() throws Exception {
    byte[] authority = keys.authority().getBytes(StandardCharsets.US_ASCII);
    String data =
        ", certificate-authority-data: \"%s\""
            .formatted(Base64.getEncoder().encodeToString(authority));
    try (Service service = serve(keys.good())) {
      answers(provider(kubeconfig(service.port(), ", certificate-authority: ca.pem", "")));
      answers(provider(kubeconfig(service.port(), data, "")));
    }
  }

  @Test
  void whomAKubeconfigDoesNotTrustIsToldWithTheFileThatMendsIt() throws IOException {
    Path file = folder.resolve("kubeconfig");
    try (Service service = serve(keys.strange())) {
      refused(
          provider(kubeconfig(service.port(), ", certificate-authority: ca.pem", "")),
          at(service.port()) + UNTRUSTED,
          mend("certificate-authority of its cluster in " + file));
    }
    try (Service service = serve(keys.good())) {
      refused(
          provider(kubeconfig(service.port(), "", "")),
          at(service.port()) + UNTRUSTED,
          mend("certificate-authority of its cluster in " + file));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "', certificate-authority: no.pem' | '' | : certificate-authority: ",
        "', certificate-authority: secret' | '' | : certificate-authority: ",
        "', certificate-authority-data: AAAA' | '' | : certificate-authority-data can't be read",
        "'' | ', client-certificate: no.pem, client-key: no.key' | can't be used (",
        "'' | ', client-certificate-data: AAAA, client-key-data: s3cr3t-word' | can't be used (",
      })
  void aKubeconfigWhoseCertificatesCanNotBeUsedIsNamed(String cluster, String user, String says)
      throws IOException {
    String settings = kubeconfig(1, cluster, user);
    assertThatThrownBy(() -> provider(settings))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("provider.kubernetes.kubeconfig: " + folder.resolve("kubeconfig"))
        .hasMessageContaining(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain(SECRET));
  }

  /** As where the cluster is gone. */
  @Test
  void whoIsNotReachedIsToldWithTheAddress() throws IOException {
    assertThatThrownBy(provider(settings(1, "ca: ca.pem"))::capacity)
        .hasMessageStartingWith(at(1))
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }
}
