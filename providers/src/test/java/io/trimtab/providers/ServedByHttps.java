package io.trimtab.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.testkit.tls.ServerKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A provider whose service shows a certificate, which is taken or told in one line. */
@Timeout(60)
public abstract class ServedByHttps {
  /**
   * In the file {@code secret}: what the provider proves itself with; OpenStack's fake knows it.
   */
  protected static final String SECRET = "s3cr3t-word";

  protected static final String UNTRUSTED =
      "its certificate is not trusted: PKIX path building failed: ";

  private static final int MAX = 3;

  protected final ServerKeys keys = ServerKeys.get();

  @TempDir protected Path folder;

  /**
   * Whom a provider asks, at a port of this machine.
   *
   * @param end ends it
   */
  public record Service(int port, Runnable end) implements AutoCloseable {
    @Override
    public void close() {
      end.run();
    }
  }

  /** The service, of which three machines can be had. */
  protected abstract Service serve(SSLContext tls) throws IOException;

  /**
   * Settings of a provider with at most three machines.
   *
   * @param ca the line of the settings that names authorities; empty without one
   */
  protected abstract String settings(int port, String ca);

  /** Begins what is told of a service at that port. */
  protected abstract String at(int port);

  /** The setting that names authorities, with its section. */
  protected abstract String setting();

  @BeforeEach
  void files() throws IOException {
    Files.writeString(folder.resolve("ca.pem"), keys.authority());
    secret("secret", SECRET);
  }

  /** A file that only its owner may read. */
  protected final Path secret(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** A server that is asked by HTTPS, with its keys; it is neither bound nor started. */
  public static HttpServer https(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create();
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  /** A service that answers each request, {@code GET /path}, with a text. */
  protected static Service answering(SSLContext tls, String type, UnaryOperator<String> answers)
      throws IOException {
    HttpServer server = https(tls);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String asked = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
            byte[] body = answers.apply(asked).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
    return new Service(server.getAddress().getPort(), () -> server.stop(0));
  }

  protected final NodeProvider provider(String yaml) throws IOException {
    return ReadProvider.of(folder, yaml);
  }

  private NodeProvider trusting(Service service) throws IOException {
    return provider(settings(service.port(), "ca: ca.pem"));
  }

  protected static void answers(NodeProvider provider) throws EngineException {
    assertThat(provider.capacity().spare()).isEqualTo(MAX);
  }

  /** One line, also of what can be added, and without the secret. */
  protected static void refused(NodeProvider provider, String begins, String ends) {
    assertThatThrownBy(provider::capacity)
        .isInstanceOf(UntrustedServiceException.class)
        .hasMessageStartingWith(begins)
        .hasMessageEndingWith(ends)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain(SECRET));
    assertThat(provider.offer().hindrance())
        .hasValueSatisfying(why -> assertThat(why).contains(begins).endsWith(ends));
  }

  /** Ends what is told where nobody who is trusted has signed it. */
  protected static String mend(String authorities) {
    return "; to mend it: add the certificate of the authority that signed the server's to "
        + authorities;
  }

  @Test
  void whoseAuthorityIsTrustedIsAsked() throws Exception {
    try (Service service = serve(keys.good())) {
      answers(trusting(service));
    }
  }

  @Test
  void aStrangerIsToldWithTheSettingThatMendsIt() throws IOException {
    try (Service service = serve(keys.strange())) {
      refused(trusting(service), at(service.port()) + UNTRUSTED, mend(setting()));
    }
  }

  @Test
  void withoutTheSettingNoAuthorityOfOnesOwnIsTrusted() throws IOException {
    try (Service service = serve(keys.good())) {
      NodeProvider provider = provider(settings(service.port(), ""));
      refused(provider, at(service.port()) + UNTRUSTED, mend(setting()));
    }
  }

  @Test
  void theCertificateOfAnotherHostIsToldAsThat() throws IOException {
    try (Service service = serve(keys.misnamed())) {
      refused(
          trusting(service),
          at(service.port()) + "its certificate names another host: ",
          "; to mend it: give the server a certificate that names the host of that address");
    }
  }

  @Test
  void oneThatHasExpiredIsMendedByNoSetting() throws IOException {
    try (Service service = serve(keys.expired())) {
      refused(
          trusting(service),
          at(service.port()) + "its certificate is not trusted: PKIX path validation failed: ",
          "; to mend it: renew the server's certificate, or that of its authority, or set this"
              + " machine's clock");
    }
  }

  /** Before anything is asked: the command ends with that line and exit code 2. */
  @Test
  void aFileOfAuthoritiesThatCanNotBeUsedIsNamed() {
    unusable("no.pem", ": no such file");
    unusable("secret", " can't be read as certificates: ");
  }

  private void unusable(String file, String problem) {
    assertThatThrownBy(() -> provider(settings(1, "ca: " + file)))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith(setting() + ": " + folder.resolve(file) + problem)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain(SECRET));
  }
}
