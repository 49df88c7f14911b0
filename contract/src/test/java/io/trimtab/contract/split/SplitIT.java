package io.trimtab.contract.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.autopilot.LeftPlan;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbaseplugin.LoadSplitPolicy;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.SystemPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Splits by load on a real cluster of two nodes. */
@Tag("beside-others")
class SplitIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int ROWS = SkewedTables.ROWS;

  @TempDir static Path home;
  @AutoClose private static HBaseCluster cluster;
  private static HBaseLab lab;
  private static Connection connection;
  private static Admin admin;
  private static HBaseEngine engine;
  private static SkewedTables skewed;
  private static Regions regions;

  @BeforeAll
  static void up() throws IOException, EngineException {
    // A half can be merged once its parent's files are gone.
    Map<String, String> site = Map.of("hbase.hfile.compaction.discharger.interval", "3000");
    cluster = HBaseCluster.up("split-it", home, site, c -> c.withNodes(2).withSpareNodes(0));
    lab = cluster.lab();
    engine = cluster.engine();
    connection = cluster.connection();
    admin = connection.getAdmin();
    skewed = new SkewedTables(connection);
    regions = new Regions(lab, engine);
    engine.pauseBalancer(LIMIT);
  }

  @Test
  void aRegionIsSplitWhereItsRequestsHalveAndMergedAgain() throws Exception {
    TableName name = skewed.create("hot", b -> b);
    skewed.ask(name, 6_000);
    SplitHint hint = regions.hint("hot", 0);
    assertThat(hint.verdict()).isEqualTo(SplitHint.Verdict.SPLIT);
    assertThat(SkewedTables.trueShare(hint.key())).isBetween(0.46, 0.54);
    assertThat(hint.leftShare()).isBetween(0.46, 0.54);
    assertThat(regions.bean(hint.partition()).path("verdict").asText()).isEqualTo("split");
    PartitionState whole = regions.partitions("hot").get(0);
    NodeId from = whole.node().orElseThrow();
    NodeId to = otherThan(from);

    engine.split(whole.id(), hint.key(), to, LIMIT);
    List<PartitionState> halves = regions.partitions("hot");
    engine.split(whole.id(), hint.key(), to, LIMIT);

    assertThat(regions.partitions("hot"))
        .extracting(PartitionState::id)
        .containsExactlyElementsOf(halves.stream().map(PartitionState::id).toList());
    PartitionState left = halves.get(0);
    PartitionState right = halves.get(1);
    assertThat(left.range()).isEqualTo(new KeyRange(RowKey.EMPTY, hint.key()));
    assertThat(right.range()).isEqualTo(new KeyRange(hint.key(), RowKey.EMPTY));
    assertThat(left.node()).contains(from);
    assertThat(right.node()).contains(to);
    // The left half opened where the whole was, and knows what was known.
    assertThat(regions.hint("hot", 0).requests()).isBetween(2_400L, 3_600L);
    skewed.verify(name);

    engine.compact(left.id(), LIMIT);
    engine.compact(right.id(), LIMIT);
    engine.merge(left.id(), right.id(), KeyRange.ALL, LIMIT);
    engine.merge(left.id(), right.id(), KeyRange.ALL, LIMIT);
    assertThat(regions.partitions("hot")).hasSize(1);
    skewed.verify(name);
  }

  @Test
  void howOftenBlocksAreAskedForIsKnownAndStaysKnown() throws Exception {
    TableName name = skewed.create("blocks", b -> b);
    PartitionState whole = regions.partitions("blocks").get(0);
    engine.compact(whole.id(), LIMIT);
    admin.flush(name);
    engine.compact(whole.id(), LIMIT);
    engine.startCounting();
    skewed.ask(name, 6_000);

    BlockHistogram here = regions.histogram("blocks", 0);
    assertThat(Regions.requests(here)).isEqualTo(6_000);
    // 2,000 rows of 200 bytes in blocks of 64 KiB, and a stretch for rows below the first.
    assertThat(Regions.blocks(here)).isBetween(8.0, 11.0);
    assertThat(here.blockBytes()).isBetween(50_000.0, 80_000.0);
    assertThat(regions.bean(here.partition()).path("blockReads").asLong()).isEqualTo(6_000);
    assertThat(regions.bean(here.partition()).path("blocks").asInt()).isBetween(8, 11);
    // The lowest quarter of the rows has half of the requests; the lowest block, a third.
    double most = here.bins().stream().mapToDouble(BlockHistogram.Bin::count).max().orElse(0);
    assertThat(most).isBetween(1_700.0, 2_500.0);

    NodeId to = otherThan(whole.node().orElseThrow());
    engine.move(whole.id(), to, LIMIT);
    regions.partitions("blocks");
    assertThat(Regions.requests(regions.histogram("blocks", 0))).isBetween(5_990.0, 6_010.0);

    engine.split(whole.id(), SkewedTables.key(ROWS / 4), to, LIMIT);
    regions.partitions("blocks");
    // Half of them, and those of the block that the key divides.
    assertThat(Regions.requests(regions.histogram("blocks", 0))).isBetween(2_700.0, 3_900.0);
    try (Table table = connection.getTable(name);
        ResultScanner scanner =
            table.getScanner(new Scan().withStartRow(SkewedTables.key(0).bytes()))) {
      assertThat(scanner.next(200)).hasSize(200);
    }
    BlockHistogram left = regions.histogram("blocks", 0);
    assertThat(left.scans()).isEqualTo(1);
    assertThat(left.scanRows()).isGreaterThanOrEqualTo(200);
    assertThat(left.scanBlocks()).isBetween(1L, 10L);
  }

  @Test
  void scansAreCountedInTheUnitsOfHBasesOwnCounters() throws Exception {
    new CountedScans(engine, cluster.target(), regions).verify();
  }

  @Test
  void whatIsKnownOfBlocksOutlivesTheServer() throws Exception {
    new SavedRegion(engine, regions, connection).verify();
  }

  /** As a controller leaves it that is killed after HBase has split, before the half has moved. */
  @Test
  void aSplitThatWasCutOffIsFinished() throws Exception {
    TableName name = skewed.create("cut", b -> b);
    PartitionState whole = regions.partitions("cut").get(0);
    RowKey middle = SkewedTables.key(ROWS / 2);
    NodeId to = otherThan(whole.node().orElseThrow());
    admin
        .splitRegionAsync(admin.getRegions(name).get(0).getRegionName(), middle.bytes())
        .get(60, TimeUnit.SECONDS);

    engine.split(whole.id(), middle, to, LIMIT);

    assertThat(regions.partitions("cut")).hasSize(2);
    assertThat(regions.partitions("cut").get(1).node()).contains(to);
    skewed.verify(name);
  }

  @Test
  void whatCanNotBeSplitIsRefusedAndNothingIsDone() throws Exception {
    skewed.create("closed", b -> b.setSplitEnabled(false));
    skewed.create("plain", b -> b);
    PartitionState closed = regions.partitions("closed").get(0);
    PartitionState plain = regions.partitions("plain").get(0);
    NodeId node = plain.node().orElseThrow();

    assertThatThrownBy(() -> engine.split(closed.id(), SkewedTables.key(7), node, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("the table has splitting disabled");
    assertThatThrownBy(() -> engine.split(plain.id(), RowKey.EMPTY, node, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("not strictly inside");
    admin.splitSwitch(false, true);
    try {
      assertThatThrownBy(() -> engine.split(plain.id(), SkewedTables.key(7), node, LIMIT))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("splits are switched off");
    } finally {
      admin.splitSwitch(true, true);
    }
    PartitionId gone = new PartitionId("plain", "0123456789abcdef");
    assertThatThrownBy(() -> engine.split(gone, SkewedTables.key(7), node, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("is gone");
    assertThat(regions.partitions("closed")).hasSize(1);
    assertThat(regions.partitions("plain")).hasSize(1);
  }

  @Test
  void theNormalizerDoesNotMergeTheHalvesAgain() throws Exception {
    TableName name = skewed.create("normal", b -> b.setNormalizationEnabled(true));
    PartitionState whole = regions.partitions("normal").get(0);

    engine.split(whole.id(), SkewedTables.key(ROWS / 2), whole.node().orElseThrow(), LIMIT);

    assertThat(admin.getDescriptor(name).getValue("hbase.normalizer.merge.enabled"))
        .isEqualTo("false");
  }

  /** Any bytes are a key, and no hint of a region lies outside of it. */
  @Test
  void oddKeysAreFollowed() throws Exception {
    TableName name = skewed.create("odd", b -> b);
    Random random = new Random(1);
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < 3_000; i++) {
        byte[] row = new byte[1 + random.nextInt(12)];
        random.nextBytes(row);
        row[0] = random.nextBoolean() ? 0 : (byte) 0xFF;
        table.get(new Get(row));
        if (i % 10 == 0) {
          table.getScanner(new Scan().withStartRow(row)).close();
        }
      }
    }

    SplitHint hint = regions.hint("odd", 0);
    assertThat(hint.verdict()).isEqualTo(SplitHint.Verdict.SPLIT);
    PartitionState whole = regions.partitions("odd").get(0);
    engine.split(whole.id(), hint.key(), whole.node().orElseThrow(), LIMIT);
    assertThat(regions.partitions("odd")).hasSize(2);
  }

  @Test
  void oneHotKeyIsNamedAndNotSplit() throws Exception {
    TableName name = skewed.create("single", b -> b);
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < 3_000; i++) {
        table.get(new Get(SkewedTables.key(i % 3 == 0 ? i % ROWS : 42).bytes()));
      }
    }

    SplitHint hint = regions.hint("single", 0);
    assertThat(hint.verdict()).isEqualTo(SplitHint.Verdict.UNSPLITTABLE_HOT_KEY);
    assertThat(hint.key()).isEqualTo(SkewedTables.key(42));
  }

  /** Where HBase itself splits by size, the policy chooses the key. */
  @Test
  void hbasesOwnSplitTakesTheKeyOfTheLoad() throws Exception {
    TableName name =
        skewed.create(
            "policy", b -> b.setRegionSplitPolicyClassName(LoadSplitPolicy.class.getName()));
    skewed.ask(name, 6_000);
    admin.flush(name);

    admin
        .splitRegionAsync(admin.getRegions(name).get(0).getRegionName(), null)
        .get(60, TimeUnit.SECONDS);

    assertThat(SkewedTables.trueShare(regions.partitions("policy").get(1).range().start()))
        .isBetween(0.45, 0.55);
  }

  /** The whole way: one busy region on one of two nodes; the autopilot splits it under load. */
  @Test
  void theAutopilotSplitsUnderLoadAndEveryValueIsRight() throws Exception {
    TableName name = skewed.create("loop", b -> b);
    skewed.ask(name, 3_000);
    NodeId at = regions.partitions("loop").get(0).node().orElseThrow();
    begun();
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong wrong = new AtomicLong();
    List<Thread> clients = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int client = t;
      Thread thread = new Thread(() -> wrong.addAndGet(skewed.read(name, client, stop)));
      clients.add(thread);
      thread.start();
    }
    Optional<Executor.Outcome> outcome;
    try {
      Settings settings =
          Settings.defaults()
              .with(Policies.MET_1)
              .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(4).build())
              // Whatever works is overloaded here: it is about what is done then.
              .with(HealthSettings.builder().high(0.002).low(0.001).build())
              .with(GuardSettings.builder().maxNodes(2).cooldown(Duration.ZERO).build());
      outcome =
          new ControlLoop(
                  engine,
                  Optional.empty(),
                  settings,
                  LoopListener.SILENT,
                  SystemPorts.ports(),
                  FaultPoints.NONE)
              .run(true, 1, false);
    } finally {
      stop.set(true);
      for (Thread client : clients) {
        client.join();
      }
    }

    assertThat(outcome).map(Executor.Outcome::how).contains(PlanOutcome.DONE);
    assertThat(wrong).hasValue(0);
    List<PartitionState> halves = regions.partitions("loop");
    assertThat(halves).hasSize(2);
    assertThat(halves.get(1).node()).contains(otherThan(at));
    assertThat(SkewedTables.trueShare(halves.get(1).range().start())).isBetween(0.45, 0.55);
    skewed.verify(name);
  }

  /** A controller that has made its first plan, and remembers no more than that. */
  private static void begun() throws EngineException {
    String clusterId = engine.snapshot().clusterId();
    try (Tenure tenure = LeftPlan.tenure(engine, clusterId)) {
      Plan none = new Plan("none", clusterId, Clock.systemUTC().instant(), "met", "", 1, List.of());
      tenure.record(
          new Entry.PlanStarted(
              none.snapshotAt(),
              none,
              BalancerState.PAUSED,
              new PolicyState(1, false, List.of(), List.of())));
      tenure.record(new Entry.PlanEnded(none.snapshotAt(), "none", PlanOutcome.DONE, ""));
    }
  }

  private static NodeId otherThan(NodeId node) {
    return lab.nodes().stream()
        .map(LabNode::id)
        .filter(n -> !n.equals(node))
        .findFirst()
        .orElseThrow();
  }
}
