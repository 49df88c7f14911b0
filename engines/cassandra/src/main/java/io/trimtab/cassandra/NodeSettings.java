package io.trimtab.cassandra;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/**
 * What can be set by JMX while a node runs. It lasts until the node's next start, which reads its
 * own files again.
 */
final class NodeSettings {
  private static final String KEY_CACHE =
      "org.apache.cassandra.metrics:type=Cache,scope=KeyCache,name=Capacity";

  private NodeSettings() {}

  /** The settings that the node reports. */
  static Map<NodeSetting, Integer> read(NodeJmx jmx) throws IOException {
    Map<NodeSetting, Integer> settings = new EnumMap<>(NodeSetting.class);
    for (NodeSetting setting : NodeSetting.values()) {
      double value = read(jmx, setting);
      if (value >= 0) {
        settings.put(setting, (int) Math.round(value));
      }
    }
    return settings;
  }

  /** Negative or no number if the node does not report it. */
  private static double read(NodeJmx jmx, NodeSetting setting) throws IOException {
    return switch (setting) {
      case KEY_CACHE -> jmx.decimal(KEY_CACHE, "Value") / NodeProfile.MEBIBYTE;
      case COMPACTION_THROUGHPUT -> compactionThroughput(jmx);
    };
  }

  /** Cassandra 4.0 has whole numbers only; later the getter of these rounds, or refuses to. */
  private static double compactionThroughput(NodeJmx jmx) throws IOException {
    // Cassandra's own spelling.
    double exact = jmx.decimal(StorageService.BEAN, "CompactionThroughtputMibPerSecAsDouble");
    if (!Double.isNaN(exact)) {
      return exact;
    }
    try {
      return jmx.decimal(StorageService.BEAN, "CompactionThroughputMbPerSec");
    } catch (NodeJmx.BeanFailedException e) {
      return Double.NaN;
    }
  }

  /** Sets it, and reads it back. */
  static void apply(JmxPool jmx, NodeId node, NodeSetting setting, int value, InCharge control)
      throws EngineException {
    try {
      double now =
          jmx.ask(
              node,
              j -> {
                control.require();
                switch (setting) {
                  case KEY_CACHE -> j.set(NodeProfile.CACHES, "KeyCacheCapacityInMB", (long) value);
                  case COMPACTION_THROUGHPUT ->
                      j.set(StorageService.BEAN, "CompactionThroughputMbPerSec", value);
                }
                return read(j, setting);
              });
      if (Math.round(now) != value) {
        throw new IOException("it reports " + now + " afterwards");
      }
    } catch (IOException e) {
      throw new EngineException(
          "node %s: its %s can't be set to %d %s: %s"
              .formatted(node, setting.title(), value, setting.unit(), CassandraErrors.line(e)),
          e);
    }
  }
}
