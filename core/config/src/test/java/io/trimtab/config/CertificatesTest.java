package io.trimtab.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {
  @TempDir private Path folder;

  private static Stream<String> trusted(Path file) {
    return Arrays.stream(Certificates.trusting("ca", file))
        .map(X509TrustManager.class::cast)
        .flatMap(trust -> Arrays.stream(trust.getAcceptedIssuers()))
        .map(X509Certificate::getSubjectX500Principal)
        .map(Object::toString);
  }

  @Test
  void allCertificatesOfAFileAreTrustedAndNoOthers() throws Exception {
    Keytool keytool = new Keytool(folder, "hunter2hunter2");
    keytool.key("one");
    keytool.key("two");
    Path file = folder.resolve("ca.pem");
    Files.writeString(
        file,
        Files.readString(keytool.certificate("one"))
            + Files.readString(keytool.certificate("two")));

    assertThat(trusted(file)).containsExactlyInAnyOrder("CN=one", "CN=two");
    assertThat(Certificates.context("ca", file).getProtocol()).isEqualTo("TLS");
  }

  @Test
  void aFileWithoutCertificatesIsNamedWithItsSetting() throws IOException {
    Path file = folder.resolve("ca.pem");
    refused(file, "ca: " + file + ": no such file");
    Files.writeString(file, "");
    refused(file, "ca: " + file + " has no certificate");
    Files.writeString(file, "# none yet\n");
    refused(file, "ca: " + file + " can't be read as certificates: ");
    Files.writeString(file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    refused(file, "ca: " + file + " can't be read as certificates: ");
  }

  private static void refused(Path file, String problem) {
    assertThatThrownBy(() -> Certificates.context("ca", file))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith(problem)
        .message()
        .doesNotContain("\n");
  }
}
