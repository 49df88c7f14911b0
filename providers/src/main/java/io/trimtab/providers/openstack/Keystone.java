package io.trimtab.providers.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.config.Redaction;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Requests to Nova, at the address of the catalogue and with a token that is renewed. */
final class Keystone {
  /** A token is renewed this long before it ends. */
  private static final Duration EARLY = Duration.ofMinutes(2);

  private static final int UNAUTHORIZED = 401;

  /**
   * Of the behaviour of Nova that is asked for: server groups with one policy, and servers whose
   * cell does not answer in lists, which would lack them before (Stein, 2019).
   */
  private static final String VERSION = "compute 2.69";

  private final OpenStackSettings settings;
  private final Http http;
  private Session session;

  /**
   * @param nova without a slash at its end
   */
  private record Session(String token, String nova, Instant ends) {
    /** For logs: without the token. */
    @Override
    public String toString() {
      return "session at " + nova + " until " + ends;
    }
  }

  Keystone(OpenStackSettings settings, Http http) {
    this.settings = settings;
    this.http = http;
  }

  /** Keystone's host and port, for messages. */
  String authority() {
    return URI.create(settings.auth()).getAuthority();
  }

  /**
   * What Nova answers.
   *
   * @param path after Nova's address, with a slash
   * @param body null for none
   */
  JsonNode nova(String method, String path, JsonNode body) throws EngineException {
    // Whose login is refused is not asked for it twice: accounts are locked for that.
    Session with = session(false);
    try {
      return send(with, method, path, body);
    } catch (StatusException e) {
      if (e.status() != UNAUTHORIZED) {
        throw e;
      }
      // The token was taken back before its end.
      return send(session(true), method, path, body);
    }
  }

  private JsonNode send(Session with, String method, String path, JsonNode body)
      throws EngineException {
    Map<String, String> headers = new TreeMap<>();
    headers.put("X-Auth-Token", with.token());
    headers.put("OpenStack-API-Version", VERSION);
    Redaction hidden = new Redaction(List.of(with.token()));
    return http.send("Nova", method, URI.create(with.nova() + path), headers, body, hidden).body();
  }

  private synchronized Session session(boolean anew) throws EngineException {
    if (anew || session == null || Instant.now().plus(EARLY).isAfter(session.ends())) {
      session = login();
    }
    return session;
  }

  private Session login() throws EngineException {
    String auth = settings.auth().replaceFirst("/+$", "");
    String proof;
    try {
      proof = settings.login().secret().read();
    } catch (UserError e) {
      throw new EngineException(e.getMessage(), e);
    }
    Http.Answer answer =
        http.send(
            "Keystone",
            "POST",
            URI.create(auth + "/auth/tokens"),
            Map.of(),
            settings.login().request(proof),
            new Redaction(List.of(proof)));
    String token =
        answer
            .headers()
            .firstValue("X-Subject-Token")
            .orElseThrow(
                () -> new EngineException("Keystone at " + authority() + " gives no token"));
    JsonNode granted = answer.body().path("token");
    return new Session(token, address(granted.path("catalog")), ends(granted));
  }

  private Instant ends(JsonNode granted) throws EngineException {
    String text = granted.path("expires_at").asText();
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new EngineException(
          "Keystone at %s: expires_at is no time: '%s'".formatted(authority(), text), e);
    }
  }

  private String address(JsonNode catalogue) throws EngineException {
    for (JsonNode service : catalogue) {
      if (!service.path("type").asText().equals("compute")) {
        continue;
      }
      for (JsonNode endpoint : service.path("endpoints")) {
        String region = endpoint.path("region_id").asText(endpoint.path("region").asText());
        boolean here = settings.region() == null || settings.region().equals(region);
        if (here && endpoint.path("interface").asText().equals(settings.catalog())) {
          return endpoint.path("url").asText().replaceFirst("/+$", "");
        }
      }
    }
    throw new EngineException(
        "Keystone at %s: its catalogue has no %s address of compute%s"
            .formatted(
                authority(),
                settings.catalog(),
                settings.region() == null ? "" : " in region " + settings.region()));
  }
}
