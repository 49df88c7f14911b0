package io.trimtab.cli.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cli.AddedModule;
import io.trimtab.cli.MemoryHandle;
import io.trimtab.cli.MemoryModule;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.CommandModules;
import io.trimtab.clikit.NodeService;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands get to take a node out of service, on a cluster in memory. */
final class LoopNodeServiceTest {
  private static final String TABLE = "trimtab_model_1_m";

  /** The one that the test is about. */
  private static InMemoryCluster cluster;

  @TempDir private Path folder;
  private AddedModule added;
  private ClusterChoice choice;
  private NodeId node;
  private Map<PartitionId, NodeId> before;
  private final NodeService service = new LoopNodeService();
  private final StringWriter out = new StringWriter();
  private final Terminal terminal = new Terminal(out, new StringWriter(), false, false, false);
  private final Set<String> made = new TreeSet<>();

  @BeforeEach
  void begin() throws Exception {
    added = new AddedModule(MemoryModule.class, folder);
    MemoryModule.answers(() -> new MemoryHandle("the cluster in memory", cluster));
    cluster =
        new InMemoryCluster(
            ClusterSpec.assigned(1, 3, TableSpec.of("t", 6, 512L << 20, Access.reads(50))),
            new VirtualClock(Instant.now().minusSeconds(60)));
    // Nobody waits for what a controller that was killed may have asked of it.
    cluster.engine().setBalancer(BalancerState.PAUSED);
    choice = ClusterChoice.of(List.of("--in-memory"));
    node = cluster.truth().nodes().get(0).id();
    before = placement();
  }

  @AfterEach
  void end() {
    added.close();
  }

  private static Map<PartitionId, NodeId> placement() {
    Map<PartitionId, NodeId> placement = new TreeMap<>();
    for (PartitionState p : cluster.truth().partitions()) {
      placement.put(p.id(), p.node().orElseThrow());
    }
    return placement;
  }

  private NodeService.Order order(long tablesBytes) {
    return new NodeService.Order(
        "model build",
        choice,
        Optional.empty(),
        node,
        Duration.ofSeconds(1),
        List.of(TABLE),
        tablesBytes);
  }

  /** How often the plan that takes the node out of service was printed. */
  private long plansTold() {
    return Pattern.compile("plan out-of-service-\\d+, policy")
        .matcher(out.toString())
        .results()
        .count();
  }

  @Test
  void itShowsWhatWouldBeMovedAndChangesNothing() throws Exception {
    service.show(terminal, order(0));

    assertThat(out.toString())
        .contains("node " + node + ": 2 partitions are moved off it, and back afterwards")
        .contains("the others meanwhile: ")
        .doesNotContain("predicted gain");
    assertThat(plansTold()).isEqualTo(1);
    assertThat(cluster.faults().calls(Verb.MOVE)).isZero();
    assertThat(cluster.control().epoch()).as("it takes no lock").isZero();
  }

  @Test
  void whatCanNotBeIsToldWithItsSettingBeforeAnythingIsDone() {
    cluster.setDisks(1L << 30);
    assertThatThrownBy(() -> service.show(terminal, order(10L << 30)))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("; the setting: guard.maxDiskUsed");
    assertThatThrownBy(
            () ->
                service.during(
                    terminal,
                    order(10L << 30),
                    made::remove,
                    engine -> made.add("something was done")))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("guard.maxDiskUsed");
    assertThat(made).isEmpty();
    assertThat(cluster.control().epoch()).isZero();
  }

  @Test
  void theNodeServesNothingDuringTheWorkAndEverythingIsBack() throws Exception {
    boolean done =
        service.during(
            terminal,
            order(0),
            made::remove,
            engine -> {
              made.add(TABLE);
              assertThat(placement()).doesNotContainValue(node);
            });

    assertThat(done).as(out.toString()).isTrue();
    assertThat(placement()).isEqualTo(before);
    assertThat(made).isEmpty();
    assertThat(out.toString())
        .contains("the others meanwhile: ")
        .contains("everything is back")
        .doesNotContain("predicted gain");
    assertThat(plansTold()).as(out.toString()).isEqualTo(1);
  }

  @Test
  void whatAKilledOneHasLeftIsPutBack() throws Exception {
    assertThatThrownBy(
            () ->
                service.during(
                    terminal,
                    order(0),
                    made::remove,
                    engine -> {
                      made.add(TABLE);
                      cluster.control().lose();
                    }))
        .isInstanceOf(LostControlException.class);
    assertThat(placement()).doesNotContainValue(node);

    assertThat(service.putBack(terminal, "model build", choice, made::remove)).isTrue();

    assertThat(placement()).isEqualTo(before);
    assertThat(made).isEmpty();
    assertThat(service.putBack(terminal, "model build", choice, made::remove)).isTrue();
    assertThat(out.toString()).contains("nothing to put back");
  }

  /** A module that measures finds it without seeing the loop. */
  @Test
  void aModuleOfTheClassPathOffersIt() {
    added.hide();
    assertThat(CommandModules.nodeService()).isInstanceOf(LoopNodeService.class);
  }
}
