package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.trimtab.config.Certificates;
import io.trimtab.config.PrivateFiles;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.providers.Check;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The client of the API server that the settings name. */
final class Access {
  /** Where every pod finds its service account. */
  private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private static final Path ACCOUNT_CA = ACCOUNT.resolve("ca.crt");
  private static final String CA = "provider.kubernetes.ca";
  private static final String KUBECONFIG = "provider.kubernetes.kubeconfig";
  private static final String INSIDE = "https://kubernetes.default.svc";
  private static final int CONNECT_MS = 10_000;
  private static final int REQUEST_MS = 20_000;

  /** Requests that are answered by 429 or 5xx, or are lost, are made again as often. */
  private static final int RETRIES = 2;

  private static final int RETRY_MS = 200;

  private Access() {}

  /**
   * A client; of its server nothing is asked yet.
   *
   * @throws UserError if a file that the settings name can't be used
   */
  static KubernetesClient client(KubernetesSettings settings) {
    ConfigBuilder config =
        base(settings)
            .withNamespace(settings.namespace())
            .withConnectionTimeout(CONNECT_MS)
            .withRequestTimeout(REQUEST_MS)
            .withRequestRetryBackoffLimit(RETRIES)
            .withRequestRetryBackoffInterval(RETRY_MS)
            // One request at a time: there is nothing to multiplex.
            .withHttp2Disable(true);
    try {
      return new KubernetesClientBuilder()
          .withConfig(new QuietConfig(config))
          .withHttpClientFactory(new JdkHttpClientFactory())
          .withKubernetesSerialization(new StrictJson())
          .build();
    } catch (RuntimeException e) {
      // Without what the library says, which may quote a key.
      Throwable deepest = e;
      while (deepest.getCause() != null) {
        deepest = deepest.getCause();
      }
      throw new UserError(
          "%s: its addresses, certificates or keys can't be used (%s)"
              .formatted(
                  settings.kubeconfig() == null
                      ? "provider.kubernetes"
                      : KUBECONFIG + ": " + settings.kubeconfig(),
                  deepest.getClass().getSimpleName()));
    }
  }

  /** What names those whose certificates are trusted. */
  static String authorities(KubernetesSettings settings) {
    if (settings.kubeconfig() != null) {
      return "certificate-authority of its cluster in " + settings.kubeconfig();
    }
    return settings.server() != null ? CA : ACCOUNT_CA.toString();
  }

  private static ConfigBuilder base(KubernetesSettings settings) {
    if (settings.kubeconfig() != null) {
      return new ConfigBuilder(kubeconfig(settings));
    }
    // Neither variables nor a user's own kubeconfig decide: what acts on which cluster is written.
    ConfigBuilder builder = new ConfigBuilder(Config.empty());
    if (settings.server() != null) {
      if (settings.ca() != null) {
        Check.readable(CA, settings.ca());
        Certificates.require(CA, Path.of(settings.ca()));
        builder = builder.withCaCertFile(settings.ca());
      }
      // Read at each request: it may be renewed.
      return builder
          .withMasterUrl(settings.server())
          .withOauthTokenProvider(() -> word("provider.kubernetes.token", settings.token().read()));
    }
    if (!Files.isReadable(ACCOUNT.resolve("token"))) {
      throw new UserError(
          "provider.kubernetes: kubeconfig or server is missing, and this is no pod with a service"
              + " account");
    }
    Certificates.require("the service account of the pod", ACCOUNT_CA);
    return builder
        .withMasterUrl(INSIDE)
        .withCaCertFile(ACCOUNT_CA.toString())
        .withOauthTokenProvider(Access::ownToken);
  }

  /** A token as a header takes it: one that it does not take is in the error that says so. */
  private static String word(String setting, String token) {
    if (!token.matches("[\\x21-\\x7e]+")) {
      throw new UserError(
          setting + ": the token must be letters, digits and punctuation, without spaces");
    }
    return token;
  }

  /** The kubelet renews it within the hour. */
  private static String ownToken() {
    try {
      return word(
          "the service account of the pod", Files.readString(ACCOUNT.resolve("token")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Config kubeconfig(KubernetesSettings settings) {
    Path file = Path.of(settings.kubeconfig());
    PrivateFiles.requireOwnersOnly(KUBECONFIG, file);
    Config config;
    try {
      config = Config.fromKubeconfig(settings.context(), file.toFile());
    } catch (RuntimeException e) {
      throw new UserError(KUBECONFIG + ": " + problem(file, e));
    }
    NamedContext chosen = config.getCurrentContext();
    if (chosen == null
        || settings.context() != null && !settings.context().equals(chosen.getName())) {
      throw new UserError(
          "provider.kubernetes.context: %s has no context %s; it has: %s"
              .formatted(
                  file,
                  settings.context() == null ? "that is its current one" : settings.context(),
                  config.getContexts().stream()
                      .map(NamedContext::getName)
                      .collect(Collectors.joining(", "))));
    }
    String server = config.getMasterUrl();
    try {
      KubernetesSettings.encrypted(KUBECONFIG + ": " + file + ": the server", server);
    } catch (IllegalArgumentException e) {
      throw new UserError(e.getMessage());
    }
    Stream.of(config.getOauthToken(), config.getAutoOAuthToken())
        .filter(token -> token != null && !token.isEmpty())
        .forEach(token -> word(KUBECONFIG + ": " + file, token));
    requireAuthority(KUBECONFIG + ": " + file + ": certificate-authority", config);
    if (config.isTrustCerts() || config.isDisableHostnameVerification()) {
      throw new UserError(
          KUBECONFIG
              + ": "
              + file
              + ": insecure-skip-tls-verify gives the token to whoever answers; set"
              + " certificate-authority instead");
    }
    return config;
  }

  /** The library takes what has no certificate for none, and trusts whom the JDK does. */
  private static void requireAuthority(String setting, Config config) {
    String data = config.getCaCertData();
    if (data != null) {
      Certificates.require(setting + "-data", decoded(data));
    } else if (config.getCaCertFile() != null) {
      Certificates.require(setting, Path.of(config.getCaCertFile()));
    }
  }

  /** As the library does it. */
  private static byte[] decoded(String data) {
    try {
      return Base64.getDecoder().decode(data);
    } catch (IllegalArgumentException e) {
      return data.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Without what the library says, which quotes lines of the file. */
  private static String problem(Path file, RuntimeException e) {
    try {
      StrictYaml.read(file, Map.class);
    } catch (UserError known) {
      return known.getMessage();
    }
    return file + ": is no kubeconfig (" + e.getClass().getSimpleName() + ")";
  }
}
