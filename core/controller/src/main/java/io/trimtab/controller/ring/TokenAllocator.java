package io.trimtab.controller.ring;

import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.RingRequests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Gives a plan's new nodes the tokens at which the requests of a ring's most loaded ranges halve,
 * as a split does with a region (Cruz 2016, §4.2). A range ends with its owner's token: a node that
 * takes the token where its requests halve takes the half before it.
 *
 * <p>A node that joins in another's place takes the tokens right before its. So it has all that the
 * other had, and once that has left, all others have what they had before.
 */
public final class TokenAllocator {
  /** With more of them chance spreads the requests well enough, and the engine spreads the data. */
  public static final int TOKENS_MAX = 8;

  /** Fewer sampled requests are not sufficient. */
  static final long REQUESTS_MIN = 2_000;

  /** Of a range's requests; where one key has more, no token halves it. */
  static final double SIDE_MAX = 0.75;

  private final NavigableMap<Long, Long> counts;
  private final long total;

  /** The tokens including those already allocated to new nodes. */
  private NavigableMap<Long, NodeId> owners;

  private TokenAllocator(RingRequests ring) {
    this.owners = new TreeMap<>(ring.owners());
    this.counts = new TreeMap<>(ring.counts());
    this.total = ring.total();
  }

  /** Whether the tokens of the ring must be known before the plan is carried out. */
  public static boolean asked(Plan plan, ClusterSnapshot seen, Settings settings) {
    return PlacementModel.of(seen).choosesTokens()
        && !plan.actions(Action.AddNode.class).isEmpty()
        && (settings.place().tokens() == PlaceSettings.Tokens.REQUESTS || !leaving(plan).isEmpty());
  }

  /** The n-th new node takes the place of the n-th. */
  private static List<NodeId> leaving(Plan plan) {
    return plan.actions(Action.RemoveNode.class).stream().map(Action.RemoveNode::node).toList();
  }

  private static String noRanges(NodeId of) {
    return "not get the ranges of " + of + ": the tokens of the ring are not known";
  }

  /**
   * Why a new node would not take another's place as the plan wants it to, a sentence; empty if it
   * would.
   *
   * @param plan after {@link #choose}
   */
  public static Optional<String> misses(Plan plan, ClusterSnapshot seen) {
    List<NodeId> leaving = leaving(plan);
    return PlacementModel.of(seen).choosesTokens()
        ? plan.actions(Action.AddNode.class).stream()
            .filter(add -> add.ordinal() <= leaving.size() && add.tokens().isEmpty())
            .findFirst()
            .map(add -> "a new node would " + noRanges(leaving.get(add.ordinal() - 1)))
        : Optional.empty();
  }

  /** The plan with tokens for its new nodes, or with why the engine chooses them. */
  public static Plan choose(Plan plan, RingRequests ring) {
    TokenAllocator tokens = new TokenAllocator(ring);
    String refusal = ring.gap().isEmpty() ? tokens.refusal() : ring.gap();
    List<NodeId> leaving = leaving(plan);
    List<PlannedAction> actions =
        plan.actions().stream()
            .map(
                a ->
                    a.action()
                        .as(Action.AddNode.class)
                        .map(
                            add ->
                                add.ordinal() <= leaving.size()
                                    ? tokens.instead(a, add, leaving.get(add.ordinal() - 1))
                                    : tokens.with(a, add, refusal))
                        .orElse(a))
            .toList();
    return plan.with(actions);
  }

  private String refusal() {
    if (owners.isEmpty()) {
      return "the ring's tokens are not known";
    }
    return total < REQUESTS_MIN
        ? "only " + total + " of " + REQUESTS_MIN + " requests have been seen"
        : "";
  }

  /** Tokens of the node that has most. */
  private int each() {
    return owners.values().stream()
        .collect(Collectors.groupingBy(n -> n, Collectors.counting()))
        .values()
        .stream()
        .mapToInt(Long::intValue)
        .max()
        .orElse(1);
  }

  /** With the tokens right before another's, where those are known. */
  private PlannedAction instead(PlannedAction planned, Action.AddNode add, NodeId leaves) {
    List<Long> taken =
        owners.entrySet().stream()
            .filter(token -> token.getValue().equals(leaves))
            .map(Map.Entry::getKey)
            // A range of one token is none that is missed; the least number is no token.
            .filter(token -> token > Long.MIN_VALUE + 1 && !owners.containsKey(token - 1))
            .map(token -> token - 1)
            .toList();
    taken.forEach(token -> owners.put(token, add.placeholder()));
    String effect =
        taken.isEmpty() ? "; it would " + noRanges(leaves) : " with the ranges of " + leaves;
    return with(planned, add, taken, effect);
  }

  private static PlannedAction with(
      PlannedAction planned, Action.AddNode add, List<Long> tokens, String effect) {
    return new PlannedAction(
        planned.step(),
        new Action.AddNode(add.ordinal(), add.profile(), tokens),
        planned.reason(),
        planned.effect() + effect,
        planned.cost(),
        planned.undo());
  }

  private PlannedAction with(PlannedAction planned, Action.AddNode add, String refusal) {
    List<Half> taken = refusal.isEmpty() ? take(add.placeholder()) : List.of();
    String why = refusal.isEmpty() ? "no token halves the requests of enough ranges" : refusal;
    String effect =
        taken.isEmpty()
            ? "; the engine chooses its tokens: " + why
            : String.format(
                Locale.ROOT,
                " with %.0f %% of the ring's requests, taken from %s",
                100.0 * taken.stream().mapToLong(Half::left).sum() / total,
                taken.stream()
                    .map(half -> half.range().owner().toString())
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", ")));
    return with(planned, add, taken.stream().map(Half::token).sorted().toList(), effect);
  }

  /**
   * A token's range.
   *
   * @param keys requests at tokens, in the order of the ring
   */
  private record TokenRange(NodeId owner, List<Map.Entry<Long, Long>> keys) {
    long requests() {
      return keys.stream().mapToLong(Map.Entry::getValue).sum();
    }
  }

  /**
   * A range cut in two.
   *
   * @param token last of the left half
   * @param left requests of the left half
   */
  private record Half(TokenRange range, long token, long left) {}

  /** As many tokens as other nodes have; none where there are not as many good ones. */
  private List<Half> take(NodeId node) {
    NavigableMap<Long, NodeId> then = new TreeMap<>(owners);
    List<Half> taken = new ArrayList<>();
    for (int count = each(); count > 0; count--) {
      Optional<Half> best =
          ranges(then).stream()
              .filter(range -> !range.owner().equals(node))
              .sorted(Comparator.comparingLong(range -> -range.requests()))
              .map(range -> half(range, then))
              .flatMap(Optional::stream)
              .findFirst();
      if (best.isEmpty()) {
        return List.of();
      }
      taken.add(best.get());
      then.put(best.get().token(), node);
    }
    owners = then;
    return taken;
  }

  /** The requested ones, in no particular order. */
  private List<TokenRange> ranges(NavigableMap<Long, NodeId> ring) {
    Map<Long, List<Map.Entry<Long, Long>>> byEnd = new TreeMap<>();
    long last = ring.lastKey();
    // What lies beyond the last token comes before the first one's.
    for (var part : List.of(counts.tailMap(last, false), counts.headMap(last, true))) {
      for (Map.Entry<Long, Long> key : part.entrySet()) {
        Long end = ring.ceilingKey(key.getKey());
        byEnd.computeIfAbsent(end == null ? ring.firstKey() : end, e -> new ArrayList<>()).add(key);
      }
    }
    return byEnd.entrySet().stream()
        .map(e -> new TokenRange(ring.get(e.getKey()), e.getValue()))
        .toList();
  }

  /** Where as near to half of the requests as can be lie on either side. */
  private static Optional<Half> half(TokenRange range, NavigableMap<Long, NodeId> ring) {
    long all = range.requests();
    long sum = 0;
    Half best = null;
    for (Map.Entry<Long, Long> key : range.keys()) {
      sum += key.getValue();
      boolean nearer = best == null || Math.abs(2 * sum - all) < Math.abs(2 * best.left() - all);
      if (nearer && !ring.containsKey(key.getKey())) {
        best = new Half(range, key.getKey(), sum);
      }
    }
    return Optional.ofNullable(best)
        .filter(h -> Math.max(h.left(), all - h.left()) <= SIDE_MAX * all);
  }
}
