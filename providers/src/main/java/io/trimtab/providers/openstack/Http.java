package io.trimtab.providers.openstack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.trimtab.config.Certificates;
import io.trimtab.config.Redaction;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.host.connect.RefusedCertificate;
import io.trimtab.host.connect.WholeAnswer;
import io.trimtab.providers.Pause;
import io.trimtab.providers.UntrustedServiceException;
import io.trimtab.providers.cloud.Lines;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Requests with JSON. Follows no redirects: a token is for the server that the catalogue names.
 * Only what changes nothing is asked again. Thread-safe.
 */
final class Http {
  private static final String CA = "provider.openstack.ca";

  /** Of an answer that comes twice, or has a list twice, nobody knows which one is meant. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** A project with some thousand servers tells less. */
  private static final int ANSWER_MAX_BYTES = 32 << 20;

  /** Statuses of what may be over in a moment. */
  private static final Set<Integer> PASSING = Set.of(502, 503, 504);

  private static final int TRIES = 3;
  private static final Duration BETWEEN = Duration.ofSeconds(1);

  private final HttpClient.Builder clients;

  /** For what changes nothing. */
  private final HttpClient http;

  private final Duration limit;

  /**
   * @throws io.trimtab.config.UserError if the file of certificates can't be used
   */
  Http(OpenStackSettings settings) {
    this(settings.limit(), Optional.ofNullable(settings.ca()).map(Path::of));
  }

  /**
   * @param ca certificates that are trusted instead of the system's
   */
  Http(Duration limit, Optional<Path> ca) {
    this.limit = limit;
    // Services of OpenStack speak nothing newer, and some stumble over the offer.
    clients =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(limit)
            .followRedirects(HttpClient.Redirect.NEVER);
    ca.map(file -> Certificates.context(CA, file)).ifPresent(clients::sslContext);
    http = clients.build();
  }

  /**
   * An answer of success.
   *
   * @param body missing if there is none
   */
  record Answer(HttpHeaders headers, JsonNode body) {
    /** For logs: tokens are in headers. */
    @Override
    public String toString() {
      return "answer of " + body.size() + " fields";
    }
  }

  /**
   * Sends a request.
   *
   * @param title of the service, for errors
   * @param body null for none
   * @param hidden what the request proves itself with, which errors do not show
   * @throws StatusException if the status is not that of success
   * @throws UntrustedServiceException if the service's certificate is not taken
   */
  Answer send(
      String title,
      String method,
      URI uri,
      Map<String, String> headers,
      JsonNode body,
      Redaction hidden)
      throws EngineException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Accept", "application/json")
            .method(
                method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
    headers.forEach(request::header);
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    String what = "%s at %s, %s %s".formatted(title, uri.getAuthority(), method, uri.getPath());
    boolean changes = !method.equals("GET");
    // A change has a connection of its own: where a server closes one that was kept, as it may at
    // any time, nobody knows whether the request was read.
    HttpClient client = changes ? clients.build() : http;
    int tries = changes ? 1 : TRIES;
    while (true) {
      tries--;
      try {
        return once(client, what, request.build(), hidden);
      } catch (StatusException e) {
        if (tries == 0 || !PASSING.contains(e.status())) {
          throw e;
        }
      } catch (IOException e) {
        Optional<String> refused = RefusedCertificate.line(e, CA);
        if (refused.isPresent()) {
          throw new UntrustedServiceException(what + ": " + refused.get(), e);
        }
        if (tries == 0) {
          throw new EngineException(what + ": " + Lines.of(e), e);
        }
      }
      new Pause(BETWEEN, BETWEEN).pass(what);
    }
  }

  private Answer once(HttpClient client, String what, HttpRequest request, Redaction hidden)
      throws IOException, EngineException {
    try {
      HttpResponse<byte[]> answer = WholeAnswer.send(client, request, limit, ANSWER_MAX_BYTES);
      byte[] bytes = answer.body();
      int status = answer.statusCode();
      if (status < 200 || status > 299) {
        throw new StatusException(what + ": HTTP status " + status + said(bytes, hidden), status);
      }
      return new Answer(
          answer.headers(), bytes.length == 0 ? MissingNode.getInstance() : json(what, bytes));
    } catch (WholeAnswer.TooLongException e) {
      throw new EngineException(what + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted: " + what, e);
    }
  }

  private static JsonNode json(String what, byte[] bytes) throws EngineException {
    try {
      return MAPPER.readTree(bytes);
    } catch (JsonProcessingException e) {
      // Without the parser's error, which quotes the answer: it goes to logs.
      throw new UnusableAnswerException(
          what + ": the answer is not the JSON that was asked for" + Redaction.place(e));
    } catch (IOException e) {
      throw new UnusableAnswerException(
          what + ": the answer is not the JSON that was asked for", e);
    }
  }

  /** Errors are an object of one key, whose value has a message. */
  private static String said(byte[] body, Redaction hidden) {
    try {
      for (JsonNode error : MAPPER.readTree(body)) {
        String message = error.path("message").asText();
        if (!message.isEmpty()) {
          return ": " + Lines.of(hidden.in(message));
        }
      }
      return "";
    } catch (IOException e) {
      return "";
    }
  }
}
