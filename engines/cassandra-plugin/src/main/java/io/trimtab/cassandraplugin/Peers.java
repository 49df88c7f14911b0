package io.trimtab.cassandraplugin;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Numbers of nodes, given when one is first asked for, and never taken back. */
final class Peers {
  /** No number: there are too many nodes. */
  static final int NONE = -1;

  /** Nodes that get numbers; what is kept for each is some hundred bytes. */
  static final int MOST = 1024;

  private final ConcurrentMap<InetAddressAndPort, Integer> numbers = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<InetAddressAndPort> nodes = new AtomicReferenceArray<>(MOST);
  private final AtomicInteger next = new AtomicInteger();

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
    return number;
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
