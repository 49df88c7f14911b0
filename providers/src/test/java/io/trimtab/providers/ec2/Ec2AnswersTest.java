package io.trimtab.providers.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderFile;
import io.trimtab.providers.Snapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An API of EC2 that answers nonsense, most of which the SDK takes for an answer with nothing. */
@Timeout(60)
class Ec2AnswersTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** A port where nobody listens. */
  private static final int NOBODY = 1;

  private static final Pattern ACTION = Pattern.compile("(?:^|&)Action=(\\w+)");

  /** In answers, and in the files of the settings. */
  private static final String SECRET = "s3cr3t";

  private static final String NONE =
      "<DescribeInstancesResponse><reservationSet/></DescribeInstancesResponse>";

  /** With what is told of one machine. */
  private static final String LISTED =
      "<DescribeInstancesResponse><reservationSet><item><instancesSet><item>%s</item>"
          + "</instancesSet></item></reservationSet></DescribeInstancesResponse>";

  private static final String RUN =
      "<RunInstancesResponse><instancesSet><item><instanceId>i-1</instanceId><instanceState>"
          + "<code>0</code><name>pending</name></instanceState></item></instancesSet>"
          + "</RunInstancesResponse>";

  @TempDir private Path folder;
  private HttpServer server;

  /** What each action is answered. */
  private volatile UnaryOperator<String> answers;

  private volatile int status = 200;

  @BeforeEach
  void started() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void ended() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Matcher action = ACTION.matcher(form);
      String body = answers.apply(action.find() ? action.group(1) : "");
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/xml");
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      if (bytes.length > 0) {
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  private NodeProvider provider() throws IOException {
    return provider(server.getAddress().getPort());
  }

  private NodeProvider provider(int port) throws IOException {
    Path key = Files.writeString(folder.resolve("key"), SECRET + "\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    String yaml =
        """
        provider:
          ec2:
            region: eu-west-1
            endpoint: http://127.0.0.1:%d
            accessKey: file:key
            secretKey: file:key
            image: ami-1
            limit: 10s
            machines: {port: 16020, type: m5.large, max: 3, poll: 100ms, keep: 0s}
        """
            .formatted(port);
    return ProviderFile.read(Files.writeString(folder.resolve("provider.yaml"), yaml))
        .settings()
        .provider(
            new ProviderContext(
                () -> Snapshots.of(Map.of()),
                ProviderContext.Words.PLAIN,
                id -> folder,
                line -> {}));
  }

  private static NodeId add(NodeProvider provider) throws EngineException {
    return provider.add("p/new-1", Profile.READ, List.of(), LIMIT);
  }

  private void senseless(ThrowingCallable call, String action, String says) {
    int port = server.getAddress().getPort();
    assertThatThrownBy(call)
        .isInstanceOf(UnusableAnswerException.class)
        .hasMessageStartingWith("EC2 127.0.0.1:%d, %s: the answer ".formatted(port, action))
        .hasMessageContaining(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain(SECRET));
  }

  private static void fails(ThrowingCallable call, String says) {
    assertThatThrownBy(call)
        .isInstanceOf(EngineException.class)
        .isNotInstanceOf(UnusableAnswerException.class)
        .hasMessageContaining(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nobody is here, s3cr3t | is not the XML that was asked for (line 1, column",
        "<html>s3cr3t<br></html> | is not the XML that was asked for (line 1, column",
        "'' | has no list of reservations",
        "<html>s3cr3t</html> | has no list of reservations",
        "<a><reservationSet><item/></reservationSet></a> | has a reservation without a list",
      })
  void aListThatIsNoneIsNotTakenForAnEmptyOne(String body, String says) throws IOException {
    answers = action -> body;
    NodeProvider provider = provider();

    senseless(() -> add(provider), "DescribeInstances", says);
    senseless(provider::machines, "DescribeInstances", says);
    assertThat(provider.offer().hindrance())
        .hasValueSatisfying(reason -> assertThat(reason).contains(says));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<instanceId/><instanceState><name>running</name></instanceState> | without an id",
        "<instanceId>i-1</instanceId> | without a state",
        "<instanceId>i-1</instanceId><instanceState><name>running</name></instanceState>"
            + "<tagSet><item><value>s3cr3t</value></item></tagSet> | with a nameless tag",
        "<amiLaunchIndex>s3cr3t</amiLaunchIndex> | is not the XML that was asked for",
        "<launchTime>s3cr3t</launchTime> | is not the XML that was asked for",
      })
  void aMachineWithoutWhatItNeedsIsNoMachine(String told, String says) throws IOException {
    answers = action -> LISTED.formatted(told);
    NodeProvider provider = provider();

    senseless(() -> add(provider), "DescribeInstances", says);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "s3cr3t | is not the XML that was asked for (line 1, column",
        "'' | names no instance",
        "<RunInstancesResponse><instancesSet/></RunInstancesResponse> | names no instance",
        "<a><instancesSet><item/></instancesSet></a> | has an instance without an id",
      })
  void whatNamesNoMachineIsNoAnswerToARequestForOne(String body, String says) throws IOException {
    answers = action -> action.equals("RunInstances") ? body : NONE;
    NodeProvider provider = provider();

    senseless(() -> add(provider), "RunInstances", says);
  }

  @Test
  void whoFailsOrIsNotReachedAnswersNoNonsense() throws IOException {
    NodeProvider provider = provider();
    status = 500;
    answers = action -> SECRET;
    fails(() -> add(provider), ", DescribeInstances: ");
    answers = action -> "";
    fails(() -> add(provider), ", DescribeInstances: ");
    status = 404;
    fails(() -> add(provider), ", DescribeInstances: ");
    NodeProvider refused = provider(NOBODY);
    fails(() -> add(refused), ", DescribeInstances: ");
  }

  /** Somebody has to look for it: the plan is not refused as if nothing had been done. */
  @Test
  void nonsenseAfterAMachineWasAskedForIsAFailure() throws IOException {
    AtomicBoolean asked = new AtomicBoolean();
    answers =
        action -> {
          if (action.equals("RunInstances")) {
            asked.set(true);
            return RUN;
          }
          return asked.get() ? SECRET : NONE;
        };
    NodeProvider provider = provider();

    fails(() -> add(provider), "; machine i-1 was asked for before");
  }
}
