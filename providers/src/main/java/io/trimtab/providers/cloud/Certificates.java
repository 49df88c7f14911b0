package io.trimtab.providers.cloud;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** The authorities that a private cloud's certificates are from. */
public final class Certificates {
  private Certificates() {}

  /**
   * Who trusts the certificates of a file and no others.
   *
   * @param setting that names the file, for errors
   * @param file with certificates as PEM
   * @throws UserError if it has none
   */
  public static TrustManager[] trusting(String setting, Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int count = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + count++, each);
      }
      if (count == 0) {
        throw new UserError(setting + ": " + file + " has no certificate");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      return trust.getTrustManagers();
    } catch (IOException | GeneralSecurityException e) {
      throw new UserError(
          setting + ": " + file + " can't be read as certificates: " + Lines.of(e), e);
    }
  }
}
