package io.trimtab.providers.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import io.trimtab.testkit.provider.ProviderContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract on three hosts of this machine, each with a folder of its own. A node's service is a
 * process that has noted its number there in the file {@code pid}, and what it was started with in
 * the file {@code used}.
 */
abstract class HostsContract extends ProviderContract {
  static final int PORT = 16020;

  /** What the service's file is made from, and the peers'. */
  static final Map<String, String> TEMPLATES =
      Map.of(
          "site.template", "cache=${CACHE} own=${user.name}\n",
          "peers.template", "${NODE_LINES}\n");

  @TempDir Path home;
  final List<String> told = new ArrayList<>();
  HostsSettings settings;

  /** In the order in which they are taken. */
  abstract List<String> hosts();

  /** A host's own folder, as this process has it. */
  abstract Path of(String host);

  /** A file of the host's own folder, as commands on the host have it. */
  abstract String onHost(String file);

  /**
   * Settings of all hosts, with {@code site} among their files and {@code regionservers} among the
   * peers'.
   *
   * @param retire the command; null: none
   */
  abstract HostsSettings settings(String retire);

  static void writeTemplates(Path home) throws IOException {
    for (Map.Entry<String, String> template : TEMPLATES.entrySet()) {
      Files.writeString(home.resolve(template.getKey()), template.getValue());
    }
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
            id -> home,
            told::add));
  }

  /** By the host's place among all. */
  NodeId node(int host) {
    return new NodeId(hosts().get(host) + ":" + PORT);
  }

  Path of(NodeId node) {
    return of(node.name().replaceFirst(":.*", ""));
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
    for (int host = 0; host < hosts().size(); host++) {
      if (handle(node(host)).filter(ProcessHandle::isAlive).isPresent()) {
        running.add(node(host));
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
    String one = hosts().get(0) + "\n";
    String two = one + hosts().get(1) + "\n";

    assertThat(of(first).resolve("regionservers")).hasContent(two);
    provider().remove(second, LIMIT);
    assertThat(of(first).resolve("regionservers")).hasContent(one);

    // As if the removal had been interrupted just before that.
    Files.writeString(of(first).resolve("regionservers"), two);
    provider().remove(second, LIMIT);
    assertThat(of(first).resolve("regionservers")).hasContent(one);
  }

  @Test
  void whatWasGivenBackIsRetiredOnceAndNothingOfTheNextRequestIs() throws EngineException {
    settings = settings("echo $NODE >> " + onHost("retired"));
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    Machine machine = provider().machines().get(0);
    provider().release(machine, LIMIT);
    provider().remove(node, LIMIT);
    String once = node.name() + "\n";
    assertThat(of(node).resolve("retired")).hasContent(once);

    assertThat(provider().add("q/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node);
    provider().release(machine, LIMIT);
    assertThat(running()).containsExactly(node);
    provider().remove(node, LIMIT);
    assertThat(of(node).resolve("retired")).hasContent(once + once);
  }

  /** Its data are there, whoever started it. */
  @Test
  void aDeadNodeWithoutAMarkIsRetiredToo() throws EngineException {
    provider().remove(node(1), LIMIT);
    assertThat(provider().spare()).isEqualTo(2);

    settings = settings("echo $NODE >> " + onHost("retired"));
    NodeId other = node(2);
    provider().remove(other, LIMIT);
    provider().remove(other, LIMIT);
    assertThat(of(other).resolve("retired")).hasContent(other.name() + "\n");
  }
}
