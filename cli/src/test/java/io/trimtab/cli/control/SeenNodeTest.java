package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.ReplicaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Of three nodes the last one is slow; it has no plug-in itself. */
class SeenNodeTest {
  private static NodeId id(int node) {
    return new NodeId("10.0.0." + node + ":9042");
  }

  private static NodeState node(int node) {
    return new NodeState(
        id(node), 1, true, false, Optional.empty(), false, NodeUsage.UNKNOWN, NodeGauges.UNKNOWN);
  }

  private static ReplicaView view(int node, double score, double serviceMs, long first) {
    return new ReplicaView(
        id(node),
        OptionalDouble.of(score),
        OptionalLong.of(node),
        OptionalDouble.empty(),
        OptionalDouble.of(serviceMs),
        OptionalDouble.of(0),
        OptionalLong.of(1_000),
        OptionalLong.of(first));
  }

  private static ClusterSnapshot seen(String... gaps) {
    CoordinatorView view =
        new CoordinatorView(
            "trimtab",
            false,
            List.of(view(1, 7, 6, 450), view(2, 5, 6, 440), view(3, 40, 31, 110)));
    List<NodeState> nodes = new ArrayList<>();
    IntStream.rangeClosed(1, 3)
        .mapToObj(SeenNodeTest::node)
        .map(node -> node.id().equals(id(3)) ? node : node.with(view))
        .forEach(nodes::add);
    return new ClusterSnapshot(
        Instant.EPOCH,
        "c",
        "cassandra",
        Ownership.TOKENS,
        "5.0",
        1,
        nodes,
        List.of(),
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of(gaps));
  }

  @Test
  void eachCoordinatorsViewIsALineWithItsReason() {
    List<String> lines = SeenNode.of(seen(), "10.0.0.3").text().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).contains("10.0.0.3:9042");
    assertThat(lines.get(2).split(" {2,}"))
        .containsExactly(
            "10.0.0.1:9042",
            "trimtab",
            "3 of 3",
            "40.00",
            "3",
            "-",
            "31.00",
            "0.000",
            "1000",
            "11 %",
            "31 ms a read against 6 ms, it owes 3 answers against 1.5");
    assertThat(SeenNode.of(seen(), "10.0.0.2:9042").text())
        .contains("10.0.0.2:9042 (itself)")
        .contains("1 of 3")
        .doesNotContain("against");
  }

  @Test
  void asJsonWhatIsNotKnownIsNotThere() {
    String json = JsonOutput.text(SeenNode.of(seen("a gap"), "10.0.0.3:9042").json());
    assertThat(json)
        .contains("\"node\" : \"10.0.0.3:9042\"")
        .contains("\"serviceMs\" : 31.0")
        .contains("\"first\" : 110")
        .contains("a gap")
        .doesNotContain("queued");
  }

  @Test
  void withoutViewsThatIsSaid() {
    ClusterSnapshot without =
        seen()
            .with(
                IntStream.rangeClosed(1, 3).mapToObj(SeenNodeTest::node).toList(),
                List.of(),
                List.of("node 10.0.0.1:9042: no answer"));
    assertThat(SeenNode.of(without, "10.0.0.3").text())
        .isEqualTo(
            "no coordinator tells how it sees 10.0.0.3:9042; that needs the plug-in"
                + "\nincomplete: node 10.0.0.1:9042: no answer");
  }

  @Test
  void aNodeThatIsNotThereIsToldWithThoseThatAre() {
    assertThatThrownBy(() -> SeenNode.of(seen(), "10.0.0"))
        .isInstanceOf(UserError.class)
        .hasMessage("no node 10.0.0; there are 10.0.0.1:9042, 10.0.0.2:9042, 10.0.0.3:9042");
  }
}
