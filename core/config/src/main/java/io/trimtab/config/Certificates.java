package io.trimtab.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** The authorities that servers' certificates are from, where they are not those of the JDK. */
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
    } catch (NoSuchFileException e) {
      throw new UserError(setting + ": " + file + ": no such file", e);
    } catch (IOException | GeneralSecurityException e) {
      throw new UserError(setting + ": " + file + " can't be read as certificates: " + line(e), e);
    }
  }

  /** TLS of a client that trusts them. */
  public static SSLContext context(String setting, Path file) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trusting(setting, file), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  private static String line(Exception e) {
    String said = e.getMessage() == null ? "" : e.getMessage().strip();
    return said.isEmpty() ? e.getClass().getSimpleName() : said.split("\n", 2)[0];
  }
}
