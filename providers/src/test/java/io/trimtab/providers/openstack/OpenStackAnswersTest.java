package io.trimtab.providers.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeProvider;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Nova that answers nonsense. */
@Timeout(60)
class OpenStackAnswersTest extends OpenStackAnswers {
  /** With its state; of the request that these tests make. */
  private static final String SERVER =
      "{\"id\":\"s-1\",\"name\":\"n\",\"status\":\"%s\",\"created\":\"2026-01-31T12:00:00Z\","
          + "\"metadata\":{\"trimtab-cluster\":\"c1\",\"trimtab-request\":\"p/new-1\"},"
          + "\"addresses\":{}}";

  private void senseless(ThrowingCallable call, String says) {
    assertSenseless(call, "OpenStack 127.0.0.1:%d: Nova's answer ".formatted(port()), says);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''",
        "null",
        "[]",
        "{}",
        "{\"servers\":\"s3cr3t\"}",
        "{\"servers\":{\"s3cr3t\":1}}",
      })
  void aListThatIsNoneIsNotTakenForAnEmptyOne(String body) throws IOException {
    answer(SERVERS, body);
    NodeProvider provider = provider();

    senseless(() -> add(provider), "has no list of servers");
    senseless(provider::machines, "has no list of servers");
    assertThat(provider.offer().hindrance())
        .hasValueSatisfying(reason -> assertThat(reason).contains("has no list of servers"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nobody is here, s3cr3t",
        "<html>s3cr3t</html>",
        "{\"servers\":[]",
        "{\"servers\":[]}{\"servers\":[]}",
        "{\"servers\":[],\"servers\":[]}",
      })
  void aListThatCanNotBeReadOrComesTwiceIsToldInOneLine(String body) throws IOException {
    answer(SERVERS, body);
    NodeProvider provider = provider();

    assertSenseless(
        () -> add(provider),
        "Nova at 127.0.0.1:%d, %s: the answer ".formatted(port(), SERVERS),
        "is not the JSON that was asked for (line 1, column");
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "null", "[]", "{}", "{\"id\":7}", "{\"id\":\" \"}"})
  void whatHasNoIdIsNoServer(String server) throws IOException {
    answer(SERVERS, LISTED.formatted(server));
    NodeProvider provider = provider();

    senseless(() -> add(provider), "has an entry without an id in its list of servers");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"status\":\"ACTIVE\" | \"status\":null | without a status",
        "\"status\":\"ACTIVE\" | \"status\":[\"s3cr3t\"] | without a status",
        "\"name\":\"n\" | \"name\":null | without a name",
        "\"created\":\"2026-01-31T12:00:00Z\" | \"created\":\"s3cr3t\" | without the time at",
        "\"created\" | \"made\" | without the time at which it was created",
        "\"metadata\" | \"s3cr3t\" | without texts as metadata",
        "\"c1\" | [\"s3cr3t\"] | without texts as metadata",
        "\"p/new-1\" | 1 | without texts as metadata",
        "\"addresses\":{} | \"addresses\":[] | with an address that is none",
        "\"addresses\":{} | \"addresses\":{\"a\":\"s3cr3t\"} | with an address that is none",
        "\"addresses\":{} | \"addresses\":{\"a\":[{}]} | with an address that is none",
        "\"addresses\":{} | \"addresses\":{\"a\":[{\"addr\":\"s3cr3t\"}]} | with an address that",
      })
  void aServerWithoutWhatItNeedsIsNoServer(String part, String instead, String says)
      throws IOException {
    answer(SERVERS, LISTED.formatted(SERVER.formatted("ACTIVE").replace(part, instead)));
    NodeProvider provider = provider();

    senseless(() -> add(provider), "has server s-1 " + says);
    senseless(provider::machines, "has server s-1 " + says);
  }

  @Test
  void aServerIsListedOnce() throws IOException {
    String server = SERVER.formatted("ACTIVE");
    answer(SERVERS, LISTED.formatted(server + "," + server));
    NodeProvider provider = provider();

    senseless(provider::machines, "has s-1 twice in its list of servers");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        FLAVORS + " | {} | has no list of flavors",
        FLAVORS + " | {\"flavors\":[{\"name\":\"m1.large\"}]} | without an id in its list",
        GROUPS + " | {\"server_groups\":5} | has no list of server_groups",
        CREATE + " | '' | to a request for a server names none",
        CREATE + " | null | to a request for a server names none",
        CREATE + " | {\"server\":{\"id\":[\"s3cr3t\"]}} | to a request for a server names none",
      })
  void nonsenseBeforeAServerIsKnownIsAFirstAnswer(String request, String body, String says)
      throws IOException {
    answer(request, body);
    NodeProvider provider = provider();

    senseless(() -> add(provider), says);
  }

  /** No list of machines tells of the group; nor is it forgotten when the request comes again. */
  @Test
  void nonsenseOnceAGroupMayBeMadeIsAFailure() throws IOException {
    String none = "{\"server_groups\":[]}";
    answers = request -> request.equals(GROUPS) ? none : sensible(request);
    NodeProvider provider = provider();
    String says = "; server group trimtab-c1 may have been made before";
    fails(() -> add(provider), "to a request for a server group names none" + says);

    answer(CREATE, "");
    fails(() -> add(provider), "to a request for a server names none" + says);
    NodeProvider next = provider();
    senseless(() -> add(next), "to a request for a server names none");
  }

  /** Somebody has to look for it: the plan is not refused as if nothing had been done. */
  @Test
  void nonsenseAfterAServerWasAskedForIsAFailure() throws IOException {
    AtomicInteger lists = new AtomicInteger(Integer.MIN_VALUE);
    answers =
        request -> {
          if (request.equals(CREATE)) {
            lists.set(0);
          }
          return request.equals(SERVERS) && lists.incrementAndGet() > 0
              ? SECRET
              : sensible(request);
        };
    NodeProvider provider = provider();
    fails(() -> add(provider), "; server s-1 was asked for before");

    answers =
        request -> {
          if (!request.equals(SERVERS)) {
            return sensible(request);
          }
          return lists.incrementAndGet() > 2 ? SECRET : LISTED.formatted(SERVER.formatted("BUILD"));
        };
    // One list is two answers, since nothing new is on the second page.
    lists.set(0);
    fails(() -> add(provider), "; machine s-1 was asked for before");
  }

  /** Its own machine is started, or deleted to make place for another one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"SHUTOFF | POST /v2.1/servers/s-1/action", "ERROR | DELETE /v2.1/servers/s-1"})
  void nonsenseOnceAServerIsKnownIsAFailure(String status, String change) throws IOException {
    String listed = LISTED.formatted(SERVER.formatted(status));
    answers =
        request -> {
          if (request.equals(SERVERS)) {
            return listed;
          }
          return request.equals(change) ? SECRET : sensible(request);
        };
    NodeProvider provider = provider();

    fails(() -> add(provider), "; machine s-1 was asked for before");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        LIMITS + " | '' | has no limits of the project",
        LIMITS + " | {\"limits\":{\"absolute\":\"s3cr3t\"}} | has no limits of the project",
        LIMITS
            + " | {\"limits\":{\"absolute\":{\"maxTotalCores\":\"s3cr3t\"}}}"
            + " | has no whole number in maxTotalCores",
        LIMITS
            + " | {\"limits\":{\"absolute\":{\"maxTotalInstances\":10}}}"
            + " | has no whole number in totalInstancesUsed",
        FLAVORS
            + " | {\"flavors\":[{\"id\":\"1\",\"name\":\"m1.large\",\"vcpus\":\"s3cr3t\"}]}"
            + " | has no whole number in vcpus",
        FLAVORS
            + " | {\"flavors\":[{\"id\":\"1\",\"name\":\"m1.large\",\"vcpus\":4,"
            + "\"ram\":81920000000000}]} | has no whole number in ram",
      })
  void aQuotaThatIsNoneIsNotTakenForOneWithoutAnEnd(String request, String body, String says)
      throws IOException {
    answer(request, body);
    assertOffersNothing(says);
  }

  private void assertOffersNothing(String says) throws IOException {
    NodeProvider provider = provider();
    senseless(provider::capacity, says);
    assertThat(provider.spare()).isZero();
    assertThat(provider.offer().hindrance())
        .hasValueSatisfying(reason -> assertThat(reason).contains(says));
  }

  @Test
  void aGroupWithoutAListOfMembersIsNotTakenForAnEmptyOne() throws IOException {
    answers =
        request ->
            switch (request) {
              case LIMITS -> "{\"limits\":{\"absolute\":{\"maxServerGroupMembers\":5}}}";
              case GROUPS -> KNOWN_GROUP.replace("[]", "\"s3cr3t\"");
              default -> sensible(request);
            };
    assertOffersNothing("has a server group without a list of members");
  }
}
