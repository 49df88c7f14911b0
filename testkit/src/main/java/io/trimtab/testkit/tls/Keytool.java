package io.trimtab.testkit.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys with certificates for one address each, which the JDK's own tool makes.
 *
 * @param folder of all files
 * @param password of all stores, at least 6 characters
 */
public record Keytool(Path folder, String password) {

  /** A store with a new key, and its certificate for 127.0.0.1 that nobody else has signed. */
  public Path key(String name) throws IOException, InterruptedException {
    return key(name, "127.0.0.1");
  }

  /** The same for the host of an address. */
  public Path key(String name, String address) throws IOException, InterruptedException {
    run(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + name,
        "-ext",
        "san=ip:" + address,
        "-keystore",
        name + ".p12");
    return folder.resolve(name + ".p12");
  }

  /** The certificate of a key of that name, as PEM. */
  public Path certificate(String name) throws IOException, InterruptedException {
    String file = name + ".pem";
    run("-exportcert", "-rfc", "-alias", name, "-keystore", name + ".p12", "-file", file);
    return folder.resolve(file);
  }

  /** A store that trusts the certificate of a key of that name and no other; made once. */
  public Path trust(String name) throws IOException, InterruptedException {
    Path store = folder.resolve(name + "-trust.p12");
    if (!Files.exists(store)) {
      run(
          "-importcert",
          "-noprompt",
          "-alias",
          name,
          "-file",
          certificate(name).getFileName().toString(),
          "-keystore",
          store.getFileName().toString());
    }
    return store;
  }

  void run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", password));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
