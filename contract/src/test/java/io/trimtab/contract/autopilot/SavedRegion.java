package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbaseplugin.SavedCounts;
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

/** A region whose server restarts, and what is in its folder. */
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
    engine.compact(region.id(), LIMIT);
    engine.startCounting();
    skewed.ask(name, REQUESTS);
    BlockHistogram before = regions.histogram(TABLE, 0);
    assertThat(Regions.requests(before)).isCloseTo(REQUESTS, within(ROUNDING * REQUESTS));
    Path folder = new Path(regions.lab().rootFolder() + "/data/default/" + TABLE);
    try (FileSystem hdfs = FileSystem.newInstance(folder.toUri(), connection.getConfiguration())) {
      await(() -> saved(hdfs, folder, region.id()) >= SAVED_MIN);

      restart(region.node().orElseThrow());

      await(() -> Regions.requests(regions.histogram(TABLE, 0)) >= SEEN_MIN);
      BlockHistogram after = regions.histogram(TABLE, 0);
      assertThat(Regions.requests(after)).isBetween(SEEN_MIN, (1 + ROUNDING) * REQUESTS);
      assertThat(Regions.blocks(after)).isEqualTo(Regions.blocks(before));
      assertThat(most(after)).isBetween(0.85 * most(before), (1 + ROUNDING) * most(before));
      skewed.verify(name);
      snapshotsAreWhole(skewed, name);
      drop(name);
      assertThat(hdfs.exists(new Path(folder, region.id().name()))).isFalse();
    }
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

  /** Not as a plan does it: nothing is handed over. */
  private void restart(NodeId node) throws EngineException {
    long incarnation = engine.snapshot().node(node).orElseThrow().incarnation();
    regions.lab().provider().restart(node, LIMIT);
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

  /** Something that comes true in the end. */
  @FunctionalInterface
  private interface Condition {
    boolean holds() throws IOException, EngineException;
  }

  private static void await(Condition condition) throws Exception {
    for (int looks = 0; !condition.holds(); looks++) {
      assertThat(looks).as("looks").isLessThan(LOOKS_MAX);
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }
  }
}
