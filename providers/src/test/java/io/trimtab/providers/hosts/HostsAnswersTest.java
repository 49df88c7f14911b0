package io.trimtab.providers.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A host that answers nonsense, or whose mark is none, is told, and nothing is begun without it.
 */
@Timeout(60)
class HostsAnswersTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String NO_MARK = "host %s: /host/marks/node-16020: is not one whole mark";

  @TempDir private Path home;

  @BeforeEach
  void configured() throws IOException {
    SshStandIn.install(home);
  }

  @AfterEach
  void nothingRunsOn() throws IOException {
    for (String host : SshStandIn.HOSTS) {
      Path pid = home.resolve(host).resolve("pid");
      if (Files.exists(pid)) {
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
            .ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  private NodeProvider provider() {
    return SshStandIn.settings(home, null)
        .provider(
            new ProviderContext(
                () -> Snapshots.of(Map.of()), ProviderContext.Words.PLAIN, id -> home, line -> {}));
  }

  private NodeId add() throws EngineException {
    return provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
  }

  /**
   * @param begins the message, which names the host
   */
  private static void senseless(ThrowingCallable call, String begins, String says) {
    assertThatThrownBy(call)
        .isInstanceOf(UnusableAnswerException.class)
        .hasMessageStartingWith(begins)
        .hasMessageContaining(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  private static void fails(ThrowingCallable call, String says) {
    assertThatThrownBy(call)
        .isInstanceOf(EngineException.class)
        .isNotInstanceOf(UnusableAnswerException.class)
        .hasMessageContaining(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  /** By whoever asks for a node, for what can be added, or for the list of machines. */
  private void assertToldAndNothingDone(String begins, String says) {
    NodeProvider provider = provider();
    senseless(this::add, begins, says);
    senseless(provider::machines, begins, says);
    senseless(provider::capacity, begins, says);
    assertThat(provider.spare()).isZero();
    assertThat(provider.offer().hindrance())
        .hasValueSatisfying(reason -> assertThat(reason).contains(says));
    for (String host : SshStandIn.HOSTS) {
      assertThat(home.resolve(host).resolve("pid")).doesNotExist();
      assertThat(home.resolve(host).resolve("site")).doesNotExist();
    }
    assertThat(SshStandIn.mark(home, "h1")).doesNotExist();
    assertThat(home.resolve("provider")).as("no request is noted").doesNotExist();
  }

  /** Each word is a line. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | nothing",
        "Welcome | : Welcome",
        "Welcome stopped - - | : Welcome",
        "running | less than was asked for: running",
        "stopped - | less than was asked for: stopped",
        "stopped perhaps - | : perhaps",
        "stopped - perhaps | : perhaps",
        "stopped - - stopped - - | more than was asked for: stopped",
      })
  void whatNoLookIsAnsweredWithIsToldInOneLine(String answer, String says) throws IOException {
    Files.writeString(home.resolve("h2.says"), answer.replace(' ', '\n') + "\n");
    assertToldAndNothingDone("host h2, look: has answered", says);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''",
        "nobody is here",
        "null",
        "5",
        "[]",
        "{",
        "{}",
        "{\"cluster\":\"c1\"}",
        "{\"request\":\"p/new-1\"}",
        "{\"cluster\":\"c1\",\"request\":\"p/new-1\",\"since\":1}",
        "{\"cluster\":\"c1\",\"request\":\"p/new-1\",\"since\":\"yesterday\"}",
        "{\"cluster\":\"c1\",\"request\":\"p/new-1\",\"profile\":{}}",
        "{\"cluster\":\"c1\",\"cluster\":\"c2\",\"request\":\"p/new-1\"}",
      })
  void aMarkThatIsNoneIsNotTakenForAFreeHost(String mark) throws IOException {
    SshStandIn.mark(home, "h2", mark);
    assertToldAndNothingDone(NO_MARK.formatted("h2"), mark);
  }

  /** In its file, or because the host answers twice: nobody knows which one is meant. */
  @Test
  void ofTwoMarksNoneCounts() throws IOException {
    String mark = SshStandIn.text("c1", "p/new-1");
    SshStandIn.mark(home, "h2", mark + mark);
    assertToldAndNothingDone(NO_MARK.formatted("h2"), ": {\"cluster\":\"c1\"");
    SshStandIn.mark(home, "h2", mark);
    String answer = "stopped\n-\nmarked\n" + mark;
    Files.writeString(home.resolve("h2.says"), answer + answer);
    assertToldAndNothingDone(NO_MARK.formatted("h2"), ": {\"cluster\":\"c1\"");
  }

  /** It passes by itself, and the others can be used meanwhile. */
  @Test
  void aHostThatIsDownOrLetsNobodyInAnswersNoNonsense() throws EngineException, IOException {
    Files.createFile(home.resolve("h1.locked"));
    Files.createFile(home.resolve("h2.silent"));
    assertThat(provider().spare()).isOne();
    assertThat(add().name()).startsWith("h3:");

    Files.createFile(home.resolve("h3.down"));
    fails(
        () -> provider().add("p/new-2", Profile.READ, List.of(), LIMIT),
        "request p/new-2: no host is free; 0 of 3 could be looked at");
  }

  /** The host may have it: the list of machines tells, and no other host is taken. */
  @Test
  void whatIsNoMarkIsNoAnswerToWhoSetsOne() throws EngineException, IOException {
    Path marks = Files.writeString(home.resolve("h1.marks"), "Welcome\n");
    senseless(this::add, NO_MARK.formatted("h1"), ": Welcome;");
    assertThat(provider().machines())
        .singleElement()
        .satisfies(machine -> assertThat(machine.requestId()).isEqualTo("p/new-1"));
    assertThat(home.resolve("h1").resolve("pid")).doesNotExist();
    assertThat(SshStandIn.mark(home, "h2")).doesNotExist();

    Files.delete(marks);
    assertThat(add().name()).startsWith("h1:");
    assertThat(provider().machines()).hasSize(1);
  }

  /** Somebody has to look for it: the plan is not refused as if nothing had been done. */
  @Test
  void nonsenseAfterAServiceWasStartedIsAFailure() throws EngineException, IOException {
    Files.writeString(home.resolve("h1.then"), "Welcome\n");
    fails(this::add, "host h1, look: has answered: Welcome; host h1 was asked for its node before");

    Files.delete(home.resolve("h1.says"));
    assertThat(add().name()).startsWith("h1:");
    assertThat(provider().machines()).extracting(Machine::name).containsExactly("h1");
  }

  @Test
  void aNodeOfAnotherHostIsGivenBackAllTheSame() throws EngineException, IOException {
    NodeId node = add();
    Files.writeString(home.resolve("h2.says"), "Welcome\n");
    provider().remove(node, LIMIT);
    assertThat(SshStandIn.mark(home, "h1")).content().contains("\"retired\":true");
  }
}
