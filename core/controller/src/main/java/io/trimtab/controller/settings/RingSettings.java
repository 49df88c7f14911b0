package io.trimtab.controller.settings;

import io.trimtab.engineapi.NodeSetting;
import java.util.EnumMap;
import java.util.Map;

/**
 * Settings of every node of a ring; a value that is null is not changed on any node.
 *
 * @param keyCacheMiB size of each node's key cache in MiB, in [0, 65,536]
 * @param compactionMiBPerSecond write limit of each node's compactions in MiB/s, in [1, 10,000]
 */
public record RingSettings(Integer keyCacheMiB, Integer compactionMiBPerSecond) {
  public RingSettings {
    if (keyCacheMiB != null) {
      SettingCheck.within("ring.keyCacheMiB", keyCacheMiB, 0, 0, 65_536);
    }
    if (compactionMiBPerSecond != null) {
      SettingCheck.within("ring.compactionMiBPerSecond", compactionMiBPerSecond, 1, 1, 10_000);
    }
  }

  public Map<NodeSetting, Integer> values() {
    Map<NodeSetting, Integer> values = new EnumMap<>(NodeSetting.class);
    if (keyCacheMiB != null) {
      values.put(NodeSetting.KEY_CACHE, keyCacheMiB);
    }
    if (compactionMiBPerSecond != null) {
      values.put(NodeSetting.COMPACTION_THROUGHPUT, compactionMiBPerSecond);
    }
    return values;
  }

  /** The key in the settings file. */
  public static String key(NodeSetting setting) {
    return switch (setting) {
      case KEY_CACHE -> "ring.keyCacheMiB";
      case COMPACTION_THROUGHPUT -> "ring.compactionMiBPerSecond";
    };
  }
}
