package io.trimtab.host.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a certificate of the JDK's own tool, for 127.0.0.1 only. */
class TlsTest {
  private static final String PASSWORD = "hunter2hunter2";

  @TempDir static Path folder;

  @BeforeAll
  static void certificates() throws Exception {
    Keytool keytool = new Keytool(folder, PASSWORD);
    for (String name : List.of("one", "two")) {
      keytool.key(name);
      keytool.trust(name);
    }
  }

  private static Store store(Path file) {
    return new Store(file, () -> PASSWORD);
  }

  private static Tls trusting(Path file, HostNames names) {
    return new Tls(Optional.of(store(file)), Optional.empty(), names);
  }

  /** Connects to a server that has {@code name}'s certificate. */
  private static void connect(String name, Tls client, String host) throws Exception {
    SSLContext context =
        new Tls(Optional.empty(), Optional.of(store(folder.resolve(name + ".p12"))), HostNames.NONE)
            .context();
    InetAddress here = InetAddress.getByName("127.0.0.1");
    try (SSLServerSocket server =
        (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 1, here)) {
      Thread answer =
          new Thread(
              () -> {
                try (Socket accepted = server.accept()) {
                  accepted.getOutputStream().write(7);
                } catch (IOException e) {
                  // The client has refused it.
                  return;
                }
              });
      answer.start();
      Socket plain = new Socket(here, server.getLocalPort());
      try (SSLSocket socket = client.over(plain, host, server.getLocalPort())) {
        assertThat(socket.getInputStream().read()).isEqualTo(7);
      } finally {
        plain.close();
        answer.join();
      }
    }
  }

  @Test
  void aTrustedCertificateOfTheHostIsTaken() throws Exception {
    connect("one", trusting(folder.resolve("one-trust.p12"), HostNames.ADDRESS), "127.0.0.1");
  }

  @Test
  void aCertificateThatNobodyTrustsIsRefused() {
    Tls other = trusting(folder.resolve("two-trust.p12"), HostNames.ADDRESS);
    assertThatThrownBy(() -> connect("one", other, "127.0.0.1"))
        .isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void aCertificateOfAnotherHostIsRefusedUnlessNamesAreNotChecked() throws Exception {
    Path trust = folder.resolve("one-trust.p12");
    assertThatThrownBy(() -> connect("one", trusting(trust, HostNames.ADDRESS), "localhost"))
        .isInstanceOf(SSLHandshakeException.class)
        .hasMessageContaining("localhost");
    connect("one", trusting(trust, HostNames.NONE), "localhost");
  }

  @Test
  void aStoreThatIsExchangedIsReadAgain() throws Exception {
    Path trust = folder.resolve("exchanged.p12");
    Files.copy(folder.resolve("one-trust.p12"), trust);
    Tls client = trusting(trust, HostNames.ADDRESS);
    connect("one", client, "127.0.0.1");
    SSLContext before = client.context();
    assertThat(client.context()).isSameAs(before);

    Files.copy(folder.resolve("two-trust.p12"), trust, StandardCopyOption.REPLACE_EXISTING);

    connect("two", client, "127.0.0.1");
    assertThatThrownBy(() -> connect("one", client, "127.0.0.1"))
        .isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void aBrokenStoreLeavesTheOneBeforeInForce() throws Exception {
    Path trust = folder.resolve("broken.p12");
    Files.copy(folder.resolve("one-trust.p12"), trust);
    Tls client = trusting(trust, HostNames.ADDRESS);
    connect("one", client, "127.0.0.1");

    Files.writeString(trust, "half of a store");

    connect("one", client, "127.0.0.1");
  }

  @Test
  void aStoreThatIsMissingOrHasAnotherPasswordIsNamedWithoutThePassword() {
    assertThatThrownBy(() -> trusting(folder.resolve("none.p12"), HostNames.ADDRESS).context())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none.p12: no such file");
    Store wrong = new Store(folder.resolve("one-trust.p12"), () -> "secret-of-another");
    Tls client = new Tls(Optional.of(wrong), Optional.empty(), HostNames.ADDRESS);
    assertThatThrownBy(client::context)
        .isInstanceOf(IOException.class)
        .message()
        .contains("one-trust.p12")
        .doesNotContain("secret-of-another")
        .doesNotContain("\n");
    assertThat(client.toString() + wrong).doesNotContain("secret-of-another");
  }
}
