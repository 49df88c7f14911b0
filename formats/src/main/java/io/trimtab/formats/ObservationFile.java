package io.trimtab.formats;

import io.trimtab.config.UserError;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An observation of a cluster as JSON, for use at another time or place. */
public final class ObservationFile {
  public static final int SCHEMA = 1;

  private ObservationFile() {}

  /** JSON has no maps with such keys. */
  private record PartitionRequests(PartitionId partition, Rates perSecond) {}

  /**
   * Usage of a node.
   *
   * @param usage server usage, in [0, 1]
   * @param cpu the CPU part of it
   */
  private record Used(NodeId node, double usage, double cpu) {}

  private record StoredObservation(
      int schema,
      ClusterSnapshot snapshot,
      List<PartitionRequests> requests,
      List<Used> used,
      List<SplitHint> hints,
      List<BlockHistogram> blocks) {
    StoredObservation {
      if (schema != SCHEMA) {
        throw new IllegalArgumentException(
            "schema " + schema + " is not known; this program reads schema " + SCHEMA);
      }
      if (snapshot == null || requests == null || used == null) {
        throw new IllegalArgumentException("snapshot, requests or used is missing");
      }
      hints = hints == null ? List.of() : List.copyOf(hints);
      blocks = blocks == null ? List.of() : List.copyOf(blocks);
    }
  }

  /** Writes an observation without the usage model, which has its own file. */
  public static void write(Path file, Observation.Usable seen) {
    var requests =
        new TreeMap<>(seen.rates())
            .entrySet().stream().map(e -> new PartitionRequests(e.getKey(), e.getValue())).toList();
    var used =
        new TreeMap<>(seen.usage())
            .entrySet().stream()
                .map(
                    e ->
                        new Used(
                            e.getKey(),
                            e.getValue(),
                            seen.cpu().getOrDefault(e.getKey(), Double.NaN)))
                .toList();
    JsonFile.write(
        file,
        new StoredObservation(
            SCHEMA, seen.snapshot(), requests, used, seen.hints(), seen.blocks()));
  }

  /**
   * Reads an observation.
   *
   * @throws UserError naming the file, if it is missing or has other content
   */
  public static Observation.Usable read(Path file) {
    StoredObservation content = JsonFile.read(file, StoredObservation.class, "an observation");
    Map<PartitionId, Rates> rates = new TreeMap<>();
    content.requests().forEach(r -> rates.put(r.partition(), r.perSecond()));
    Map<NodeId, Double> usage = new TreeMap<>();
    Map<NodeId, Double> cpu = new TreeMap<>();
    for (Used node : content.used()) {
      usage.put(node.node(), node.usage());
      cpu.put(node.node(), node.cpu());
    }
    return new Observation.Usable(content.snapshot(), rates, usage, cpu, content.hints())
        .withBlocks(content.blocks());
  }
}
