package io.trimtab.contract.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbaseplugin.SavedCounts;
import io.trimtab.lab.cluster.LabNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** A region whose server is killed, and what is in its folder. */
record SavedRegion(HBaseEngine engine, Regions regions, Connection connection) {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final String TABLE = "restarted";
  private static final int REQUESTS = 6_000;

  /** A tenth may be younger than the file. */
  private static final double SAVED_MIN = 0.9 * REQUESTS;

  /** Histograms tell rounded counts. */
  private static final double ROUNDING = 0.02;

  private static final double SEEN_MIN = SAVED_MIN - ROUNDING * REQUESTS;

  private static final long PAUSE_MS = 500;
  private static final int LOOKS_MAX = 200;

  void verify() throws Exception {
    SkewedTables skewed = new SkewedTables(connection);
    TableName name = skewed.create(TABLE, b -> b);
    PartitionState region = regions.partitions(TABLE).get(0);
    written(name, region.id());
    engine.startCounting();
    skewed.ask(name, REQUESTS);
    await("requests in the histogram", (1 - ROUNDING) * REQUESTS, this::seen);
    BlockHistogram before = regions.histogram(TABLE, 0);
    assertThat(Regions.requests(before)).isCloseTo(REQUESTS, within(ROUNDING * REQUESTS));
    Path folder = new Path(regions.lab().rootFolder() + "/data/default/" + TABLE);
    try (FileSystem hdfs = FileSystem.newInstance(folder.toUri(), connection.getConfiguration())) {
      await("requests in the saved file", SAVED_MIN, () -> saved(hdfs, folder, region.id()));

      killAndStart(region.node().orElseThrow());

      await("requests in the histogram since the server was killed", SEEN_MIN, this::seen);
      BlockHistogram after = regions.histogram(TABLE, 0);
      assertThat(served()).as("requests since the server was killed").isZero();
      assertThat(Regions.requests(after)).isBetween(SEEN_MIN, (1 + ROUNDING) * REQUESTS);
      assertThat(Regions.blocks(after)).isEqualTo(Regions.blocks(before));
      assertThat(most(after)).isBetween(0.85 * most(before), (1 + ROUNDING) * most(before));
      skewed.verify(name);
      snapshotsAreWhole(skewed, name);
      drop(name);
      assertThat(hdfs.exists(new Path(folder, region.id().name()))).isFalse();
    }
  }

  /** To one file: of what is only in memory there are no blocks to be counted. */
  private void written(TableName name, PartitionId region) throws IOException, EngineException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(name);
    }
    engine.compact(region, LIMIT);
  }

  /** Requests that the region's histogram tells; none while there is no histogram. */
  private double seen() throws EngineException {
    return regions.findHistogram(TABLE, 0).map(Regions::requests).orElse(0.0);
  }

  /** Point reads that HBase itself has counted since the region was opened. */
  private long served() throws EngineException {
    return regions
        .partitions(TABLE)
        .get(0)
        .counters()
        .map(PartitionCounters::pointReads)
        .orElse(0L);
  }

  /** Counts in the region's file; none where there is no file. */
  private static long saved(FileSystem hdfs, Path folder, PartitionId region) throws IOException {
    Path file = new Path(new Path(folder, region.name()), SavedCounts.NAME);
    try (FSDataInputStream in = hdfs.open(file)) {
      return SavedCounts.decode(region.name(), in.readAllBytes()).requests();
    } catch (FileNotFoundException e) {
      return 0;
    }
  }

  /** Nothing is handed over, and no last word is written. */
  private void killAndStart(NodeId node) throws Exception {
    long incarnation = engine.snapshot().node(node).orElseThrow().incarnation();
    LabNode killed =
        regions.lab().nodes().stream().filter(n -> n.id().equals(node)).findFirst().orElseThrow();
    ProcessHandle server = ProcessHandle.of(killed.pid("regionserver").orElseThrow()).orElseThrow();
    server.destroyForcibly();
    server.onExit().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    regions.lab().startNode(node, LIMIT);
    engine.awaitNode(node, incarnation, LIMIT);
    regions.partitions(TABLE);
  }

  private static double most(BlockHistogram histogram) {
    return histogram.bins().stream().mapToDouble(BlockHistogram.Bin::count).max().orElse(0);
  }

  /** HBase passes over the file. */
  private void snapshotsAreWhole(SkewedTables skewed, TableName name) throws IOException {
    TableName clone = TableName.valueOf(TABLE + "_clone");
    try (Admin admin = connection.getAdmin()) {
      admin.snapshot(TABLE, name);
      admin.cloneSnapshot(TABLE, clone);
      skewed.verify(clone);
      admin.deleteSnapshot(TABLE);
    }
    drop(clone);
  }

  private void drop(TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  /** A number that rises. */
  @FunctionalInterface
  private interface Reading {
    double now() throws IOException, EngineException;
  }

  private static void await(String what, double least, Reading reading) throws Exception {
    double now = reading.now();
    for (int looks = 0; now < least && looks < LOOKS_MAX; looks++) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      now = reading.now();
    }
    assertThat(now).as("%s, after %s looks", what, LOOKS_MAX).isGreaterThanOrEqualTo(least);
  }
}
