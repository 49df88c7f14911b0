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

class SlotTest {

  @Test
  void noTwoSlotsShareAPort() {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < Slot.COUNT; i++) {
      ports.addAll(ports(new Slot(i)));
    }

    assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port > 1024 && port < 32768);
  }

  @Test
  void nodesHaveAddressesOfTheirOwn() {
    assertThat(
            Set.of(
                new Slot(1).coordinator(),
                new Slot(2).coordinator(),
                new Slot(1).node(1),
                new Slot(1).node(2),
                new Slot(2).node(1)))
        .hasSize(5);
  }

  @Test
  void aTakenSlotAndOneWithABusyPortArePassedOver() throws IOException {
    int from = Slot.free(17, Set.of()).orElseThrow().number();
    int second = Slot.free(from, Set.of(from)).orElseThrow().number();
    assertThat(second).isNotEqualTo(from);

    try (ServerSocket busy = new ServerSocket()) {
      Slot slot = new Slot(second);
      busy.bind(new InetSocketAddress(slot.coordinator(), slot.masterPort()));

      assertThat(Slot.free(from, Set.of(from)).orElseThrow().number()).isNotIn(from, second);
    }
  }

  @Test
  void theSearchGoesRoundAndEndsWhenAllAreTaken() {
    Set<Integer> all = IntStream.range(0, Slot.COUNT).boxed().collect(Collectors.toSet());

    assertThat(Slot.free(Slot.COUNT - 1, all)).isEmpty();
    all.remove(Slot.free(0, Set.of()).orElseThrow().number());
    assertThat(Slot.free(Slot.COUNT - 1, all)).isPresent();
  }

  private static List<Integer> ports(Slot slot) {
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
