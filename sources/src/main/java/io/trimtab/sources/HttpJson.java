package io.trimtab.sources;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.config.Certificates;
import io.trimtab.config.Redaction;
import io.trimtab.config.SecretFile;
import io.trimtab.config.UserError;
import io.trimtab.host.connect.RefusedCertificate;
import io.trimtab.host.connect.WholeAnswer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Asks servers that answer in JSON. Follows no redirects: a token is for the server that is named.
 * Errors name the source and its address, never a secret, also where a server repeats it.
 * Thread-safe.
 */
public final class HttpJson {
  private static final JsonMapper MAPPER = new JsonMapper();

  /** A cluster of some thousand nodes tells less. */
  private static final int ANSWER_MAX_BYTES = 32 << 20;

  private static final String TRUST = "metrics.sources.trust";

  private final String name;
  private final HttpClient http;
  private final Duration timeout;
  private final Optional<String> authorization;
  private final Redaction hidden;

  /**
   * @throws UserError if a file that the configuration names can't be used
   */
  public HttpJson(SourceConfig config) {
    name = config.name();
    timeout = config.timeout();
    HttpClient.Builder builder =
        HttpClient.newBuilder().connectTimeout(timeout).followRedirects(HttpClient.Redirect.NEVER);
    if (config.trust() != null) {
      builder.sslContext(Certificates.context(TRUST, Path.of(config.trust())));
    }
    http = builder.build();
    authorization = authorization(config);
    hidden = new Redaction(authorization.map(HttpJson::secrets).orElse(List.of()));
  }

  private static Optional<String> authorization(SourceConfig config) {
    if (config.tokenFile() != null) {
      String token = SecretFile.read("tokenFile", Path.of(config.tokenFile()));
      if (!token.matches("[\\x21-\\x7e]+")) {
        throw new UserError("tokenFile: " + config.tokenFile() + " must have one token, no spaces");
      }
      return Optional.of("Bearer " + token);
    }
    if (config.userFile() != null) {
      String user = SecretFile.read("userFile", Path.of(config.userFile()));
      if (!user.contains(":") || user.lines().count() > 1) {
        throw new UserError(
            "userFile: " + config.userFile() + " must have one line, user:password");
      }
      byte[] bytes = user.getBytes(StandardCharsets.UTF_8);
      return Optional.of("Basic " + Base64.getEncoder().encodeToString(bytes));
    }
    return Optional.empty();
  }

  /** What is in a header that a server could repeat. */
  private static List<String> secrets(String authorization) {
    String sent = authorization.split(" ", 2)[1];
    if (authorization.startsWith("Bearer ")) {
      return List.of(sent);
    }
    String user = new String(Base64.getDecoder().decode(sent), StandardCharsets.UTF_8);
    return List.of(sent, user, user.substring(user.indexOf(':') + 1));
  }

  /** The first line of a server's words, without what it was sent as a proof. */
  public String shown(String words) {
    return firstLine(hidden.in(words));
  }

  /** What a GET is answered. */
  public JsonNode get(URI uri) throws IOException {
    return send(uri, HttpRequest.newBuilder(uri).GET());
  }

  /** What a POST of JSON is answered. */
  public JsonNode post(URI uri, JsonNode body) throws IOException {
    return send(
        uri,
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString())));
  }

  private JsonNode send(URI uri, HttpRequest.Builder request) throws IOException {
    String where =
        "metric source %s at %s://%s".formatted(name, uri.getScheme(), uri.getAuthority());
    authorization.ifPresent(value -> request.header("Authorization", value));
    request.header("Accept", "application/json");
    try {
      HttpResponse<byte[]> answer =
          WholeAnswer.send(http, request.build(), timeout, ANSWER_MAX_BYTES);
      if (answer.statusCode() != 200) {
        throw new IOException("HTTP status " + answer.statusCode() + said(answer.body()));
      }
      return MAPPER.readTree(answer.body());
    } catch (WholeAnswer.TooLongException e) {
      throw new IOException(where + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(where + ": interrupted");
    } catch (JsonProcessingException e) {
      // Without the parser's error, which quotes the answer: it goes to logs.
      throw new IOException(where + ": the answer is not JSON" + Redaction.place(e));
    } catch (IOException e) {
      String why = RefusedCertificate.line(e, TRUST).orElseGet(() -> line(e));
      throw new IOException(where + ": " + why, e);
    }
  }

  /** Prometheus explains an error in JSON. */
  private String said(byte[] body) {
    try {
      String error = MAPPER.readTree(body).path("error").asText();
      return error.isEmpty() ? "" : ": " + shown(error);
    } catch (IOException e) {
      return "";
    }
  }

  /** An exception in one line; some have no message. */
  private static String line(Exception e) {
    String message = e.getMessage();
    String told = message == null || message.isBlank() ? "" : firstLine(message);
    return e.getClass().equals(IOException.class) && !told.isEmpty()
        ? told
        : e.getClass().getSimpleName() + (told.isEmpty() ? "" : ": " + told);
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }
}
