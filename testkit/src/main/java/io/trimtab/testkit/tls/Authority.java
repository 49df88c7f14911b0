package io.trimtab.testkit.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An authority that signs certificates of servers; its keys and theirs are in one store. */
final class Authority {
  private static final String OWN = "authority";
  private static final String PASSWORD = "hunter2hunter2";

  private final Keytool keytool;
  private final Path store;

  /** A new one, whose files are of that name. */
  Authority(Path folder, String name) throws IOException, InterruptedException {
    this.keytool = new Keytool(folder, PASSWORD);
    this.store = folder.resolve(name + ".p12");
    generate(OWN, "CN=" + name, "-ext", "bc:c");
  }

  private void generate(String alias, String subject, String... more)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-genkeypair", "-alias", alias, "-keyalg", "EC", "-dname", subject));
    arguments.addAll(List.of("-keystore", store.getFileName().toString()));
    arguments.addAll(List.of(more));
    keytool.run(arguments.toArray(String[]::new));
  }

  private KeyStore keys() throws IOException, GeneralSecurityException {
    return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
  }

  /** Its certificate, as PEM. */
  String certificate() throws IOException, GeneralSecurityException {
    Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
    return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
        .formatted(lines.encodeToString(keys().getCertificate(OWN).getEncoded()));
  }

  /**
   * TLS of a server with a new key that it has signed.
   *
   * @param address that the certificate is of
   * @param more options of keytool
   */
  SSLContext server(String name, String address, String... more)
      throws IOException, InterruptedException, GeneralSecurityException {
    List<String> options = new ArrayList<>(List.of("-signer", OWN, "-ext", "san=ip:" + address));
    options.addAll(List.of(more));
    generate(name, "CN=" + name, options.toArray(String[]::new));
    char[] password = PASSWORD.toCharArray();
    // Without the authority's own key, which the server could show as well.
    KeyStore own = KeyStore.getInstance(KeyStore.getDefaultType());
    own.load(null, null);
    own.setKeyEntry(
        name, keys().getKey(name, password), password, keys().getCertificateChain(name));
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(own, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
