package io.trimtab.host.connect;

import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.host.ErrorLine;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Why a client of HTTPS did not take the certificate that a server has shown. Clients wrap what the
 * JDK says of it, each in exceptions of its own, some of which show only the last of the causes.
 */
public final class RefusedCertificate {
  private RefusedCertificate() {}

  /**
   * What is wrong with the certificate and what mends it, in one line, a clause that follows the
   * server's address; empty if something else has failed.
   *
   * @param authorities what names those that are trusted: {@code provider.ec2.ca}
   */
  public static Optional<String> line(Throwable failed, String authorities) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
        String said = ErrorLine.of(cause);
        Optional<String> mend = Reach.mendOfHttps(said, authorities);
        if (mend.isPresent()) {
          String problem =
              Reach.ofAnotherHost(said)
                  ? "its certificate names another host: "
                  : "its certificate is not trusted: ";
          return Optional.of(problem + said + ConnectionStep.MEND + mend.get());
        }
      }
    }
    return Optional.empty();
  }
}
