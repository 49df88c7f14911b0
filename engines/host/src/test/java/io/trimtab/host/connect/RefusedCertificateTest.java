package io.trimtab.host.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.cert.CertPathValidatorException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** As the JDK words it, and as clients wrap it; tests of such clients meet real servers. */
class RefusedCertificateTest {
  private static final String UNTRUSTED =
      "PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException:"
          + " unable to find valid certification path to requested target";

  private static IOException wrapped(String said) {
    SSLHandshakeException failed = new SSLHandshakeException(said);
    failed.initCause(new CertPathValidatorException("the last of the causes says less"));
    return new IOException("request 1 of 3 failed:\nsee the cause", failed);
  }

  @Test
  void whoHasNotSignedItIsAskedFor() {
    assertThat(RefusedCertificate.line(wrapped(UNTRUSTED), "provider.x.ca"))
        .hasValue(
            "its certificate is not trusted: "
                + UNTRUSTED
                + "; to mend it: add the certificate of the authority that signed the server's to"
                + " provider.x.ca");
  }

  @Test
  void anotherHostsIsToldAsThat() {
    String said = "No subject alternative names matching IP address 10.0.0.1 found";
    assertThat(RefusedCertificate.line(wrapped(said), "provider.x.ca"))
        .hasValue(
            "its certificate names another host: "
                + said
                + "; to mend it: give the server a certificate that names the host of that"
                + " address");
  }

  @Test
  void noAuthorityMendsOneThatHasExpired() {
    String said =
        "PKIX path validation failed: java.security.cert.CertPathValidatorException:"
            + " validity check failed";
    assertThat(RefusedCertificate.line(wrapped(said), "provider.x.ca"))
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .startsWith("its certificate is not trusted: " + said + "; to mend it: renew ")
                    .doesNotContain("provider.x.ca"));
  }

  @Test
  void whatElseFailsIsNoCertificate() {
    assertThat(RefusedCertificate.line(new IOException("PKIX, says a page"), "ca")).isEmpty();
    assertThat(RefusedCertificate.line(wrapped("Remote host terminated the handshake"), "ca"))
        .isEmpty();
  }
}
