package io.trimtab.providers.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.SenselessAnswers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An API of EC2 that answers nonsense, most of which the SDK takes for an answer with nothing. */
@Timeout(60)
class Ec2AnswersTest extends SenselessAnswers {
  private static final Pattern ACTION = Pattern.compile("(?:^|&)Action=(\\w+)");

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

  @Override
  protected String contentType() {
    return "text/xml";
  }

  @Override
  protected String request(HttpExchange exchange, String body) {
    Matcher action = ACTION.matcher(body);
    return action.find() ? action.group(1) : "";
  }

  @Override
  protected String settings(int port) throws IOException {
    Path key = Files.writeString(folder.resolve("key"), SECRET + "\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return """
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
  }

  private void senseless(ThrowingCallable call, String action, String says) {
    assertSenseless(call, "EC2 127.0.0.1:%d, %s: the answer ".formatted(port(), action), says);
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
