package io.trimtab.lab.slot;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * A slot that no other lab of this machine takes until this is closed, whatever folder that lab is
 * kept in. It has to be held until the lab's processes listen themselves: seconds pass between the
 * choice of a slot and that.
 */
public final class SlotClaim implements Closeable {
  /** Of a slot's ports: one that no process opens for all addresses at once. */
  private static final int HELD = 7;

  /** A socket that nothing refers to any more is closed. */
  private static final Set<SlotClaim> KEPT = ConcurrentHashMap.newKeySet();

  private final LabSlot slot;
  private final ServerSocket held;

  /** What a slot is claimed for. */
  @FunctionalInterface
  public interface Use<T> {
    T of(LabSlot slot) throws IOException;
  }

  private SlotClaim(LabSlot slot, ServerSocket held) {
    this.slot = slot;
    this.held = held;
  }

  /**
   * The first slot at or after {@code from}, round the circle, that is not taken and all whose
   * ports are free at all addresses of this machine.
   */
  public static Optional<SlotClaim> first(int from, Set<Integer> taken) {
    for (int i = 0; i < LabSlot.COUNT; i++) {
      LabSlot slot = new LabSlot(Math.floorMod(from + i, LabSlot.COUNT));
      // This port first: a look at the others could be in the way of a lab that is starting there.
      if (!taken.contains(slot.number()) && !busy(slot.port(HELD)) && !othersBusy(slot)) {
        Optional<SlotClaim> claim = of(slot);
        if (claim.isPresent()) {
          return claim;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<SlotClaim> of(LabSlot slot) {
    try {
      SlotClaim claim = new SlotClaim(slot, listen(slot.claim(), slot.port(HELD)));
      // A lab may have begun to listen since, and have given up its claim.
      if (othersBusy(slot)) {
        claim.close();
        return Optional.empty();
      }
      return Optional.of(claim);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  public LabSlot slot() {
    return slot;
  }

  /** Does what the slot is claimed for; if that fails, it is given up. */
  public <T> T use(Use<T> use) throws IOException {
    boolean done = false;
    try {
      T made = use.of(slot);
      done = true;
      return made;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  /** Holds the slot until it is closed or this process ends, whether anyone refers to it or not. */
  public void keep() {
    KEPT.add(this);
  }

  private static boolean othersBusy(LabSlot slot) {
    return IntStream.range(0, LabSlot.PORTS).anyMatch(i -> i != HELD && busy(slot.port(i)));
  }

  /** Whether it is listened to at any address: nodes have their own. */
  private static boolean busy(int port) {
    try (ServerSocket socket = listen("0.0.0.0", port)) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static ServerSocket listen(String address, int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    KEPT.remove(this);
    held.close();
  }
}
