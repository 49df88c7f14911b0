package io.trimtab.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  @Test
  void aTakenSlotAndOneWithABusyPortArePassedOver() throws IOException {
    int from = LabSlot.free(17, Set.of()).orElseThrow().number();
    int second = LabSlot.free(from, Set.of(from)).orElseThrow().number();
    assertThat(second).isNotEqualTo(from);

    try (ServerSocket busy = new ServerSocket()) {
      LabSlot slot = new LabSlot(second);
      busy.bind(new InetSocketAddress(slot.coordinator(), slot.masterPort()));

      assertThat(LabSlot.free(from, Set.of(from)).orElseThrow().number()).isNotIn(from, second);
    }
  }

  @Test
  void theSearchGoesRoundAndEndsWhenAllAreTaken() {
    Set<Integer> all = IntStream.range(0, LabSlot.COUNT).boxed().collect(Collectors.toSet());

    assertThat(LabSlot.free(LabSlot.COUNT - 1, all)).isEmpty();
    all.remove(LabSlot.free(0, Set.of()).orElseThrow().number());
    assertThat(LabSlot.free(LabSlot.COUNT - 1, all)).isPresent();
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
