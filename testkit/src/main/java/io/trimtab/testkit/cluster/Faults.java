package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Which calls of which verbs go wrong, and how: scripted, so that a run can be repeated. A call
 * that finds its work done already is not counted. Thread-safe.
 */
public final class Faults {
  /** Verbs that can go wrong. */
  public enum Verb {
    SNAPSHOT,
    SET_BALANCER,
    MOVE,
    SPLIT,
    MERGE,
    APPLY_PROFILE,
    SET,
    SET_BLOCK_SIZE,
    COMPACT,
    SET_DRAINING,
    AWAIT_NODE,
    VACATE,
    CLEANUP,
    TAKE_CONTROL,
    ADD,
    REPLACE,
    REMOVE,
    RESTART,
    PERSIST
  }

  /** What goes wrong. */
  public enum Kind {
    /** Fails at once and changes nothing. */
    FAIL,
    /** Takes its limit, fails, and changes nothing. */
    HANG,
    /** Takes its limit and fails; the effect comes later. */
    LATE,
    /** Takes longer; fails as {@link #LATE} where that is more than the limit. */
    SLOW,
    /** A snapshot with a gap and without the node's figures. */
    GAP,
    /** A snapshot in which a node's usage is NaN. */
    NAN,
    /** A snapshot that is the one before. */
    STALE
  }

  /**
   * One thing that goes wrong.
   *
   * @param by how late after the limit ({@code LATE}), or how much longer ({@code SLOW})
   */
  public record Fault(Kind kind, Duration by) {}

  private static final class Rule {
    private final Verb verb;
    private final Optional<NodeId> node;
    private final int first;
    private final int last;
    private final Fault fault;
    private int seen;

    Rule(Verb verb, Optional<NodeId> node, int first, int last, Fault fault) {
      this.verb = verb;
      this.node = node;
      this.first = first;
      this.last = last;
      this.fault = fault;
    }
  }

  private final List<Rule> rules = new ArrayList<>();
  private BiConsumer<Verb, Kind> struck = (verb, kind) -> {};
  private final Map<Verb, Integer> calls = new EnumMap<>(Verb.class);

  /**
   * The n-th call from now on goes wrong.
   *
   * @param nth 1, 2, …
   */
  public Faults on(Verb verb, int nth, Kind kind) {
    return add(verb, Optional.empty(), nth, nth, kind, Duration.ofSeconds(5));
  }

  /** The same with a time of its own. */
  public Faults on(Verb verb, int nth, Kind kind, Duration by) {
    return add(verb, Optional.empty(), nth, nth, kind, by);
  }

  /** The n-th call from now on that concerns the node. */
  public Faults on(Verb verb, NodeId node, int nth, Kind kind) {
    return add(verb, Optional.of(node), nth, nth, kind, Duration.ofSeconds(5));
  }

  /** All calls from now on. */
  public Faults always(Verb verb, Kind kind) {
    return add(verb, Optional.empty(), 1, Integer.MAX_VALUE, kind, Duration.ofSeconds(5));
  }

  /** All calls from now on that concern the node. */
  public Faults always(Verb verb, NodeId node, Kind kind) {
    return add(verb, Optional.of(node), 1, Integer.MAX_VALUE, kind, Duration.ofSeconds(5));
  }

  private synchronized Faults add(
      Verb verb, Optional<NodeId> node, int first, int last, Kind kind, Duration by) {
    boolean ofSnapshots = kind == Kind.GAP || kind == Kind.NAN || kind == Kind.STALE;
    if (first < 1 || (ofSnapshots && verb != Verb.SNAPSHOT)) {
      throw new IllegalArgumentException(verb + " can't " + kind + " at call " + first);
    }
    rules.add(new Rule(verb, node, first, last, new Fault(kind, by)));
    return this;
  }

  /** Who is told when something goes wrong; nobody at first. */
  public synchronized void onStrike(BiConsumer<Verb, Kind> told) {
    struck = told;
  }

  /** Nothing goes wrong any more. */
  public synchronized void clear() {
    rules.clear();
  }

  /** How often a verb had something to do. */
  public synchronized int calls(Verb verb) {
    return calls.getOrDefault(verb, 0);
  }

  synchronized Optional<Fault> next(Verb verb, NodeId node) {
    calls.merge(verb, 1, Integer::sum);
    Optional<Fault> hit = Optional.empty();
    for (Rule rule : rules) {
      // A snapshot concerns every node.
      boolean meant = verb == Verb.SNAPSHOT || rule.node.isEmpty();
      if (rule.verb != verb || !(meant || rule.node.get().equals(node))) {
        continue;
      }
      rule.seen++;
      if (hit.isEmpty() && rule.seen >= rule.first && rule.seen <= rule.last) {
        hit = Optional.of(rule.fault);
        struck.accept(verb, rule.fault.kind());
      }
    }
    return hit;
  }

  /** The node that a rule of snapshots names; the first of all where it names none. */
  synchronized Optional<NodeId> meant(Fault fault) {
    return rules.stream().filter(r -> r.fault == fault).findFirst().flatMap(r -> r.node);
  }
}
