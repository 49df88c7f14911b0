package io.trimtab.providers.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.config.Redaction;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.providers.Check;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Requests to Nova, at the address of the catalogue and with a token that is renewed. */
final class Keystone {
  /** A token is renewed this long before it ends. */
  private static final Duration EARLY = Duration.ofMinutes(2);

  private static final int UNAUTHORIZED = 401;

  /** As a header takes it. */
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");

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
    JsonNode granted = answer.body().path("token");
    return new Session(token(answer), address(granted.path("catalog")), ends(granted));
  }

  /** Whatever else is in its place is not repeated: it may be a part of a token. */
  private String token(Http.Answer answer) throws EngineException {
    List<String> tokens = answer.headers().allValues("X-Subject-Token");
    if (tokens.size() != 1 || !TOKEN.matcher(tokens.get(0)).matches()) {
      throw senseless("has not one token in X-Subject-Token");
    }
    return tokens.get(0);
  }

  private Instant ends(JsonNode granted) throws EngineException {
    try {
      return Instant.parse(granted.path("expires_at").asText());
    } catch (DateTimeException e) {
      // Without the parser's error, which quotes the answer.
      throw senseless("has no time in expires_at");
    }
  }

  /** An answer must have a catalogue; what is in that, and what is not, is its operator's. */
  private String address(JsonNode catalogue) throws EngineException {
    if (!catalogue.isArray()) {
      throw senseless("has no catalogue");
    }
    for (JsonNode service : catalogue) {
      if (!service.path("type").asText().equals("compute")) {
        continue;
      }
      for (JsonNode endpoint : service.path("endpoints")) {
        String region = endpoint.path("region_id").asText(endpoint.path("region").asText());
        boolean here = settings.region() == null || settings.region().equals(region);
        if (here && endpoint.path("interface").asText().equals(settings.catalog())) {
          return checked(endpoint.path("url").asText()).replaceFirst("/+$", "");
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

  /** An address as messages can show it: a user, a password or a query may be a secret. */
  private String checked(String address) throws EngineException {
    URI nova;
    try {
      nova = Check.address("url", address);
    } catch (IllegalArgumentException e) {
      // Without its message, which may have the address.
      throw senseless(
          "has no address, without user and query, of compute (%s)".formatted(settings.catalog()));
    }
    // The token goes there: over no wire that others can read, where Keystone's is none.
    if (settings.auth().startsWith("https:") && !Check.unreadable(nova)) {
      throw new EngineException(
          "Keystone at %s: its %s address of compute is %s, without https, so the token is not"
                  .formatted(authority(), settings.catalog(), address)
              + " sent there; set provider.openstack.catalog to another");
    }
    return address;
  }

  private UnusableAnswerException senseless(String problem) {
    return new UnusableAnswerException(
        "Keystone at %s: the answer to a login %s".formatted(authority(), problem));
  }
}
