package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.testkit.oracle.EngineVerbs;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Summary;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every engine must do on a real cluster. Each test begins with all of its nodes alive and
 * makes its own tables, so that no test needs another's.
 */
public abstract class EngineContract extends LiveCluster implements EngineVerbs {
  /**
   * Tag of tests that take minutes and are about the database's processes, which are the same on a
   * cluster of another kind: only its plain one has them in every run, others have them when asked.
   */
  protected static final String REPEATED = "repeated";

  /** For {@link ControllerMain}. */
  protected abstract String[] controllerArguments();

  /** A node whose death the cluster is to survive, of those that serve partitions. */
  protected NodeId victim(ClusterSnapshot now) throws IOException {
    return now.nodes().get(now.nodes().size() - 1).id();
  }

  @BeforeEach
  void allNodes() throws Exception {
    new KnownState(lab(), engine(), size(), LIMIT).nodes();
    engine().pauseBalancer(LIMIT);
  }

  @Test
  void theSnapshotHasTheNodesOfTheLab() throws EngineException {
    assertThat(atRest().nodes())
        .extracting(NodeState::id)
        .containsExactlyElementsOf(lab().nodes().stream().map(LabNode::id).sorted().toList());
  }

  @Test
  void requestsAreCountedAndReadsAndWritesToldApart() throws Exception {
    WorkloadSpec spec = tenant("contract_counted", "read: 0.75, update: 0.25", 2, 400);
    Map<String, AcknowledgedWrites> ledgers = load(spec);
    ClusterSnapshot before = whole(s -> !of(s, "contract_counted").isEmpty());
    Summary done;
    try (WorkloadRun run = WorkloadRun.start(spec, target(), ledgers, samples -> {})) {
      while (run.seconds() < 3) {
        pause(100);
      }
      run.stop();
      done = run.summaries().get(0);
    }

    assertThat(done.wrong() + done.lost() + done.errors()).isZero();
    // A replica's counters count once for each copy that was asked.
    ClusterSnapshot after =
        whole(s -> reads(s) - reads(before) >= 0.6 * done.operations() && writes(s) > 0);
    double reads = reads(after) - reads(before);
    double writes = writes(after) - writes(before);
    assertThat(reads / writes).isBetween(1.5, 5.0);
    assertThat(of(after, "contract_counted")).allMatch(p -> p.sizeBytes() >= 0);
  }

  /** The first usage of a node takes a second to measure, which must not count as no time. */
  @Test
  void ratesBetweenAFirstSnapshotAndTheNextAreThoseOfTheLoad() throws Exception {
    underLoad(
        "contract_rates",
        () -> {
          whole(s -> !of(s, "contract_rates").isEmpty());
          pause(3_000);
          UsageReadings since = new UsageReadings();
          ClusterSnapshot first = engine().snapshot(since);
          ClusterSnapshot next = engine().snapshot(since);
          pause(5_000);
          ClusterSnapshot later = engine().snapshot(since);

          double seconds = next.secondsSince(first);
          double requests = requests(next, "contract_rates") - requests(first, "contract_rates");
          int copies = first.ownership() == Ownership.TOKENS ? first.replication() : 1;
          // Counters may be a second old when they are read.
          assertThat(requests / seconds)
              .as("%s requests in %s s of a load of %s a second", requests, seconds, LOAD_RATE)
              .isLessThan(3.0 * LOAD_RATE * copies);
          double longer = later.secondsSince(first);
          double more = requests(later, "contract_rates") - requests(first, "contract_rates");
          // Over this time that is less than half of it.
          assertThat(more / longer)
              .as("%s requests in %s s of a load of %s a second", more, longer, LOAD_RATE)
              .isGreaterThan(LOAD_RATE / 3.0);
        });
  }

  private static double requests(ClusterSnapshot s, String table) {
    return of(s, table).stream()
        .flatMap(p -> p.counters().stream())
        .mapToLong(c -> c.pointReads() + c.writes())
        .sum();
  }

  private static List<PartitionState> of(ClusterSnapshot s, String table) {
    return s.partitions().stream().filter(p -> p.id().table().endsWith(table)).toList();
  }

  private static double reads(ClusterSnapshot s) {
    return of(s, "contract_counted").stream()
        .flatMap(p -> p.counters().stream())
        .mapToLong(PartitionCounters::pointReads)
        .sum();
  }

  private static double writes(ClusterSnapshot s) {
    return of(s, "contract_counted").stream()
        .flatMap(p -> p.counters().stream())
        .mapToLong(PartitionCounters::writes)
        .sum();
  }

  @Test
  void aRefusedControllerNamesTheProcessInCharge() throws EngineException {
    try (ControlLock lock = engine().takeControl("first")) {
      assertThat(lock.held()).isTrue();
      assertThatThrownBy(() -> engine().takeControl("second"))
          .hasMessageContaining(":" + ProcessHandle.current().pid());
    }
  }

  /** What it holds lasts for seconds after it, and is not waited for. */
  @Test
  void aKilledControllerIsReplacedAtOnce() throws IOException, EngineException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", OtherEngine.ownClassPath(), ControllerMain.class.getName()));
    command.addAll(List.of(controllerArguments()));
    Process controller = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(controller.getInputStream(), StandardCharsets.UTF_8))) {
      List<String> lines = new ArrayList<>();
      assertThat(said.lines().peek(lines::add).anyMatch("held: true"::equals))
          .as("what the controller said: %s", lines)
          .isTrue();
      assertThatThrownBy(() -> engine().takeControl("next")).hasMessageContaining("killed (");
    } finally {
      controller.destroyForcibly();
    }
    controller.onExit().join();

    try (ControlLock lock = engine().takeControl("next")) {
      assertThat(lock.held()).isTrue();
    }
  }

  @Test
  protected void aKilledNodeIsDeadTheLoadIsServedAndItComesBack() throws Exception {
    underLoad(
        "contract_killed",
        () -> {
          ClusterSnapshot before = atRest();
          NodeId victim = victim(before);
          long incarnation = before.node(victim).orElseThrow().incarnation();

          if (can(Capability.PLACEMENT)) {
            partitionsGoUnserved();
          }
          lab().killNode(victim);
          whole(s -> s.node(victim).filter(n -> !n.alive()).isPresent());
          assertThat(engine().snapshot().liveNodes()).hasSize(size() - 1);

          lab().startNode(victim, LIMIT);
          engine().awaitNode(victim, incarnation, LIMIT);
          atRest();
        });
  }

  @Test
  protected void aNodeComesAndAnotherGoesUnderLoad() throws Exception {
    underLoad(
        "contract_elastic",
        () -> {
          ClusterSnapshot before = atRest();
          NodeId added = lab().provider().add("contract/1", Profile.HOMOGENEOUS, List.of(), LIMIT);
          assertThat(lab().provider().add("contract/1", Profile.HOMOGENEOUS, List.of(), LIMIT))
              .as("the same request again")
              .isEqualTo(added);
          engine().awaitNode(added, 0, LIMIT);
          whole(s -> s.liveNodes().size() == size() + 1);
          for (NodeState old : before.nodes()) {
            engine().cleanup(old.id(), LIMIT);
          }

          NodeId leaving = victim(before);
          empty(leaving, added);
          engine().vacate(leaving, LIMIT);
          engine().vacate(leaving, LIMIT);
          lab().provider().remove(leaving, LIMIT);
          lab().provider().remove(leaving, LIMIT);

          ClusterSnapshot after = atRest();
          assertThat(after.nodes()).extracting(NodeState::id).doesNotContain(leaving);
          assertThat(lab().nodes()).extracting(LabNode::id).contains(added);
        });
  }

  private void empty(NodeId leaving, NodeId to) throws EngineException {
    if (can(Capability.PLACEMENT)) {
      engine().setDraining(leaving, true);
      for (PartitionState partition : engine().snapshot().partitions()) {
        if (partition.node().filter(leaving::equals).isPresent()) {
          engine().move(partition.id(), to, LIMIT);
        }
      }
    }
  }
}
