package io.trimtab.providers.ec2;

import io.trimtab.config.Certificates;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.host.connect.RefusedCertificate;
import io.trimtab.providers.UntrustedServiceException;
import io.trimtab.providers.cloud.Lines;
import io.trimtab.providers.cloud.NoRoomException;
import io.trimtab.providers.cloud.TokenSpentException;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.TrustManager;
import javax.xml.stream.Location;
import javax.xml.stream.XMLStreamException;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.Ec2ClientBuilder;

/** Calls of the EC2 API, and what its errors mean. */
final class Ec2Calls {
  /** Codes of errors that mean: not now, whoever asks. */
  private static final Set<String> NO_ROOM =
      Set.of(
          "InstanceLimitExceeded",
          "VcpuLimitExceeded",
          "ResourceLimitExceeded",
          "InsufficientInstanceCapacity",
          "InsufficientHostCapacity",
          "InsufficientFreeAddressesInSubnet",
          "MaxSpotInstanceCountExceeded");

  /** The token of a request is that of an instance that has ended. */
  private static final String SPENT = "IdempotentInstanceTerminated";

  /** A call that is tried again by the SDK has this many limits of one answer in all. */
  private static final int TRIES = 3;

  private static final String CA = "provider.ec2.ca";

  private Ec2Calls() {}

  /**
   * A client; contacts nobody yet.
   *
   * @throws UserError if the file of certificates can't be used
   */
  static Ec2Client client(Ec2Settings settings) {
    UrlConnectionHttpClient.Builder http =
        UrlConnectionHttpClient.builder()
            .connectionTimeout(settings.limit())
            .socketTimeout(settings.limit());
    if (settings.ca() != null) {
      TrustManager[] trust = Certificates.trusting(CA, Path.of(settings.ca()));
      http.tlsTrustManagersProvider(() -> trust);
    }
    Ec2ClientBuilder builder =
        Ec2Client.builder()
            .region(Region.of(settings.region()))
            .credentialsProvider(credentials(settings))
            .httpClientBuilder(http)
            .overrideConfiguration(
                all ->
                    all.apiCallAttemptTimeout(settings.limit())
                        .apiCallTimeout(settings.limit().multipliedBy(TRIES)));
    if (settings.endpoint() != null) {
      builder.endpointOverride(settings.uri());
    }
    return builder.build();
  }

  /** Read anew for each call, so that they can be changed without a restart. */
  private static AwsCredentialsProvider credentials(Ec2Settings settings) {
    return settings.accessKey() == null
        ? DefaultCredentialsProvider.builder().build()
        : () ->
            AwsBasicCredentials.create(settings.accessKey().read(), settings.secretKey().read());
  }

  /** A call of the API. */
  @FunctionalInterface
  interface Call<T> {
    T answer() throws EngineException;
  }

  /**
   * What a call is answered.
   *
   * @param title of the cloud, for errors
   * @param action for errors, as the API calls it
   * @throws UnusableAnswerException if it can't be read
   * @throws UntrustedServiceException if the endpoint's certificate is not taken
   */
  static <T> T ask(String title, String action, Call<T> call) throws EngineException {
    try {
      return call.answer();
    } catch (AwsServiceException e) {
      String code = code(e);
      String message =
          "%s, %s: %s%s".formatted(title, action, code.isEmpty() ? "" : code + ": ", said(e));
      if (code.equals(SPENT)) {
        throw new TokenSpentException(message, e);
      }
      throw NO_ROOM.contains(code)
          ? new NoRoomException(message, e)
          : new EngineException(message, e);
    } catch (SdkClientException e) {
      Optional<String> where = unreadable(e);
      if (where.isPresent()) {
        // Without what the SDK says, which may quote the answer: it goes to logs.
        throw senseless(title, action, "is not the XML that was asked for" + where.get());
      }
      throw failed(title, action, e);
    } catch (SdkException | UserError e) {
      throw failed(title, action, e);
    }
  }

  private static EngineException failed(String title, String action, RuntimeException e) {
    String what = "%s, %s: ".formatted(title, action);
    Optional<String> refused = RefusedCertificate.line(e, CA);
    return refused.isPresent()
        ? new UntrustedServiceException(what + refused.get(), e)
        : new EngineException(what + Lines.of(e), e);
  }

  /**
   * Of an answer that can't be used.
   *
   * @param problem ends a sentence that begins with: the answer
   */
  static UnusableAnswerException senseless(String title, String action, String problem) {
    return new UnusableAnswerException("%s, %s: the answer %s".formatted(title, action, problem));
  }

  /**
   * Where an answer of success can't be read; empty if something else has failed. The SDK throws
   * the same exception for all that goes wrong on its side. The causes tell: only its reader of
   * answers parses XML, and the numbers and times that are in it.
   */
  private static Optional<String> unreadable(SdkClientException problem) {
    for (Throwable cause = problem.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof XMLStreamException parser) {
        return isCut(parser) ? Optional.empty() : Optional.of(place(parser.getLocation()));
      }
      if (cause instanceof NumberFormatException || cause instanceof DateTimeException) {
        return Optional.of("");
      }
    }
    return Optional.empty();
  }

  /** Whether a connection has broken within an answer; bytes that are no text are the answer's. */
  private static boolean isCut(XMLStreamException parser) {
    Throwable nested = parser.getNestedException();
    return nested instanceof IOException && !(nested instanceof CharConversionException);
  }

  private static String place(Location at) {
    return at == null || at.getLineNumber() < 1
        ? ""
        : " (line %d, column %d)".formatted(at.getLineNumber(), at.getColumnNumber());
  }

  /** The code of an error; empty if the answer was none that the API gives. */
  static String code(AwsServiceException e) {
    return e.awsErrorDetails() == null || e.awsErrorDetails().errorCode() == null
        ? ""
        : e.awsErrorDetails().errorCode();
  }

  private static String said(AwsServiceException e) {
    return e.awsErrorDetails() == null || e.awsErrorDetails().errorMessage() == null
        ? "HTTP status " + e.statusCode()
        : Lines.of(e.awsErrorDetails().errorMessage());
  }
}
