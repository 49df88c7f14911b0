package io.trimtab.cassandraplugin;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Numbers of nodes, given when one is first asked for, and never taken back. They are this node's
 * own; between nodes another is used, of 16 bits, that follows from the address.
 */
final class Peers {
  /** No number: there are too many nodes, or two of them have the same between nodes. */
  static final int NONE = -1;

  /** Nodes that get numbers; what is kept for each is some hundred bytes. */
  static final int MOST = 1024;

  private static final int AMBIGUOUS = -1;

  private final ConcurrentMap<InetAddressAndPort, Integer> numbers = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<InetAddressAndPort> nodes = new AtomicReferenceArray<>(MOST);
  private final AtomicInteger next = new AtomicInteger();

  /** By the number between nodes: 0 if there is none, 1 + the own number, or AMBIGUOUS. */
  private final AtomicIntegerArray named = new AtomicIntegerArray(1 << 16);

  int number(InetAddressAndPort node) {
    Integer known = numbers.get(node);
    return known == null ? numbers.computeIfAbsent(node, this::given) : known;
  }

  private Integer given(InetAddressAndPort node) {
    int number = next.getAndIncrement();
    if (number >= MOST) {
      next.set(MOST);
      return NONE;
    }
    nodes.set(number, node);
    named.accumulateAndGet(wire(node), number + 1, (before, its) -> before == 0 ? its : AMBIGUOUS);
    return number;
  }

  private static int wire(InetAddressAndPort node) {
    // FNV-1a, then mixed: addresses of one subnet differ in few bits.
    int hash = 0x811C9DC5 ^ node.getPort();
    for (byte part : node.addressBytes) {
      hash = (hash ^ part & 0xFF) * 0x01000193;
    }
    hash = (hash ^ hash >>> 15) * 0x2C1B3C6D;
    hash = (hash ^ hash >>> 12) * 0x297A2D39;
    return (hash ^ hash >>> 15) >>> 16;
  }

  /** The number that all nodes use; {@link #NONE} if another node has the same. */
  int shared(int number) {
    InetAddressAndPort node = nodes.get(number);
    if (node == null) {
      return NONE;
    }
    int wire = wire(node);
    return named.get(wire) == number + 1 ? wire : NONE;
  }

  /** The own number; {@link #NONE} if no node is known, or several are, by the shared one. */
  int own(int shared) {
    int its = named.get(shared);
    return its > 0 ? its - 1 : NONE;
  }

  /** How many have numbers; from 0 on. */
  int count() {
    return Math.min(MOST, next.get());
  }

  /** Null for a moment after its number was given. */
  InetAddressAndPort node(int number) {
    return nodes.get(number);
  }
}
