package io.trimtab.providers.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.testkit.ssh.SshHosts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract through the system's own ssh and a real sshd on each host, and what happens when a
 * connection, an sshd or a host does not last. See {@code ./trimtab test --ssh}.
 */
@Tag("ssh")
class HostsLiveIT extends HostsContract {
  private static final List<String> HOSTS = List.of("127.78.0.11", "127.78.0.12", "127.78.0.13");
  private static final String FIRST = HOSTS.get(0);
  private static final String NO_CONNECTION = ": ssh has no connection: ";

  /** Keeps the output and errors that it was started with, and writes to them for ever. */
  private static final String SERVICE =
      """
      cp site used
      echo $$ >pid.new
      mv pid.new pid
      while :; do
        echo alive
        echo alive >&2
        sleep 0.2
      done
      """;

  /** Leaves the service in the background; while there is a file {@code hold}, it does not end. */
  private static final String START =
      "cd %s; rm -f pid; sh ../service & until test -s pid; do sleep 0.05; done;"
          + " touch started; while test -e hold; do sleep 0.05; done";

  private SshHosts hosts;

  @BeforeEach
  void started() throws IOException, InterruptedException {
    hosts = SshHosts.start(HOSTS);
    Files.writeString(hosts.seen().resolveSibling("service"), SERVICE);
    writeTemplates(home);
    settings = settings(null);
  }

  @AfterEach
  void ended() throws IOException {
    if (hosts != null) {
      hosts.close();
    }
  }

  @Override
  List<String> hosts() {
    return HOSTS;
  }

  @Override
  Path of(String host) {
    return hosts.folder(host);
  }

  @Override
  String onHost(String file) {
    return hosts.seen().resolve(file).toString();
  }

  @Override
  HostsSettings settings(String retire) {
    String pid = onHost("pid");
    return new HostsSettings(
            HOSTS,
            PORT,
            null,
            hosts.port(),
            hosts.key().toString(),
            hosts.knownHosts().toString(),
            null,
            START.formatted(hosts.seen()),
            "kill $(cat %1$s); while kill -0 $(cat %1$s) 2>/dev/null; do sleep 0.05; done"
                .formatted(pid),
            "test -s %1$s && kill -0 $(cat %1$s)".formatted(pid),
            retire,
            onHost("marks"),
            Map.of(onHost("site"), "site.template"),
            Map.of(onHost("regionservers"), "peers.template"),
            null,
            null,
            Duration.ZERO,
            null,
            null)
        .in(home);
  }

  /** Asks for a node; returns when its service runs on the first host and start goes on. */
  private Future<NodeId> asked(String requestId) throws IOException, InterruptedException {
    Files.createFile(of(FIRST).resolve("hold"));
    FutureTask<NodeId> asked =
        new FutureTask<>(() -> provider().add(requestId, Profile.READ, List.of(), LIMIT));
    Thread thread = new Thread(asked, "asking");
    thread.setDaemon(true);
    thread.start();
    while (!Files.exists(of(FIRST).resolve("started"))) {
      assertThat(asked.isDone()).as("it ends before the service runs").isFalse();
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return asked;
  }

  private void letStartEnd() throws IOException {
    Files.delete(of(FIRST).resolve("hold"));
  }

  private static void assertNotReached(Future<NodeId> asked, String message) {
    assertThatThrownBy(() -> asked.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(Ssh.NotReachedException.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("\n");
  }

  /** The connection is lost when the service runs, before anything was answered. */
  @Override
  protected void askAndDie(String requestId) throws EngineException {
    try {
      Future<NodeId> asked = asked(requestId);
      hosts.cut(FIRST);
      assertNotReached(asked, "host " + FIRST + ", start" + NO_CONNECTION);
      letStartEnd();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aConnectionThatIsCutInAScriptLeavesOneService() throws EngineException {
    askAndDie("p/new-1");
    long service = process(node(0));

    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node(0));
    assertThat(process(node(0))).isEqualTo(service);
    assertThat(running()).containsExactly(node(0));
  }

  /** Nothing tells ssh; it finds out by itself, long before the time limit. */
  @Test
  void aConnectionThatFallsSilentIsGivenUp() throws Exception {
    Future<NodeId> asked = asked("p/new-1");
    hosts.freeze(FIRST);
    assertNotReached(
        asked, "host " + FIRST + ", start" + NO_CONNECTION + "the host does not answer");

    letStartEnd();
    long service = process(node(0));
    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node(0));
    assertThat(process(node(0))).isEqualTo(service);
  }

  @Test
  void anSshdThatEndsBetweenRequestAndAnswerHasNoSecondNodeBegun() throws Exception {
    Future<NodeId> asked = asked("p/new-1");
    hosts.stop(FIRST);
    letStartEnd();
    assertNotReached(asked, "host " + FIRST + ", look" + NO_CONNECTION);

    assertThatThrownBy(() -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("host " + FIRST + " of request p/new-1 is not reached");
    assertThat(running()).containsExactly(node(0));

    long service = process(node(0));
    hosts.startAgain(FIRST);
    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node(0));
    assertThat(process(node(0))).isEqualTo(service);
  }

  @Test
  void aServiceThatKeepsItsOutputHoldsNothingUp() throws Exception {
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), Duration.ofSeconds(30));
    for (String output : List.of("1", "2")) {
      Path kept = Path.of("/proc/" + process(node) + "/fd/" + output);
      assertThat(Files.readSymbolicLink(kept).toString()).endsWith(" (deleted)");
    }
  }

  @Test
  void aHostWithAnotherKeyIsNotUsed() throws Exception {
    hosts.replaceKey(FIRST);
    assertThat(provider().spare()).isEqualTo(2);
    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node(1));
    assertThatThrownBy(() -> provider().restart(node(0), LIMIT))
        .isInstanceOf(Ssh.NotReachedException.class)
        .hasMessageStartingWith("host " + FIRST + ", look" + NO_CONNECTION)
        .hasMessageEndingWith("Host key verification failed.")
        .hasMessageNotContaining("\n");
    assertThat(of(FIRST)).isEmptyDirectory();
  }

  /** It asks for no password, for which nobody is there. */
  @Test
  void aHostThatLetsThisKeyNotInIsToldInOneLine() throws Exception {
    Files.writeString(hosts.authorized(), "");
    assertThat(provider().spare()).isZero();
    assertThatThrownBy(() -> provider().restart(node(0), LIMIT))
        .isInstanceOf(Ssh.NotReachedException.class)
        .hasMessageStartingWith("host " + FIRST + ", look" + NO_CONNECTION)
        .hasMessageContaining("Permission denied (publickey).")
        .hasMessageNotContaining("\n");
  }

  @Test
  void aHostWhosePowerFailsIsReplacedByAnother() throws Exception {
    NodeId dead = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    hosts.kill(FIRST);
    assertThat(running()).isEmpty();

    assertThat(provider().replace("q/new-1", dead, Profile.READ, LIMIT)).isEqualTo(node(1));
    provider().remove(dead, LIMIT);
    assertThat(told)
        .containsExactly(
            "host "
                + FIRST
                + " does not answer: before it is started again, take its node out of"
                + " service");
    assertThat(running()).containsExactly(node(1));
  }
}
