package io.trimtab.config;

import java.io.ByteArrayInputStream;
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
    String what = setting + ": " + file;
    try (InputStream in = Files.newInputStream(file)) {
      return trusting(what, in);
    } catch (NoSuchFileException e) {
      throw new UserError(what + ": no such file", e);
    } catch (IOException e) {
      throw unreadable(what, e);
    }
  }

  private static TrustManager[] trusting(String what, InputStream in) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int count = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + count++, each);
      }
      if (count == 0) {
        throw new UserError(what + " has no certificate");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      return trust.getTrustManagers();
    } catch (GeneralSecurityException e) {
      throw unreadable(what, e);
    }
  }

  private static UserError unreadable(String what, Exception e) {
    return new UserError(what + " can't be read as certificates: " + line(e), e);
  }

  /**
   * That a file has certificates, for clients that read it themselves.
   *
   * @throws UserError as {@link #trusting} does
   */
  public static void require(String setting, Path file) {
    TrustManager[] unused = trusting(setting, file);
  }

  /**
   * The same of what is in a file of another kind.
   *
   * @param what they are called in errors, with their file
   */
  public static void require(String what, byte[] pem) {
    try {
      TrustManager[] unused = trusting(what, new ByteArrayInputStream(pem));
    } catch (IOException e) {
      throw unreadable(what, e);
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
