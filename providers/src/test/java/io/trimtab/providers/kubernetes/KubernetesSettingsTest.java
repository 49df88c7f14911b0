package io.trimtab.providers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.ProviderFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesSettingsTest {
  private static final String GOOD =
      """
      provider:
        kubernetes:
          server: https://api.example:6443
          token: env:K8S_TOKEN
          namespace: db
          node: "{pod}.rs.db.svc:16020"
          pools:
          - statefulSet: rs
            max: 3
      """;

  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("provider.yaml"), text);
  }

  private static KubernetesSettings read(Path file) {
    return (KubernetesSettings) ProviderFile.read(file).settings();
  }

  @Test
  void aTokenIsInNoText() throws IOException {
    KubernetesSettings settings = read(file(GOOD));

    assertThat(settings.pools().get(0).title()).isEqualTo("StatefulSet rs");
    assertThat(settings.toString()).contains("token=(secret)").doesNotContain("K8S_TOKEN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "env:K8S_TOKEN | abc | must be env:NAME, file:PATH or command:LINE",
        "https://api | http://api | server: must be a URL with https://",
        "namespace: | boot: 1m # | namespace is missing",
        "'{pod}' | 'pod' | node: must have {pod} or {ip}",
        "'.svc:16020' | '.svc' | node: gives no host:port",
        "'    max: 3' | '    max: 0' | max: must be from 1 to 1000, not 0",
        "'    max: 3' | '    profile: READ' | max is missing",
        "statefulSet: rs | statefulSet: RS | statefulSet: must be a name of Kubernetes, not 'RS'",
        "statefulSet: rs | configMap: rs | statefulSet or cassandraDatacenter must be given",
        "statefulSet: | cassandraDatacentre: | unknown key",
        "namespace: db | 'context: a' | context: needs kubeconfig",
        "namespace: db | 'kubeconfig: a' | kubeconfig: must not be given with server",
        "'token: env:K8S_TOKEN' | 'boot: 1m' | server: needs token",
      })
  void badInputNamesTheKey(String good, String bad, String says) throws IOException {
    assertThat(GOOD).contains(good);
    Path file = file(GOOD.replace(good, bad));
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  @Test
  void aKubeconfigIsItsOwnersAndHasTheContext() throws IOException {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: test
            clusters:
            - {name: c, cluster: {server: "https://api.example:6443"}}
            users:
            - {name: u, user: {token: s3cr3t-token}}
            contexts:
            - {name: test, context: {cluster: c, user: u}}
            """);
    Path file =
        file(
            GOOD.replace("server: https://api.example:6443", "kubeconfig: kubeconfig")
                .replace("token: env:K8S_TOKEN", "context: prod"));
    Files.setPosixFilePermissions(kubeconfig, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> read(file).provider(null))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("provider.kubernetes.kubeconfig")
        .hasMessageContaining("chmod 600");

    Files.setPosixFilePermissions(kubeconfig, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> read(file).provider(null))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("has no context prod; it has: test");

    Path test = file(Files.readString(file).replace("context: prod", "context: test"));
    assertThat(Access.client(read(test)).getMasterUrl().toString())
        .isEqualTo("https://api.example:6443/");
    assertThat(Access.client(read(test)).getNamespace()).isEqualTo("db");
    Config config = Access.client(read(test)).getConfiguration();
    assertThat(List.of(config.getRequestTimeout(), config.getConnectionTimeout()))
        .containsExactly(20_000, 10_000);
    assertThat(new ConfigBuilder(config).build().toString()).as("it is there").contains("s3cr3t");
    assertThat(config.toString()).contains("api.example").doesNotContain("s3cr3t");

    String secure = Files.readString(kubeconfig);
    Files.writeString(kubeconfig, secure.replace("https://api", "http://api"));
    assertThatThrownBy(() -> Access.client(read(test)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the server must be a URL with https://");
    Files.writeString(kubeconfig, secure);

    String trusting = ", insecure-skip-tls-verify: true}";
    String text = Files.readString(kubeconfig).replace("6443\"}", "6443\"" + trusting);
    Files.writeString(kubeconfig, text);
    assertThatThrownBy(() -> Access.client(read(test)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("insecure-skip-tls-verify");
  }

  /** Neither in the line nor in the stack trace, which the log has with {@code --debug}. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "users:\n- name: u\n  user: {token: s3cr3t: x}",
        "users: [{name: u, user: s3cr3t}]",
        "s3cr3t",
        "\"s3cr3t",
        "clusters: [{name: c, cluster: {server: 'https://u:s3cr3t@h'}}]\n"
            + "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
            + "users: [{name: u, user: {token: t}}]\ncurrent-context: x",
      })
  void noLineOfABrokenKubeconfigIsShown(String text) throws IOException {
    Path file = ofKubeconfig(text);
    assertThatThrownBy(() -> read(file).provider(null))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("provider.kubernetes.")
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("s3cr3t"));
  }

  @Test
  void whereAKubeconfigIsBrokenIsTold() throws IOException {
    Path file = ofKubeconfig("users:\n- name: u\n  user: {token: s3cr3t: x}");
    assertThatThrownBy(() -> read(file).provider(null))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(folder.resolve("kubeconfig") + ":3: ");
  }

  private Path ofKubeconfig(String text) throws IOException {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), text + "\n");
    Files.setPosixFilePermissions(kubeconfig, PosixFilePermissions.fromString("rw-------"));
    return file(
        GOOD.replace("server: https://api.example:6443", "kubeconfig: kubeconfig")
            .replace("    token: env:K8S_TOKEN\n", ""));
  }

  /** Editors write such a mark before a file's first letter; a header can't have it. */
  @Test
  void aTokenThatNoHeaderTakesIsNotRepeated() throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "\ufeffs3cr3t\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Path file =
        file(
            GOOD.replace("https://api.example:6443", "http://127.0.0.1:1")
                .replace("env:K8S_TOKEN", "file:token"));
    NodeProvider provider = read(file).provider(null);
    assertThatThrownBy(provider::capacity)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("provider.kubernetes.token: the token must be letters")
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("s3cr3t"));
  }
}
