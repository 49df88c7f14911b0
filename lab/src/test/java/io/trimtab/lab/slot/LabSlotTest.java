package io.trimtab.lab.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LabSlotTest {

  @Test
  void noTwoSlotsShareAPort() {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < LabSlot.COUNT; i++) {
      ports.addAll(ports(new LabSlot(i)));
    }

    assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port > 1024 && port < 32768);
  }

  @Test
  void nodesHaveAddressesOfTheirOwn() {
    assertThat(
            Set.of(
                new LabSlot(1).coordinator(),
                new LabSlot(2).coordinator(),
                new LabSlot(1).node(1),
                new LabSlot(1).node(2),
                new LabSlot(2).node(1)))
        .hasSize(5);
  }

  private static List<Integer> ports(LabSlot slot) {
    return List.of(
        slot.zookeeperPort(),
        slot.nameNodePort(),
        slot.nameNodeHttpPort(),
        slot.masterPort(),
        slot.masterInfoPort(),
        slot.dataNodePort(),
        slot.dataNodeHttpPort(),
        slot.dataNodeIpcPort(),
        slot.regionServerPort(),
        slot.regionServerInfoPort());
  }
}
