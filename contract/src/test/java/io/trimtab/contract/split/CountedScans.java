package io.trimtab.contract.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.controller.place.PartitionItems;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.workload.HBaseWorkloadTarget;
import io.trimtab.workload.Loader;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Scans of known rows in known calls, and what the plug-in and HBase count of them. */
record CountedScans(HBaseEngine engine, HBaseWorkloadTarget target, Regions regions) {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final String TABLE = "scanned";
  private static final String SPEC =
      "tenants: [{name: "
          + TABLE
          + ", records: 3000, fields: 2, fieldLength: 400, blockSize: 16384, mix: {scan: 1.0},"
          + " rowsPerCall: 10}]";
  private static final int SCANS = 40;
  private static final int ROWS = 35;

  void verify() throws Exception {
    WorkloadSpec spec = WorkloadSpec.parse("scanned.yaml", SPEC);
    TenantSpec tenant = spec.tenants().get(0);
    Loader loader = new Loader(spec, target);
    loader.create(true);
    loader.load((done, of) -> {});
    PartitionId id = regions.partitions(TABLE).get(0).id();
    engine.compact(id, LIMIT);
    engine.startCounting();
    for (int i = 0; i < SCANS; i++) {
      byte[] from =
          String.format(Locale.ROOT, "user%019d", 70 * i).getBytes(StandardCharsets.US_ASCII);
      assertThat(target.scan(tenant, from, ROWS)).hasSize(ROWS);
    }

    BlockHistogram seen = regions.histogram(TABLE, 0);
    assertThat(seen.scans()).isEqualTo(SCANS);
    assertThat(seen.scanCalls()).as("of 35 rows in tens").isEqualTo(4 * SCANS);
    assertThat(seen.scanRows()).isEqualTo(ROWS * SCANS);
    assertThat(seen.scanCells()).isEqualTo(2 * ROWS * SCANS);
    // Cells of 451 bytes: 37 fill a block, so there are 18.5 rows in it.
    double blocks = 1 + (ROWS - 1) / 18.5;
    assertThat((double) seen.scanBlocks() / SCANS).isCloseTo(blocks, within(0.25));
    assertThat(Regions.requests(seen)).isCloseTo(seen.scanBlocks(), within(1e-6));
    ScanShape shape = PartitionItems.scan(seen).orElseThrow();
    assertThat(shape.calls()).isEqualTo(4);
    assertThat(shape.rows()).isEqualTo(ROWS);
    assertThat(shape.columns()).isEqualTo(2);

    JsonNode bean = regions.bean(id);
    assertThat(bean.path("callsPerScan").asDouble()).isEqualTo(4);
    assertThat(bean.path("rowsPerScan").asDouble()).isEqualTo(ROWS);
    assertThat(bean.path("cellsPerRow").asDouble()).isEqualTo(2);
    assertThat(bean.path("blocksPerScan").asDouble()).isEqualTo(shape.blocks());

    PartitionCounters counters = counters(seen.scanCalls());
    assertThat(counters.scanCalls()).isEqualTo(seen.scanCalls());
    assertThat(counters.rowsScanned()).isEqualTo(seen.scanRows());
  }

  /** HBase renews what it tells every second. */
  private PartitionCounters counters(long calls) throws EngineException, InterruptedException {
    PartitionCounters told = PartitionCounters.ZERO;
    for (int i = 0; i < 60 && told.scanCalls() < calls; i++) {
      TimeUnit.MILLISECONDS.sleep(300);
      told = regions.partitions(TABLE).get(0).counters().orElse(PartitionCounters.ZERO);
    }
    return told;
  }
}
