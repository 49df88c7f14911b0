package io.trimtab.providers.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.KilledController;
import io.trimtab.providers.ProviderFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The scripts that hosts run, on real processes ({@link SshStandIn}). The controller that is killed
 * is a process, too.
 */
class HostsContractTest extends HostsContract {
  private static final List<String> HOSTS = SshStandIn.HOSTS;

  /** Of the controller that was killed. */
  private List<ProcessHandle> left = List.of();

  /** The controller that is killed. */
  static final class Asking {
    private Asking() {}

    /** Asks for a node: the folder, the request. */
    public static void main(String[] arguments) throws EngineException {
      Path its = Path.of(arguments[0]);
      NodeId node = KilledController.ask(SshStandIn.settings(its, null), its, arguments[1]);
      System.out.println(node);
    }
  }

  @BeforeEach
  void configured() throws IOException {
    SshStandIn.install(home);
    settings = settings(null);
  }

  @AfterEach
  void nothingRunsOn() {
    running().forEach(this::kill);
    KilledController.awaitEnd(left);
    running().forEach(this::kill);
  }

  /** The controller is killed when the service runs, and before it was answered. */
  @Override
  protected void askAndDie(String requestId) {
    killedAt("started", "held", requestId);
  }

  private void killedAt(String reached, String because, String requestId) {
    Path host = of(HOSTS.get(0));
    try {
      Path file = Files.createFile(host.resolve(because));
      left = KilledController.killedAt(host.resolve(reached), Asking.class, home, requestId);
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its start goes on, and the next controller begins it once more. */
  @Test
  void aControllerThatIsKilledBeforeTheServiceRunsLeavesOneService()
      throws EngineException, IOException {
    killedAt("starting", "slow", "p/new-1");
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    KilledController.awaitEnd(left);

    assertThat(running()).containsExactly(node);
    assertThat(provider().machines()).hasSize(1);
    assertThat(Files.readAllLines(of(node).resolve("starts"))).hasSize(1);
  }

  @Override
  List<String> hosts() {
    return HOSTS;
  }

  @Override
  Path of(String host) {
    return home.resolve(host);
  }

  @Override
  String onHost(String file) {
    return "/host/" + file;
  }

  @Override
  HostsSettings settings(String retire) {
    return SshStandIn.settings(home, retire);
  }

  /** It may run there: a second node would be one too many. */
  @Test
  void aRequestWhoseHostIsNotReachedBeginsOnNoOther() throws EngineException, IOException {
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    Path down = Files.createFile(home.resolve("h1.down"));
    assertThatThrownBy(() -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("host h1 of request p/new-1 is not reached");
    assertThat(running()).containsExactly(node);

    Files.delete(down);
    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node);
  }

  @Test
  void aHostThatIsLostWhileItIsMarkedIsPassedBy() throws EngineException, IOException {
    Path lost = Files.createFile(home.resolve("h1.lost"));
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(node.name()).startsWith("h2");

    Files.delete(lost);
    Files.createDirectories(home.resolve("h1/marks"));
    Files.copy(home.resolve("h2/marks/node-16020"), home.resolve("h1/marks/node-16020"));
    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node);
    assertThat(running()).containsExactly(node);
  }

  /** It is reached, and every mark would fail again: no plan were ever to get past it. */
  @Test
  void aHostThatCantBeMarkedIsPassedBy() throws EngineException, IOException {
    Files.writeString(home.resolve("h1/marks"), "no folder");
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(node.name()).startsWith("h2");
    assertThat(running()).containsExactly(node);
  }

  /** It lets somebody in, and its programs fail, as with a disk that is broken. */
  @Test
  void aDeadNodesHostWhoseProgramsFailHoldsNothingUp() throws EngineException, IOException {
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    kill(node);
    Files.createFile(home.resolve("h1.locked"));
    provider().remove(node, LIMIT);
    Files.delete(home.resolve("h1.locked"));
    assertThat(provider().add("p/new-2", Profile.READ, List.of(), LIMIT)).isNotEqualTo(node);
  }

  /** It was given back, and another cluster has taken it since. */
  @Test
  void aHostOfAnotherClusterIsNotStopped() throws EngineException, IOException {
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    Path mark = of(node).resolve("marks/node-16020");
    Files.writeString(mark, Files.readString(mark).replace("\"c1\"", "\"c2\""));

    assertThatThrownBy(() -> provider().remove(node, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("node h1:16020: its host is marked for another cluster than c1");
    assertThat(running()).containsExactly(node);
    assertThat(Files.readString(mark)).contains("\"c2\"");
  }

  @Test
  void aHostOfAnotherClusterIsNeitherRestartedNorGivenAProfile()
      throws EngineException, IOException {
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    Path mark = of(node).resolve("marks/node-16020");
    String theirs = Files.readString(mark).replace("\"c1\"", "\"c2\"");
    Files.writeString(mark, theirs);
    long process = process(node);
    String site = Files.readString(of(node).resolve("site"));

    String says = "node h1:16020: its host is marked for another cluster than c1";
    assertThatThrownBy(() -> provider().restart(node, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage(says);
    assertThatThrownBy(() -> provider().persist(node, Profile.WRITE))
        .isInstanceOf(EngineException.class)
        .hasMessage(says);
    assertThat(process(node)).isEqualTo(process);
    assertThat(mark).hasContent(theirs);
    assertThat(of(node).resolve("site")).hasContent(site);
  }

  @Test
  void anAnswerThatIsNoneIsNotTakenForAStoppedNode() throws IOException {
    Files.writeString(home.resolve("h2.says"), "Welcome\n");
    assertThatThrownBy(() -> provider().remove(new NodeId("h2:16020"), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("host h2, look: has answered: Welcome");
  }

  @Test
  void aHostOfWhichSshSaysNothingIsToldAllTheSame() throws IOException {
    Files.createFile(home.resolve("h2.silent"));
    assertThatThrownBy(() -> provider().restart(node(1), LIMIT))
        .isInstanceOf(Ssh.NotReachedException.class)
        .hasMessage("host h2, look: ssh has no connection: the host does not answer");
  }

  @Test
  void aHostThatIsNotReachedIsLeftOutAndAHostInUseIsNotTaken() throws EngineException, IOException {
    Files.createFile(home.resolve("h1.down"));
    assertThat(provider().spare()).isEqualTo(2);
    assertThat(provider().offer().places().next()).first().isEqualTo(new NodeId("h2:16020"));
    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT).name()).startsWith("h2");

    SshStandIn.mark(home, "h3", SshStandIn.text("other", "r"));
    assertThat(provider().machines()).extracting(Machine::name).containsExactly("h2");
    assertThatThrownBy(() -> provider().add("p/new-2", Profile.READ, List.of(), LIMIT))
        .hasMessage("request p/new-2: no host is free; 2 of 3 could be looked at");
  }

  @Test
  void theHostsKeyIsCheckedAndNoScriptIsInTheProcessList() throws EngineException, IOException {
    provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(Files.readString(home.resolve("ssh.log")).lines())
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("BatchMode=yes", "StrictHostKeyChecking=yes")
                    .contains("UserKnownHostsFile=" + home.resolve("known_hosts"))
                    .doesNotContain("sleep", "p/new-1"));
  }

  @Test
  void aKeyThatOthersMayReadIsRefused() throws IOException {
    Path key = Files.writeString(home.resolve("id"), "secret");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    Path file =
        Files.writeString(
            home.resolve("provider.yaml"),
            """
            provider:
              hosts:
                hosts: [h1]
                nodePort: 16020
                key: id
                knownHosts: known_hosts
                start: a
                stop: b
                running: c
            """);
    assertThatThrownBy(() -> ProviderFile.read(file).settings().provider(null))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("provider.hosts.key")
        .hasMessageContaining("chmod 600");
  }
}
