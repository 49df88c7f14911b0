package io.trimtab.lab.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlotClaimTest {

  private static int first(int from, Set<Integer> taken) throws IOException {
    try (SlotClaim claim = SlotClaim.first(from, taken).orElseThrow()) {
      return claim.slot().number();
    }
  }

  private static void listensAt(String address, int port, int slot) throws IOException {
    try (ServerSocket busy = new ServerSocket()) {
      busy.bind(new InetSocketAddress(address, port));

      assertThat(first(slot, Set.of())).isNotEqualTo(slot);
    }
    assertThat(first(slot, Set.of())).isEqualTo(slot);
  }

  @Test
  void aTakenSlotIsPassedOver() throws IOException {
    int from = first(17, Set.of());

    assertThat(first(from, Set.of(from))).isNotEqualTo(from);
  }

  @Test
  void aSlotWhoseCoordinatorOrNodesListenIsPassedOver() throws IOException {
    LabSlot slot = new LabSlot(first(17, Set.of()));

    listensAt(slot.coordinator(), slot.masterPort(), slot.number());
    // A Cassandra lab, which may be one of another folder, has nodes only.
    listensAt(slot.node(2), slot.storagePort(), slot.number());
    listensAt(slot.node(3), slot.cqlPort(), slot.number());
    listensAt(slot.zookeeper(), slot.zookeeperPort(), slot.number());
  }

  @Test
  void aSlotIsOnesUntilItIsGivenUp() throws IOException {
    try (SlotClaim one = SlotClaim.first(17, Set.of()).orElseThrow()) {
      int mine = one.slot().number();
      try (SlotClaim other = SlotClaim.first(mine, Set.of()).orElseThrow()) {
        assertThat(other.slot().number()).isNotEqualTo(mine);
      }
    }
  }

  @Test
  void aSlotIsGivenUpIfWhatItIsForFails() throws IOException {
    SlotClaim claim = SlotClaim.first(17, Set.of()).orElseThrow();
    int mine = claim.slot().number();

    assertThat(claim.<Integer>use(LabSlot::number)).isEqualTo(mine);
    assertThat(first(mine, Set.of())).isNotEqualTo(mine);
    assertThatThrownBy(
            () ->
                claim.use(
                    slot -> {
                      throw new IOException("the disk is full");
                    }))
        .hasMessage("the disk is full");
    assertThat(first(mine, Set.of())).isEqualTo(mine);
  }

  /** Claims a slot, and forgets the claim. */
  private static int forgotten(boolean kept) {
    SlotClaim claim = SlotClaim.first(17, Set.of()).orElseThrow();
    if (kept) {
      claim.keep();
    }
    return claim.slot().number();
  }

  @Test
  void oneThatIsKeptIsHeldThoughNothingRefersToIt() throws Exception {
    int kept = forgotten(true);
    int lost = forgotten(false);
    for (int i = 0; i < 100 && first(lost, Set.of()) != lost; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assumeThat(first(lost, Set.of())).as("as what nothing refers to is closed").isEqualTo(lost);

    assertThat(first(kept, Set.of())).isNotEqualTo(kept);
  }

  @Test
  void theSearchGoesRoundAndEndsWhenAllAreTaken() throws IOException {
    Set<Integer> all =
        new HashSet<>(
            IntStream.range(0, LabSlot.COUNT).boxed().collect(Collectors.toUnmodifiableSet()));

    assertThat(SlotClaim.first(LabSlot.COUNT - 1, all)).isEmpty();
    int free = first(0, Set.of());
    all.remove(free);
    assertThat(first(LabSlot.COUNT - 1, all)).isEqualTo(free);
  }
}
