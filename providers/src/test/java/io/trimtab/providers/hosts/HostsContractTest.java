package io.trimtab.providers.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderFile;
import io.trimtab.providers.Snapshots;
import io.trimtab.testkit.provider.ProviderContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts that hosts run, on real processes. A stand-in for ssh gives each host a folder of its
 * own under this test's, in the place of /host. As a real one does, it ends when nothing holds the
 * script's output and errors any more.
 */
class HostsContractTest extends ProviderContract {
  private static final List<String> HOSTS = List.of("h1", "h2", "h3");
  private static final int PORT = 16020;

  @TempDir private Path folder;
  private HostsSettings settings;

  @BeforeEach
  void configured() throws IOException {
    Path ssh = folder.resolve("ssh");
    Files.writeString(
        ssh,
        """
        #!/bin/sh
        for word; do host=$last; last=$word; done
        echo "$*" >> %1$s/ssh.log
        test -e %1$s/$host.down && { echo "connect to $host: no route" >&2; exit 255; }
        test -e %1$s/$host.greets && { cat >/dev/null; echo Welcome; exit 0; }
        run=%1$s/run.$$
        sed "s#/host/#%1$s/$host/#g" > $run
        test -e %1$s/$host.lost && grep -q '^ln ' $run && exit 255
        { { { sh -s < $run 2>&1 1>&3 3>&-; echo $? > $run; } | cat >&2; } 3>&1; } | cat
        code=$(cat $run)
        rm -f $run
        exit $code
        """
            .formatted(folder));
    assertThat(ssh.toFile().setExecutable(true)).isTrue();
    for (String host : HOSTS) {
      Files.createDirectories(folder.resolve(host));
    }
    Files.writeString(folder.resolve("known_hosts"), "");
    Files.writeString(folder.resolve("site.template"), "cache=${CACHE} own=${user.name}\n");
    Files.writeString(folder.resolve("peers.template"), "${NODE_LINES}\n");
    settings = settings(null);
  }

  private HostsSettings settings(String retire) {
    return new HostsSettings(
            HOSTS,
            PORT,
            null,
            null,
            null,
            "known_hosts",
            folder.resolve("ssh").toString(),
            "cp /host/site /host/used; setsid sleep 1000 & echo $! > /host/pid",
            "kill $(cat /host/pid); while kill -0 $(cat /host/pid) 2>/dev/null;"
                + " do sleep 0.05; done",
            "test -e /host/pid && kill -0 $(cat /host/pid)",
            retire,
            "/host/marks",
            Map.of("/host/site", "site.template"),
            Map.of("/host/regionservers", "peers.template"),
            null,
            null,
            Duration.ZERO,
            null,
            null)
        .in(folder);
  }

  @AfterEach
  void nothingRunsOn() {
    running().forEach(this::kill);
  }

  @Override
  protected NodeProvider provider() {
    return settings.provider(
        new ProviderContext(
            () -> {
              Map<NodeId, Long> alive = new TreeMap<>();
              running().forEach(node -> alive.put(node, process(node)));
              return Snapshots.of(alive);
            },
            ProviderContext.Words.PLAIN,
            id -> folder,
            line -> {}));
  }

  private Path of(NodeId node) {
    return folder.resolve(node.name().replaceFirst(":.*", ""));
  }

  private Optional<ProcessHandle> handle(NodeId node) {
    Path file = of(node).resolve("pid");
    try {
      return Files.exists(file)
          ? ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Set<NodeId> running() {
    Set<NodeId> running = new TreeSet<>();
    for (String host : HOSTS) {
      NodeId node = new NodeId(host + ":" + PORT);
      if (handle(node).filter(ProcessHandle::isAlive).isPresent()) {
        running.add(node);
      }
    }
    return running;
  }

  @Override
  protected long process(NodeId node) {
    return handle(node).orElseThrow().pid();
  }

  @Override
  protected Optional<Profile> profile(NodeId node) {
    try {
      String used = Files.readString(of(node).resolve("used"));
      assertThat(used).endsWith(" own=${user.name}\n");
      return Profile.STANDARD.stream()
          .filter(profile -> used.startsWith("cache=" + profile.cacheFraction() + " "))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected void kill(NodeId node) {
    ProcessHandle handle = handle(node).orElseThrow();
    handle.destroyForcibly();
    handle.onExit().join();
  }

  @Test
  void thePresentNodesAreToldOfTheNewcomer() throws EngineException, IOException {
    NodeId first = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    NodeId second = provider().add("p/new-2", Profile.READ, List.of(), LIMIT);

    assertThat(of(first).resolve("regionservers")).hasContent("h1\nh2\n");
    provider().remove(second, LIMIT);
    assertThat(of(first).resolve("regionservers")).hasContent("h1\n");

    // As if the removal had been interrupted just before that.
    Files.writeString(of(first).resolve("regionservers"), "h1\nh2\n");
    provider().remove(second, LIMIT);
    assertThat(of(first).resolve("regionservers")).hasContent("h1\n");
  }

  /** It may run there: a second node would be one too many. */
  @Test
  void aRequestWhoseHostIsNotReachedBeginsOnNoOther() throws EngineException, IOException {
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    Path down = Files.createFile(folder.resolve("h1.down"));
    assertThatThrownBy(() -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("host h1 of request p/new-1 is not reached");
    assertThat(running()).containsExactly(node);

    Files.delete(down);
    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node);
  }

  @Test
  void aHostThatIsLostWhileItIsMarkedIsPassedBy() throws EngineException, IOException {
    Path lost = Files.createFile(folder.resolve("h1.lost"));
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(node.name()).startsWith("h2");

    Files.delete(lost);
    Files.createDirectories(folder.resolve("h1/marks"));
    Files.copy(folder.resolve("h2/marks/node-16020"), folder.resolve("h1/marks/node-16020"));
    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node);
    assertThat(running()).containsExactly(node);
  }

  @Test
  void whatWasGivenBackIsRetiredOnceAndNothingOfTheNextRequestIs()
      throws EngineException, IOException {
    settings = settings("echo $NODE >> /host/retired");
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    Machine machine = provider().machines().get(0);
    provider().release(machine, LIMIT);
    provider().remove(node, LIMIT);
    assertThat(of(node).resolve("retired")).hasContent("h1:16020\n");

    assertThat(provider().add("q/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node);
    provider().release(machine, LIMIT);
    assertThat(running()).containsExactly(node);
    provider().remove(node, LIMIT);
    assertThat(of(node).resolve("retired")).hasContent("h1:16020\nh1:16020\n");
  }

  /** Its data are there, whoever started it. */
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
  void aDeadNodeWithoutAMarkIsRetiredToo() throws EngineException {
    NodeId dead = new NodeId("h2:16020");
    provider().remove(dead, LIMIT);
    assertThat(provider().spare()).isEqualTo(2);

    settings = settings("echo $NODE >> /host/retired");
    NodeId other = new NodeId("h3:16020");
    provider().remove(other, LIMIT);
    provider().remove(other, LIMIT);
    assertThat(of(other).resolve("retired")).hasContent("h3:16020\n");
  }

  @Test
  void anAnswerThatIsNoneIsNotTakenForAStoppedNode() throws IOException {
    Files.createFile(folder.resolve("h2.greets"));
    assertThatThrownBy(() -> provider().remove(new NodeId("h2:16020"), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage("host h2, look: has answered: Welcome");
  }

  @Test
  void aHostThatIsNotReachedIsLeftOutAndAHostInUseIsNotTaken() throws EngineException, IOException {
    Files.createFile(folder.resolve("h1.down"));
    assertThat(provider().spare()).isEqualTo(2);
    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT).name()).startsWith("h2");

    Files.createDirectories(folder.resolve("h3/marks"));
    Files.writeString(
        folder.resolve("h3/marks/node-16020"),
        "{\"cluster\":\"other\",\"request\":\"r\",\"since\":1}\n");
    assertThat(provider().machines()).extracting(Machine::name).containsExactly("h2");
    assertThatThrownBy(() -> provider().add("p/new-2", Profile.READ, List.of(), LIMIT))
        .hasMessage("request p/new-2: no host is free; 2 of 3 could be looked at");
  }

  @Test
  void theHostsKeyIsCheckedAndNoScriptIsInTheProcessList() throws EngineException, IOException {
    provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(Files.readString(folder.resolve("ssh.log")).lines())
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("BatchMode=yes", "StrictHostKeyChecking=yes")
                    .contains("UserKnownHostsFile=" + folder.resolve("known_hosts"))
                    .doesNotContain("sleep", "p/new-1"));
  }

  @Test
  void aKeyThatOthersMayReadIsRefused() throws IOException {
    Path key = Files.writeString(folder.resolve("id"), "secret");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    Path file =
        Files.writeString(
            folder.resolve("provider.yaml"),
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
