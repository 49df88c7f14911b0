package io.trimtab.providers.openstack;

import com.sun.net.httpserver.Headers;
import io.trimtab.providers.SenselessAnswers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A Keystone and a Nova at one address, of which one answers nonsense. */
abstract class OpenStackAnswers extends SenselessAnswers {
  static final String LOGIN = "POST /v3/auth/tokens";
  static final String SERVERS = "GET /v2.1/servers/detail";
  static final String CREATE = "POST /v2.1/servers";
  static final String FLAVORS = "GET /v2.1/flavors/detail";
  static final String LIMITS = "GET /v2.1/limits";
  static final String GROUPS = "GET /v2.1/os-server-groups";

  /** With its catalogue, and the time of its end. */
  static final String TOKEN = "{\"token\":{\"catalog\":%s,\"expires_at\":\"%s\"}}";

  /** With the address of Nova. */
  static final String CATALOG =
      "[{\"type\":\"compute\",\"endpoints\":[{\"interface\":\"public\",\"region_id\":\"R1\","
          + "\"url\":\"%s\"}]}]";

  static final String LISTED = "{\"servers\":[%s]}";

  static final String KNOWN_GROUP =
      "{\"server_groups\":[{\"id\":\"g-1\",\"name\":\"trimtab-c1\","
          + "\"policy\":\"soft-anti-affinity\",\"members\":[]}]}";

  /** What a login is answered in the header for it. */
  volatile List<String> tokens = List.of("t0ken");

  @BeforeEach
  void sensibleAtFirst() {
    answers = this::sensible;
  }

  @Override
  protected void addHeaders(String request, Headers headers) {
    if (request.equals(LOGIN)) {
      headers.put("X-Subject-Token", tokens);
    }
  }

  @Override
  protected String settings(int port) throws IOException {
    Path password = Files.writeString(folder.resolve("password"), SECRET + "\n");
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
    return """
        provider:
          openstack:
            auth: http://127.0.0.1:%d/v3
            login: {user: trimtab, project: p, secret: "file:password"}
            image: 70a5
            limit: 10s
            machines: {port: 16020, type: m1.large, max: 3, poll: 100ms, keep: 0s}
        """
        .formatted(port);
  }

  final String nova() {
    return "http://127.0.0.1:%d/v2.1".formatted(port());
  }

  final String sensible(String request) {
    return switch (request) {
      case LOGIN -> TOKEN.formatted(CATALOG.formatted(nova()), "2999-01-31T12:00:00Z");
      case SERVERS -> LISTED.formatted("");
      case CREATE -> "{\"server\":{\"id\":\"s-1\"}}";
      case FLAVORS ->
          "{\"flavors\":[{\"id\":\"1\",\"name\":\"m1.large\",\"vcpus\":4,\"ram\":8192}]}";
      case LIMITS -> "{\"limits\":{\"absolute\":{}}}";
      case GROUPS -> KNOWN_GROUP;
      default -> "";
    };
  }

  /** The answer to one request; to others those that make sense. */
  final void answer(String request, String body) {
    answers = asked -> asked.equals(request) ? body : sensible(asked);
  }
}
