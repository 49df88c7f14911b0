package io.trimtab.providers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.SenselessAnswers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server that answers nonsense, most of which its client takes for nothing, or for YAML. */
@Timeout(60)
class KubernetesAnswersTest extends SenselessAnswers {
  private static final String SET = "/apis/apps/v1/namespaces/db/statefulsets/rs";
  private static final String MAP = "/api/v1/namespaces/db/configmaps/rs";

  /** A StatefulSet with what is wanted of it. */
  private static final String FOUND =
      "{\"kind\":\"StatefulSet\",\"apiVersion\":\"apps/v1\",\"metadata\":{\"name\":\"rs\","
          + "\"uid\":\"u-1\",\"resourceVersion\":\"1\"},\"spec\":%s}";

  private static final String EMPTY =
      FOUND.formatted("{\"replicas\":0,\"selector\":{\"matchLabels\":{\"app\":\"rs\"}}}");

  private static final String NONE =
      "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},"
          + "\"items\":[]}";

  /** A ConfigMap without a profile. */
  private static final String BLANK =
      "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"rs\","
          + "\"uid\":\"u-2\",\"resourceVersion\":\"1\"}}";

  /** What the pool has beside its name. */
  private String pool = "max: 3";

  @Override
  protected String settings(int port) throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "t\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    return """
        provider:
          kubernetes:
            server: http://127.0.0.1:%d
            token: file:token
            namespace: db
            node: "{pod}.rs.db.svc:16020"
            poll: 100ms
            keep: 0s
            pools:
            - {statefulSet: rs, %s}
        """
        .formatted(port, pool);
  }

  /** Of a pool without pods, whose profile is to be stored first. */
  private static String sensible(String request) {
    if (request.endsWith(MAP)) {
      return BLANK;
    }
    return request.endsWith(SET) ? EMPTY : NONE;
  }

  private static void senseless(ThrowingCallable call, String what, String says) {
    assertSenseless(call, "namespace db, " + what + ": the API server's answer ", says);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nobody is here, s3cr3t | is not the JSON that was asked for (line 1, column",
        "kind: s3cr3t | is not the JSON that was asked for (line 1, column",
        "<html>s3cr3t</html> | is not the JSON that was asked for (line 1, column",
        "{\"kind\":\"s3cr3t\" | is not the JSON that was asked for (line 1, column",
        "{\"metadata\":\"s3cr3t\"} | is not the JSON that was asked for",
        "'' | is not the JSON that was asked for",
        "[] | is not the JSON that was asked for",
        "{}{} | is not the JSON that was asked for",
        "{} | is another resource, or lacks its uid or version",
        "{\"kind\":\"Status\",\"metadata\":{},\"message\":\"s3cr3t\"} | is another resource",
        "{\"metadata\":{\"name\":\"rs\",\"uid\":\"u-1\"},\"spec\":{\"replicas\":0}} | is another",
      })
  void whatIsNoStatefulSetIsToldInOneLine(String body, String says) throws IOException {
    answers = request -> body;
    NodeProvider provider = provider();

    senseless(() -> add(provider), "StatefulSet rs", says);
    senseless(provider::machines, "StatefulSet rs", says);
    assertThat(provider.offer().hindrance())
        .hasValueSatisfying(reason -> assertThat(reason).contains(says));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "{}", "{\"replicas\":\"s3cr3t\"}", "{\"replicas\":-1}", "5"})
  void aStatefulSetHasANumberOfNodes(String spec) throws IOException {
    answers = request -> FOUND.formatted(spec);
    NodeProvider provider = provider();

    senseless(() -> add(provider), "StatefulSet rs", "has no number of nodes in spec.replicas");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "s3cr3t | is not the JSON that was asked for (line 1, column",
        "'' | is not the JSON that was asked for",
        "{\"kind\":\"Status\",\"metadata\":{}} | is not the JSON that was asked for",
        "{\"items\":\"s3cr3t\"} | is not the JSON that was asked for",
        "{\"items\":[{\"metadata\":{}}]} | lists a resource without its name or uid",
      })
  void aListThatIsNoneIsNotTakenForAnEmptyOne(String body, String says) throws IOException {
    answers = request -> request.equals("GET " + SET) ? EMPTY : body;
    NodeProvider provider = provider();

    senseless(() -> add(provider), "pods", says);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s3cr3t", "[]"})
  void aChangeIsAnsweredWithWhatItHasMade(String body) throws IOException {
    answers =
        request -> {
          if (request.startsWith("PATCH ")) {
            return body;
          }
          return request.equals("GET " + SET) ? EMPTY : NONE;
        };
    NodeProvider provider = provider();

    senseless(() -> add(provider), "StatefulSet rs", "is not the JSON that was asked for");
  }

  @Test
  void whoFailsOrIsNotReachedAnswersNoNonsense() throws IOException {
    NodeProvider provider = provider();
    status = 500;
    answers = request -> "<html>nobody is here</html>";
    fails(() -> add(provider), "namespace db, StatefulSet rs: ");
    answers = request -> "";
    fails(() -> add(provider), "namespace db, StatefulSet rs: ");
    status = 404;
    fails(() -> add(provider), "StatefulSet rs: is not in namespace db");
    NodeProvider refused = provider(NOBODY);
    fails(() -> add(refused), "namespace db, StatefulSet rs: ");
  }

  /** Somebody has to look for it: the plan is not refused as if nothing had been done. */
  @Test
  void nonsenseAfterAPodWasAskedForIsAFailure() throws IOException {
    AtomicBoolean asked = new AtomicBoolean();
    answers =
        request -> {
          if (asked.get()) {
            return SECRET;
          }
          asked.set(request.startsWith("PATCH "));
          return request.endsWith(SET) ? EMPTY : NONE;
        };
    NodeProvider provider = provider();

    fails(() -> add(provider), "; pod rs-0 was asked for before");
  }

  /** No list of machines tells of it; nor is it forgotten when the request is tried again. */
  @ParameterizedTest
  @ValueSource(strings = {MAP, SET})
  void nonsenseOnceAProfileMayBeStoredIsAFailure(String patched) throws IOException {
    pool = "configMap: rs, max: 3";
    answers = request -> request.equals("PATCH " + patched) ? SECRET : sensible(request);
    NodeProvider provider = provider();

    fails(() -> add(provider), "; ConfigMap rs may have been changed before");
    answers = request -> SECRET;
    fails(() -> add(provider), "; ConfigMap rs may have been changed before");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {SET + " | StatefulSet rs", MAP + " | ConfigMap rs"})
  void nonsenseBeforeAProfileIsStoredIsAFirstAnswer(String read, String what) throws IOException {
    pool = "configMap: rs, max: 3";
    answers = request -> request.equals("GET " + read) ? SECRET : sensible(request);
    NodeProvider provider = provider();

    senseless(() -> add(provider), what, "is not the JSON that was asked for");
  }

  /** The last look at the ConfigMap is for its version, right before the change. */
  @Test
  void aConfigMapThatIsNoneIsNotChanged() throws IOException {
    pool = "configMap: rs, max: 3";
    AtomicInteger looks = new AtomicInteger();
    AtomicBoolean changed = new AtomicBoolean();
    answers =
        request -> {
          if (request.startsWith("PATCH ")) {
            changed.set(true);
          }
          return request.equals("GET " + MAP) && looks.incrementAndGet() > 2
              ? SECRET
              : sensible(request);
        };
    NodeProvider provider = provider();

    senseless(() -> add(provider), "ConfigMap rs", "is not the JSON that was asked for");
    assertThat(looks).hasValue(3);
    assertThat(changed).isFalse();
  }
}
