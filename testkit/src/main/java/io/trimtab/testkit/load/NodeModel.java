package io.trimtab.testkit.load;

import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.usage.UsageModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A usage model of the test kit's nodes. */
public final class NodeModel {
  private NodeModel() {}

  /** About what a node uses for reads that hit or miss its cache, and for writes. */
  public static UsageModel usage() {
    return usage(1, 1, 1);
  }

  /**
   * A model that is wrong: requests cost so many times as much as by {@link #usage()}.
   *
   * @param read of a read that hits, &gt; 0
   * @param miss of what a miss costs beside, &gt; 0
   * @param update of an update, &gt; 0
   */
  public static UsageModel usage(double read, double miss, double update) {
    List<UsageModel.ReadPoint> reads = new ArrayList<>();
    List<UsageModel.UpdatePoint> updates = new ArrayList<>();
    for (double level : new double[] {0.2, 0.4, 0.6, 0.8}) {
      for (double hits : new double[] {1, 0.9, 0.7, 0.5, 0.3}) {
        double seconds = read * 80e-6 + miss * ((1 - hits) * 600e-6);
        reads.add(new UsageModel.ReadPoint(hits, level, level / seconds, List.of()));
      }
      updates.add(new UsageModel.UpdatePoint(level, level / (update * 150e-6), List.of()));
    }
    var fingerprint = new TreeMap<>(Map.of(UsageModel.WAIT_SOURCE, WaitSource.MACHINE.name()));
    return new UsageModel(
        UsageModel.SCHEMA, "hbase", fingerprint, 0.01, reads, updates, null, null);
  }
}
