package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.process.JavaCommand;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Summary;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every engine must do on a real cluster of three nodes. Each test begins with three live
 * nodes and makes its own tables, so that no test needs another's.
 */
public abstract class EngineContract extends LiveCluster {
  /** What not every engine has. */
  protected enum Capability {
    /** Partitions that can be taken to another node, split and merged. */
    PLACEMENT,
    /** Memory splits that change without a restart. */
    ONLINE_PROFILES,
    /** Caches and rates of a node that change while it runs. */
    NODE_SETTINGS
  }

  protected abstract Set<Capability> can();

  /** For {@link ControllerMain}. */
  protected abstract String[] controllerArguments();

  /** A node whose death the cluster is to survive, of those that serve partitions. */
  protected NodeId victim(ClusterSnapshot now) throws IOException {
    return now.nodes().get(now.nodes().size() - 1).id();
  }

  @BeforeEach
  void threeNodes() throws Exception {
    new KnownState(lab(), engine(), 3, LIMIT).nodes();
    engine().setBalancer(BalancerState.PAUSED);
  }

  @Test
  void theSnapshotTellsTheNodesAsTheyAre() throws EngineException {
    ClusterSnapshot snapshot = whole(s -> s.liveNodes().size() == 3);

    assertThat(snapshot.clusterId()).isNotBlank().isEqualTo(engine().snapshot().clusterId());
    assertThat(snapshot.version()).matches("\\d+\\.\\d+.*");
    assertThat(snapshot.ownership())
        .isEqualTo(can().contains(Capability.PLACEMENT) ? Ownership.ASSIGNED : Ownership.TOKENS);
    assertThat(snapshot.nodes())
        .extracting(NodeState::id)
        .containsExactlyElementsOf(lab().nodes().stream().map(LabNode::id).sorted().toList());
    for (NodeState node : snapshot.nodes()) {
      assertThat(node.alive()).isTrue();
      assertThat(node.draining()).isFalse();
      assertThat(node.incarnation()).isPositive();
      assertThat(node.onlineProfile()).isEqualTo(can().contains(Capability.ONLINE_PROFILES));
      assertThat(node.usage().server()).isBetween(0.0, 1.0);
      assertThat(node.gauges().heapUsedBytes()).isBetween(1L, node.gauges().heapMaxBytes());
      assertThat(node.gauges().memoryUsedBytes()).isPositive();
      assertThat(node.gauges().cacheUsedBytes()).isBetween(0L, node.gauges().cacheMaxBytes());
      assertThat(node.gauges().gcMillis()).isNotNegative();
    }
  }

  @Test
  void requestsAreCountedAndReadsAndWritesToldApart() throws Exception {
    WorkloadSpec spec = tenant("contract_counted", "read: 0.75, update: 0.25", 2);
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

          double seconds = Duration.between(first.takenAt(), next.takenAt()).toMillis() / 1e3;
          double requests = requests(next, "contract_rates") - requests(first, "contract_rates");
          int copies = first.ownership() == Ownership.TOKENS ? first.replication() : 1;
          // Counters may be a second old when they are read.
          assertThat(requests / seconds)
              .as("%s requests in %s s of a load of 400 a second", requests, seconds)
              .isLessThan(3.0 * 400 * copies);
        });
  }

  private static double requests(ClusterSnapshot s, String table) {
    return of(s, table).stream()
        .map(PartitionState::counters)
        .mapToLong(c -> c.pointReads() + c.writes())
        .sum();
  }

  private static List<PartitionState> of(ClusterSnapshot s, String table) {
    return s.partitions().stream().filter(p -> p.id().table().endsWith(table)).toList();
  }

  private static double reads(ClusterSnapshot s) {
    return of(s, "contract_counted").stream()
        .map(PartitionState::counters)
        .mapToLong(PartitionCounters::pointReads)
        .sum();
  }

  private static double writes(ClusterSnapshot s) {
    return of(s, "contract_counted").stream()
        .map(PartitionState::counters)
        .mapToLong(PartitionCounters::writes)
        .sum();
  }

  @Test
  void thereIsOneControllerAtATime() throws EngineException {
    try (ControlLock lock = engine().takeControl("first")) {
      assertThat(lock.held()).isTrue();
      assertThatThrownBy(() -> engine().takeControl("second"))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("another controller is in charge")
          .hasMessageContaining("first (")
          .hasMessageContaining(":" + ProcessHandle.current().pid());
      assertThat(lock.held()).isTrue();
    }
    try (ControlLock lock = engine().takeControl("second")) {
      assertThat(lock.held()).isTrue();
    }
  }

  /** What it holds lasts for seconds after it, and is not waited for. */
  @Test
  void aKilledControllerIsReplacedAtOnce() throws IOException, EngineException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", JavaCommand.classPath(), ControllerMain.class.getName()));
    command.addAll(List.of(controllerArguments()));
    Process controller = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(controller.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(said.lines().anyMatch("held: true"::equals)).isTrue();
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
  void whatItCantDoItRefusesInOneLine() throws EngineException {
    NodeId node = engine().snapshot().nodes().get(0).id();
    PartitionId nothing = new PartitionId("t", "p");
    List<ThrowingCallable> refused = new ArrayList<>();
    if (!can().contains(Capability.PLACEMENT)) {
      refused.add(() -> engine().move(nothing, node, LIMIT));
      refused.add(() -> engine().split(nothing, RowKey.of(new byte[] {1}), node, LIMIT));
      refused.add(() -> engine().merge(nothing, nothing, KeyRange.ALL, LIMIT));
      refused.add(() -> engine().setDraining(node, true));
    }
    if (!can().contains(Capability.ONLINE_PROFILES)) {
      refused.add(() -> engine().applyProfile(node, Profile.READ, LIMIT));
    }
    if (!can().contains(Capability.NODE_SETTINGS)) {
      for (NodeSetting setting : NodeSetting.values()) {
        refused.add(() -> engine().set(node, setting, 16, LIMIT));
      }
    }
    for (ThrowingCallable each : refused) {
      assertThatThrownBy(each)
          .isInstanceOf(EngineException.class)
          .message()
          .isNotBlank()
          .doesNotContain("\n");
    }
    // Every engine can be asked to rest, and to tell what it does not know.
    engine().setBalancer(BalancerState.PAUSED);
    assertThat(engine().snapshot().balancer()).isEqualTo(BalancerState.PAUSED);
    assertThat(engine().splitHints()).isNotNull();
    engine().setDraining(node, false);
  }

  @Test
  void nodesTellWhatCanBeSetAndHaveWhatWasSet() throws EngineException {
    NodeState before = engine().snapshot().nodes().get(1);
    if (!can().contains(Capability.NODE_SETTINGS)) {
      assertThat(before.settings()).isEmpty();
      return;
    }
    assertThat(before.settings()).containsOnlyKeys(NodeSetting.values());
    for (NodeSetting setting : NodeSetting.values()) {
      int was = before.settings().get(setting);

      engine().set(before.id(), setting, was + 3, LIMIT);

      NodeState after = engine().snapshot().node(before.id()).orElseThrow();
      assertThat(after.settings()).containsEntry(setting, was + 3);
      assertThat(after.incarnation()).as("it was not restarted").isEqualTo(before.incarnation());
      engine().set(before.id(), setting, was, LIMIT);
    }
    assertThat(engine().snapshot().node(before.id()).orElseThrow().settings())
        .isEqualTo(before.settings());
    NodeId nobody = new NodeId("127.99.99.99:9042");
    assertThatThrownBy(() -> engine().set(nobody, NodeSetting.KEY_CACHE, 1, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining(nobody.name());
  }

  @Test
  void aKilledNodeIsDeadTheLoadIsServedAndItComesBack() throws Exception {
    underLoad(
        "contract_killed",
        () -> {
          ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
          NodeId victim = victim(before);
          long incarnation = before.node(victim).orElseThrow().incarnation();

          if (can().contains(Capability.PLACEMENT)) {
            partitionsGoUnserved();
          }
          lab().killNode(victim);
          whole(s -> s.node(victim).filter(n -> !n.alive()).isPresent());
          assertThat(engine().snapshot().liveNodes()).hasSize(2);

          lab().startNode(victim, LIMIT);
          engine().awaitNode(victim, incarnation, LIMIT);
          whole(s -> s.liveNodes().size() == 3);
        });
  }

  @Test
  void aNodeComesAndAnotherGoesUnderLoad() throws Exception {
    underLoad(
        "contract_elastic",
        () -> {
          ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
          NodeId added = lab().provider().add("contract/1", Profile.HOMOGENEOUS, List.of(), LIMIT);
          assertThat(lab().provider().add("contract/1", Profile.HOMOGENEOUS, List.of(), LIMIT))
              .as("the same request again")
              .isEqualTo(added);
          engine().awaitNode(added, 0, LIMIT);
          whole(s -> s.liveNodes().size() == 4);
          for (NodeState old : before.nodes()) {
            engine().cleanup(old.id(), LIMIT);
          }

          NodeId leaving = victim(before);
          empty(leaving, added);
          engine().vacate(leaving, LIMIT);
          engine().vacate(leaving, LIMIT);
          lab().provider().remove(leaving, LIMIT);
          lab().provider().remove(leaving, LIMIT);

          ClusterSnapshot after = whole(s -> s.liveNodes().size() == 3);
          assertThat(after.nodes()).extracting(NodeState::id).doesNotContain(leaving);
          assertThat(lab().nodes()).extracting(LabNode::id).contains(added);
        });
  }

  private void empty(NodeId leaving, NodeId to) throws EngineException {
    if (can().contains(Capability.PLACEMENT)) {
      engine().setDraining(leaving, true);
      for (PartitionState partition : engine().snapshot().partitions()) {
        if (partition.node().filter(leaving::equals).isPresent()) {
          engine().move(partition.id(), to, LIMIT);
        }
      }
    }
  }
}
