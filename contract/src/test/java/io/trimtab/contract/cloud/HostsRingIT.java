package io.trimtab.contract.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.CassandraCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.testkit.ssh.SshHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Policy, provider, SSH, a real ring and its load: when that rises the autopilot adds a node, and
 * when it falls it gives one back, on hosts with a real sshd each. What all hosts must know of the
 * ring is installed on those with nodes as well (Konstantinou 2011, §4.2). See {@code ./trimtab
 * test --ssh}.
 */
@Tag("ssh")
class HostsRingIT extends ProvidedRing {
  private static final String LAB = "it-ssh-ring";
  private static final int NODES = 3;

  /** What a host's commands read of its node; the rest is in the lab's own files. */
  private static final String NODE = "node=%s\nprofile=%s\ntokens=%s\n";

  @TempDir static Path home;
  private static CassandraCluster cluster;
  private static SshHosts hosts;
  private static List<String> addresses;

  @BeforeAll
  static void up() throws IOException, EngineException, InterruptedException {
    cluster =
        CassandraCluster.up(LAB, home, NODES, CassandraSettings.DEFAULTS, ProvidedRing::limited);
    CassandraLab lab = cluster.lab();
    lab.limitNodes(true);
    addresses =
        IntStream.rangeClosed(1, NODES + 1)
            .mapToObj(index -> lab.state().addresses().node(index))
            .toList();
    hosts = SshHosts.start(addresses);
    for (int index = 1; index <= NODES + 1; index++) {
      Files.createSymbolicLink(
          hosts.folder(addresses.get(index - 1)).resolve("pid"),
          lab.dir().pid("n" + index + "-cassandra"));
    }
    for (LabNode node : lab.nodes()) {
      Files.writeString(
          hosts.folder(host(node.id())).resolve("node"),
          NODE.formatted(node.id(), node.profile().name(), ""));
    }
    Files.writeString(hosts.seen().resolveSibling("java.args"), BootedNode.arguments(home, LAB));
    Files.writeString(
        home.resolve("node.template"), NODE.formatted("${NODE}", "${PROFILE}", "${TOKENS}"));
    Files.writeString(home.resolve("peers.template"), "${NODE_LINES}\n");
  }

  @AfterAll
  static void down() throws IOException {
    try {
      if (cluster != null) {
        cluster.close();
      }
    } finally {
      if (hosts != null) {
        hosts.close();
      }
    }
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  private NodeProvider provider(int port) {
    Path host = hosts.seen();
    // Also for the node, as the lab's own have it.
    String command =
        "export JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1; %s @%s %%s %s"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                host.resolveSibling("java.args"),
                host.resolve("node"));
    String yaml =
        """
        provider:
          hosts:
            hosts: [%1$s]
            nodePort: %2$d
            sshPort: %3$d
            key: %4$s
            knownHosts: %5$s
            start: "%6$s"
            stop: "%7$s"
            running: "test -s %8$s/pid && kill -0 $(cut -d ' ' -f 1 %8$s/pid)"
            folder: %8$s/marks
            files: {%8$s/node: node.template}
            peerFiles: {%8$s/peers: peers.template}
            reload: "echo reloaded >>%8$s/reloads"
            limit: 1m
        """
            .formatted(
                String.join(", ", addresses),
                port,
                hosts.port(),
                hosts.key(),
                hosts.knownHosts(),
                command.formatted("start"),
                command.formatted("stop"),
                host);
    return provider(yaml, home);
  }

  @Test
  void theLoadHasTheAutopilotAddANodeBySshAndGiveOneBack() throws Exception {
    fromLowLoad(
        "ssh_ring",
        load -> {
          ClusterSnapshot three = whole(s -> s.liveNodes().size() == NODES);
          NodeProvider provider = provider(port(three));
          assertThat(provider.spare()).isEqualTo(1);
          assertThat(grow(provider, load)).contains("add-node");

          ClusterSnapshot four = whole(s -> s.liveNodes().size() == NODES + 1);
          assertThat(provider.machines())
              .singleElement()
              .satisfies(
                  machine -> {
                    assertThat(machine.name()).isEqualTo(addresses.get(NODES));
                    assertThat(machine.state()).isEqualTo(Machine.State.RUNNING);
                    assertThat(four.node(machine.node().orElseThrow())).isPresent();
                  });
          assertThat(provider.spare()).isZero();
          assertTold(addresses, addresses);
          assertThat(hosts.folder(addresses.get(NODES)).resolve("reloads")).doesNotExist();
          for (String peer : addresses.subList(0, NODES)) {
            assertThat(hosts.folder(peer).resolve("reloads")).hasContent("reloaded\n");
          }

          assertThat(shrink(provider, load)).containsExactly("remove-node");
          List<String> left =
              whole(s -> s.liveNodes().size() == NODES).liveNodes().stream()
                  .map(NodeState::id)
                  .map(ProvidedRing::host)
                  .toList();
          assertTold(left, left);
          assertThat(cluster.lab().nodes())
              .extracting(node -> host(node.id()))
              .containsExactlyInAnyOrderElementsOf(left);
        });
  }

  /** Hosts have been told of all these nodes, and of no others. */
  private static void assertTold(List<String> told, List<String> nodes) throws IOException {
    for (String host : told) {
      assertThat(Files.readAllLines(hosts.folder(host).resolve("peers")))
          .as("told to %s", host)
          .containsExactlyInAnyOrderElementsOf(nodes);
    }
  }
}
