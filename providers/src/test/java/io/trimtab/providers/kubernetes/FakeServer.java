package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The API server of fabric8's mock, with what that lacks: evictions, and answers that a client
 * would rather not have. These are as the real one words them.
 */
final class FakeServer extends KubernetesCrudDispatcher {
  private static final int TOO_MANY_REQUESTS = 429;

  /** Longer than any test. */
  private static final Duration FOREVER = Duration.ofHours(1);

  private static final Pattern EVICTION =
      Pattern.compile("(/api/v1/namespaces/[^/]+/pods/[^/]+)/eviction");

  private static final Pattern RESOURCE =
      Pattern.compile("/namespaces/[^/]+/([a-z]+)(/[^/?]+)?(/[a-z]+)?(\\?.*)?");

  /** What providers, who have a token, have asked for: {@code list pods}. */
  final Set<String> asked = new ConcurrentSkipListSet<>();

  /** Patches that are yet to be refused, because somebody else was faster. */
  final AtomicInteger conflicts = new AtomicInteger();

  /** Patches that are yet to be done without that their sender hears of it. */
  final AtomicInteger lost = new AtomicInteger();

  /**
   * Of which kind of resource patches by providers are done, and answered by nobody; null: none.
   */
  volatile String held;

  /** Whether such a patch was done. */
  volatile boolean holding;

  /** Whether a budget forbids every eviction. */
  volatile boolean evictsNothing;

  /** What the user may not read; null: nothing. */
  volatile String forbidden;

  @Override
  public MockResponse dispatch(RecordedRequest request) {
    if (request.getHeader("Authorization") != null) {
      note(request);
    }
    String kind = forbidden;
    if (kind != null && request.getPath().contains("/" + kind)) {
      return status(
          HttpURLConnection.HTTP_FORBIDDEN,
          "Forbidden",
          kind + " is forbidden: User \\\"t\\\" cannot list resource \\\"" + kind + "\\\"");
    }
    boolean patch = request.getMethod().equals("PATCH");
    if (patch && taken(conflicts)) {
      return status(
          HttpURLConnection.HTTP_CONFLICT,
          "Conflict",
          "Operation cannot be fulfilled: the object has been modified; please apply your changes"
              + " to the latest version and try again");
    }
    MockResponse answer = super.dispatch(request);
    String unanswered = held;
    if (patch
        && unanswered != null
        && request.getHeader("Authorization") != null
        && request.getPath().contains("/" + unanswered + "/")) {
      holding = true;
      // The server's own thread must not wait: it answers others meanwhile.
      return answer.setBodyDelay(FOREVER);
    }
    return patch && taken(lost)
        ? status(HttpURLConnection.HTTP_UNAVAILABLE, "ServiceUnavailable", "try again")
        : answer;
  }

  /** As roles call it. */
  private void note(RecordedRequest request) {
    Matcher resource = RESOURCE.matcher(request.getPath());
    if (!resource.find()) {
      throw new IllegalStateException(request.getPath());
    }
    String verb =
        switch (request.getMethod()) {
          case "GET" -> resource.group(2) == null ? "list" : "get";
          case "POST" -> "create";
          default -> request.getMethod().toLowerCase(Locale.ROOT);
        };
    String part = resource.group(3) == null ? "" : resource.group(3);
    asked.add(verb + " " + resource.group(1) + part);
  }

  private static boolean taken(AtomicInteger left) {
    return left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
  }

  @Override
  public MockResponse handleCreate(RecordedRequest request) {
    Matcher eviction = EVICTION.matcher(request.getPath());
    if (!eviction.matches()) {
      return super.handleCreate(request);
    }
    if (evictsNothing) {
      return status(
          TOO_MANY_REQUESTS,
          "TooManyRequests",
          "Cannot evict pod as it would violate the pod's disruption budget.");
    }
    return handleDelete(eviction.group(1));
  }

  private static MockResponse status(int code, String reason, String message) {
    return new MockResponse()
        .setResponseCode(code)
        .setBody(
            ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                    + "\"message\":\"%s\",\"reason\":\"%s\",\"code\":%d}")
                .formatted(message, reason, code));
  }
}
