package io.trimtab.contract.split;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What an engine and a server's beans report of the regions of a table, once all are served. */
record Regions(HBaseLab lab, HBaseEngine engine) {
  static double requests(BlockHistogram histogram) {
    return histogram.bins().stream().mapToDouble(bin -> bin.count() * bin.blocks()).sum();
  }

  static double blocks(BlockHistogram histogram) {
    return histogram.bins().stream().mapToDouble(BlockHistogram.Bin::blocks).sum();
  }

  BlockHistogram histogram(String table, int index) throws EngineException {
    return findHistogram(table, index).orElseThrow();
  }

  /** Empty while the region's server has none of it, as soon after its start. */
  Optional<BlockHistogram> findHistogram(String table, int index) throws EngineException {
    PartitionId id = partitions(table).get(index).id();
    return engine.histograms().stream().filter(h -> h.partition().equals(id)).findFirst();
  }

  SplitHint hint(String table, int index) throws EngineException {
    PartitionId id = partitions(table).get(index).id();
    return engine.splitHints().stream()
        .filter(h -> h.partition().equals(id))
        .findFirst()
        .orElseThrow();
  }

  JsonNode bean(PartitionId id) throws EngineException {
    NodeId node = engine.snapshot().partition(id).flatMap(PartitionState::node).orElseThrow();
    JsonNode regions = lab.bean(node, "io.trimtab:type=Requests").orElseThrow().path("Regions");
    for (JsonNode entry : regions) {
      if (entry.path("key").asText().equals(id.name())) {
        return entry.path("value");
      }
    }
    throw new AssertionError(id + " is not in " + regions);
  }

  /** In the order of their keys, once all are known. */
  List<PartitionState> partitions(String table) throws EngineException {
    for (int i = 0; i < 200; i++) {
      var snapshot = engine.snapshot();
      List<PartitionState> found =
          snapshot.partitions().stream()
              .filter(p -> p.id().table().equals(table))
              .sorted(java.util.Comparator.comparing(p -> p.range().start()))
              .toList();
      boolean whole =
          !found.isEmpty()
              && found.stream().allMatch(p -> p.node().isPresent())
              && snapshot.gaps().isEmpty();
      if (whole) {
        return found;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(300);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    throw new AssertionError("the partitions of " + table + " are not all served");
  }
}
