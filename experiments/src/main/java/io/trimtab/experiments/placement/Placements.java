package io.trimtab.experiments.placement;

import io.trimtab.engineapi.Profile;
import io.trimtab.lab.testbed.PartitionSlot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The three strategies that Cruz 2016, §3.1.3 compares, for tenants {@code a} … {@code f} of §3.1.1
 * (d has one partition, the others four; partition 0 is the hot one, 1 the next).
 */
public final class Placements {
  static final int MANUAL_NODES = 5;
  private static final List<String> FOUR_PARTED = List.of("a", "b", "c", "e", "f");

  private Placements() {}

  /**
   * What a stock cluster does: every node holds as many partitions as the next, and which ones is
   * left to chance.
   */
  public static Map<PartitionSlot, Integer> random(
      List<PartitionSlot> slots, int nodes, long seed) {
    var shuffled = new ArrayList<>(slots);
    Collections.sort(shuffled);
    Collections.shuffle(shuffled, new Random(seed));
    var placement = new TreeMap<PartitionSlot, Integer>();
    for (int i = 0; i < shuffled.size(); i++) {
      placement.put(shuffled.get(i), i % nodes);
    }
    return placement;
  }

  /**
   * The careful administrator's placement on five equal nodes: every node has one hot partition,
   * one that is half as hot and two cold ones, each of another tenant, so that requests, reads and
   * writes are as even as 21 partitions allow.
   */
  public static Map<PartitionSlot, Integer> manualHomogeneous() {
    var placement = new TreeMap<PartitionSlot, Integer>();
    int tenants = FOUR_PARTED.size();
    for (int tenant = 0; tenant < tenants; tenant++) {
      for (int index = 0; index < 4; index++) {
        int node = Math.floorMod(tenant - index, MANUAL_NODES);
        placement.put(new PartitionSlot(FOUR_PARTED.get(tenant), index), node);
      }
    }
    int withoutB = Math.floorMod(FOUR_PARTED.indexOf("b") - 4, MANUAL_NODES);
    placement.put(new PartitionSlot("d", 0), withoutB);
    return placement;
  }

  /** One node for each access pattern and two for the mixed one, the hot partitions apart. */
  public static Map<PartitionSlot, Integer> manualHeterogeneous() {
    var placement = new TreeMap<PartitionSlot, Integer>();
    for (int index = 0; index < 4; index++) {
      placement.put(new PartitionSlot("c", index), 0);
      placement.put(new PartitionSlot("b", index), 1);
      placement.put(new PartitionSlot("e", index), 2);
      placement.put(new PartitionSlot("a", index), index % 2 == 0 ? 3 : 4);
      placement.put(new PartitionSlot("f", index), index % 2 == 0 ? 4 : 3);
    }
    placement.put(new PartitionSlot("d", 0), 1);
    return placement;
  }

  /** The profiles that go with {@link #manualHeterogeneous()}. */
  public static List<Profile> manualProfiles() {
    return List.of(
        Profile.READ, Profile.WRITE, Profile.SCAN, Profile.READ_WRITE, Profile.READ_WRITE);
  }
}
