package io.trimtab.cli.slo;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.agreement.Compliance.Verdict;
import io.trimtab.controller.guard.MachineMap;
import io.trimtab.controller.guard.MachineMap.Listed;
import io.trimtab.controller.guard.MachineMap.Machine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.capacity.MachineBudget;
import io.trimtab.models.capacity.MachineBudget.Size;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A machine on which the file lists one node of a cluster; each uses one of its four cores. */
final class FleetRoomTest {
  private static final Size NODE = new Size(4, 8L << 30, 100L << 30);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static ClusterSnapshot cluster(List<String> gaps, String... nodes)
      throws EngineException {
    TableSpec table = TableSpec.of("t", 1, 16 << 20, Access.NONE);
    ClusterSnapshot any =
        new InMemoryCluster(ClusterSpec.assigned(1, 3, table)).engine().snapshot();
    NodeUsage quarter = new NodeUsage(0.25, 0, 0, 0, WaitSource.UNKNOWN, NodeLimits.ofCores(4));
    return any.with(
        Stream.of(nodes)
            .map(
                node ->
                    new NodeState(
                        new NodeId(node),
                        1,
                        true,
                        false,
                        Optional.empty(),
                        false,
                        quarter,
                        NodeGauges.UNKNOWN))
            .toList(),
        List.of(),
        gaps);
  }

  /** All of the agreed clients of shop are there; of others nothing was told. */
  private static Optional<Entry.AgreementSeen> told(String agreement) {
    return agreement.equals("shop")
        ? Optional.of(
            new Entry.AgreementSeen(NOW, "shop", Verdict.KEPT, NOW, 100, 100, "40 ms", "30 ms"))
        : Optional.empty();
  }

  private static MachineBudget budget(
      double cores, int memoryGiB, ClusterSnapshot seen, String... agreements) {
    Size has = new Size(cores, (long) memoryGiB << 30, 1L << 40);
    List<Listed> listed = List.of(new Listed("one", new NodeId("n1:9042"), NODE));
    return new FleetRoom(
            new MachineMap(List.of(new Machine("m1", has, listed)), List.of(NODE)),
            Map.of("one", seen),
            Map.of("one", List.of(agreements)),
            FleetRoomTest::told)
        .budget();
  }

  /** As one that an autopilot has added, which nobody has to write into the file. */
  @Test
  void aNodeThatTheFileDoesNotListTakesRoomWhereItIs() throws Exception {
    ClusterSnapshot two = cluster(List.of(), "n1:9042", "n1:9043");

    assertThat(budget(8, 24, two, "shop").room(NODE)).isEqualTo(1);
    assertThat(budget(8, 20, two, "shop").full(NODE)).containsExactly("m1 lacks 4.0 GiB of memory");
    assertThat(budget(5.5, 24, two, "shop").full(NODE)).containsExactly("m1 lacks 0.5 cores");
    assertThat(budget(5.5, 24, cluster(List.of(), "n1:9042", "n2:9042"), "shop").full(NODE))
        .as("on another machine")
        .isEmpty();
  }

  @Test
  void aNodeThatHasLeftItsClusterTakesNone() throws Exception {
    assertThat(budget(8, 8, cluster(List.of(), "n2:9042"), "shop").room(NODE)).isEqualTo(1);
    assertThat(budget(8, 8, cluster(List.of("half seen"), "n2:9042"), "shop").room(NODE))
        .as("it may be there")
        .isZero();
  }

  /** All of that one's clients may still be to come. */
  @Test
  void withAnAgreementOfWhichNothingIsToldANodeCountsWhole() throws Exception {
    ClusterSnapshot one = cluster(List.of(), "n1:9042");

    assertThat(budget(7, 24, one, "shop").room(NODE)).isEqualTo(1);
    assertThat(budget(7, 24, one, "shop", "logs").full(NODE)).containsExactly("m1 lacks 1.0 cores");
  }
}
