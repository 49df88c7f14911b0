package io.trimtab.controller.policy;

import io.trimtab.controller.observe.ColdNodes;
import io.trimtab.controller.observe.Frozen;
import io.trimtab.controller.settings.StabilitySettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where plans have moved partitions, and how they have changed the number of nodes: what goes to
 * and fro is left as it is for some time. An immutable value.
 *
 * <p>The number of nodes is judged by its total variation, less the trend, divided by its range:
 * twice the number of full swings. Growing from 3 to 6 nodes step by step is no swing, 3, 6, 3 is
 * one, 3, 4, 3, 4, 3 are two. It is judged since each of its changes, so that a larger change
 * before hides nothing. Only removals are held: the cluster stays at the larger size.
 *
 * <p>A partition's nodes have no order, so that its returns count: moves to a node on which it was
 * before within the window. What a plan moves away and back counts as not moved. A node's profile
 * is judged in the same way.
 *
 * <p>What a plan has moved that went by requests alone does not go back for some minutes: see
 * {@link #awaits}.
 *
 * @param moves of partitions, the latest last
 * @param sizes changes of the number of nodes, the latest last
 * @param profiles changes of nodes' profiles, the latest last
 * @param guesses when plans ended that went by requests alone, the latest last; their moves have
 *     the same time
 */
public record Stability(
    List<Moved> moves, List<Sized> sizes, List<Reprofiled> profiles, List<Instant> guesses) {
  public static final Stability NONE = new Stability(List.of(), List.of(), List.of());

  /**
   * After which it shows whether a plan was right that went by requests alone. Until then caches
   * and compilers are cold where its partitions are now, so that these seem to cost more than they
   * do, and little was seen of what they cost.
   */
  static final Duration JUDGED_AFTER = ColdNodes.LONGEST;

  /** Older ones are forgotten; a plan has at most {@code guard.maxMoves}. */
  private static final int MOVES_MAX = 5_000;

  private static final int SIZES_MAX = 200;

  /** A partition that a plan has moved. */
  public record Moved(Instant at, PartitionId partition, NodeId from, NodeId to) {}

  /**
   * A change of the number of nodes by a plan; one that puts a node in another's place makes two.
   *
   * @param by nodes added, or removed if negative; not 0
   */
  public record Sized(Instant at, int by) {}

  /** A node to which a plan has given another profile. */
  public record Reprofiled(Instant at, NodeId node, Profile from, Profile to) {}

  /** A partition's or a node's change. */
  private record Change<K, P>(Instant at, K what, P from, P to) {}

  public Stability {
    // Older documents have none.
    moves = moves == null ? List.of() : List.copyOf(moves);
    sizes = sizes == null ? List.of() : List.copyOf(sizes);
    profiles = profiles == null ? List.of() : List.copyOf(profiles);
    guesses = guesses == null ? List.of() : List.copyOf(guesses);
  }

  /** Of plans none of which went by requests alone. */
  public Stability(List<Moved> moves, List<Sized> sizes, List<Reprofiled> profiles) {
    this(moves, sizes, profiles, List.of());
  }

  /**
   * The same after a plan has ended, done or not.
   *
   * @param ended its steps that were done
   * @param added nodes by the plan's placeholders
   */
  public Stability after(Plan plan, Set<Integer> ended, Map<NodeId, NodeId> added, Instant at) {
    Map<PartitionId, Moved> moved = new LinkedHashMap<>();
    Map<NodeId, Reprofiled> reprofiled = new LinkedHashMap<>();
    int joined = 0;
    int left = 0;
    for (PlannedAction planned : plan.actions()) {
      if (!ended.contains(planned.step())) {
        continue;
      }
      joined += planned.action().as(Action.AddNode.class).isPresent() ? 1 : 0;
      left += planned.action().as(Action.RemoveNode.class).isPresent() ? 1 : 0;
      Optional<Action.Move> move = planned.action().as(Action.Move.class);
      if (move.isPresent()) {
        NodeId to = added.getOrDefault(move.get().to(), move.get().to());
        // By name, too: what brought it to a node that joined may not be among those done.
        NodeId off = added.getOrDefault(move.get().from(), move.get().from());
        Moved earlier = moved.get(move.get().partition());
        NodeId from = earlier == null ? off : earlier.from();
        moved.put(move.get().partition(), new Moved(at, move.get().partition(), from, to));
      }
      Optional<Action.Reconfigure> profile = planned.action().as(Action.Reconfigure.class);
      if (profile.isPresent()) {
        NodeId node = added.getOrDefault(profile.get().node(), profile.get().node());
        Reprofiled earlier = reprofiled.get(node);
        Profile from = earlier == null ? profile.get().from() : earlier.from();
        reprofiled.put(node, new Reprofiled(at, node, from, profile.get().to()));
      }
    }
    List<Moved> allMoves = new ArrayList<>(moves);
    moved.values().stream().filter(m -> !m.from().equals(m.to())).forEach(allMoves::add);
    List<Sized> allSizes = new ArrayList<>(sizes);
    // Not their difference: one node after another could be replaced, and none would be a swing.
    if (joined > 0) {
      allSizes.add(new Sized(at, joined));
    }
    if (left > 0) {
      allSizes.add(new Sized(at, -left));
    }
    List<Reprofiled> allProfiles = new ArrayList<>(profiles);
    allProfiles.addAll(reprofiled.values());
    return new Stability(
        newest(allMoves, MOVES_MAX),
        newest(allSizes, SIZES_MAX),
        newest(allProfiles, MOVES_MAX),
        guesses);
  }

  /**
   * The same where the last plan went by requests alone.
   *
   * @param ended when it did
   */
  public Stability guessed(Instant ended) {
    List<Instant> all = new ArrayList<>(guesses);
    all.removeIf(earlier -> !ended.isBefore(earlier.plus(JUDGED_AFTER)));
    all.add(ended);
    return new Stability(moves, sizes, profiles, all);
  }

  private static <T> List<T> newest(List<T> all, int most) {
    return all.subList(Math.max(0, all.size() - most), all.size());
  }

  /**
   * Why a plan must wait, as a sentence with the time at which it need not any more, and the
   * setting. Empty if it need not, and for a plan that makes the cluster larger: more nodes do no
   * harm, and may be needed.
   */
  public Optional<Held> holds(Plan plan, StabilitySettings settings, Instant now) {
    int removed = plan.actions(Action.RemoveNode.class).size();
    if (plan.actions(Action.AddNode.class).size() > removed) {
      return Optional.empty();
    }
    // A clock that was set back makes no hold longer.
    List<Sized> changes = sizes.stream().filter(s -> within(s.at(), settings, now)).toList();
    if (removed > 0 && mostSwings(changes) >= settings.nodeSwings()) {
      int kept = fewest(changes, list -> mostSwings(list) >= settings.nodeSwings());
      return Optional.of(
          new Held(
              "the number of nodes went up and down %.0f times; no node is removed before %s"
                  .formatted(
                      mostSwings(changes),
                      until(changes.get(changes.size() - kept).at(), settings)),
              "stability.nodeSwings"));
    }
    Set<PartitionId> moved = new LinkedHashSet<>();
    plan.actions(Action.Move.class).forEach(move -> moved.add(move.partition()));
    Set<NodeId> changed = new LinkedHashSet<>();
    plan.actions(Action.Reconfigure.class).forEach(change -> changed.add(change.node()));
    return awaits(plan, now)
        .or(() -> heldPartition(moved, settings, now))
        .or(() -> heldProfile(changed, settings, now));
  }

  /**
   * Why a plan must wait that would move a partition back to a node off which one that went by
   * requests alone has moved it a few minutes ago; {@link #holds} has it, too.
   */
  Optional<Held> awaits(Plan plan, Instant now) {
    // A clock that was set back makes no hold longer.
    Set<Instant> fresh =
        guesses.stream()
            .filter(at -> now.isBefore(at.plus(JUDGED_AFTER)) && !at.isAfter(now))
            .collect(Collectors.toSet());
    if (fresh.isEmpty()) {
      return Optional.empty();
    }
    Map<PartitionId, NodeId> ends = ends(plan);
    return moves.stream()
        .filter(move -> fresh.contains(move.at()))
        .filter(move -> move.from().equals(ends.get(move.partition())))
        .findFirst()
        .map(
            move ->
                new Held(
                    "partition %s would go back to node %s, off which a plan has moved it that"
                            .formatted(move.partition(), move.from())
                        + " went by requests alone; whether that was right shows after "
                        + move.at().plus(JUDGED_AFTER).truncatedTo(ChronoUnit.SECONDS),
                    ""));
  }

  /** Where a plan leaves the partitions that it does not bring back itself. */
  private static Map<PartitionId, NodeId> ends(Plan plan) {
    Map<PartitionId, NodeId> begins = new HashMap<>();
    Map<PartitionId, NodeId> ends = new HashMap<>();
    for (Action.Move move : plan.actions(Action.Move.class)) {
      begins.putIfAbsent(move.partition(), move.from());
      ends.put(move.partition(), move.to());
    }
    ends.entrySet().removeIf(end -> end.getValue().equals(begins.get(end.getKey())));
    return ends;
  }

  /** What policies are to leave as it is, so that the rest can be placed around it. */
  public Frozen frozen(StabilitySettings settings, Instant now) {
    Map<PartitionId, List<Change<PartitionId, NodeId>>> moved = moved(settings, now);
    moved.values().removeIf(its -> returns(its) < settings.returns());
    Map<NodeId, List<Change<NodeId, Profile>>> changed = reprofiled(settings, now);
    changed.values().removeIf(its -> returns(its) < settings.returns());
    return new Frozen(moved.keySet(), changed.keySet());
  }

  /** As {@link #holds}, of the first of all that is {@link #frozen}. */
  Optional<Held> anyHeld(StabilitySettings settings, Instant now) {
    return heldPartition(moved(settings, now).keySet(), settings, now)
        .or(() -> heldProfile(reprofiled(settings, now).keySet(), settings, now));
  }

  private Map<PartitionId, List<Change<PartitionId, NodeId>>> moved(
      StabilitySettings settings, Instant now) {
    return within(
        moves.stream().map(m -> new Change<>(m.at(), m.partition(), m.from(), m.to())),
        settings,
        now);
  }

  private Map<NodeId, List<Change<NodeId, Profile>>> reprofiled(
      StabilitySettings settings, Instant now) {
    return within(
        profiles.stream().map(p -> new Change<>(p.at(), p.node(), p.from(), p.to())),
        settings,
        now);
  }

  private static <K, P> Map<K, List<Change<K, P>>> within(
      Stream<Change<K, P>> all, StabilitySettings settings, Instant now) {
    Map<K, List<Change<K, P>>> its = new LinkedHashMap<>();
    all.filter(change -> within(change.at(), settings, now))
        .forEach(change -> its.computeIfAbsent(change.what(), w -> new ArrayList<>()).add(change));
    return its;
  }

  private Optional<Held> heldPartition(
      Set<PartitionId> those, StabilitySettings settings, Instant now) {
    return held(
        those,
        moved(settings, now),
        "partition %s came back to a node %d times; it is not moved before %s",
        settings);
  }

  private Optional<Held> heldProfile(Set<NodeId> those, StabilitySettings settings, Instant now) {
    return held(
        those,
        reprofiled(settings, now),
        "node %s came back to a profile %d times; it is not reconfigured before %s",
        settings);
  }

  private static <K, P> Optional<Held> held(
      Set<K> those,
      Map<K, List<Change<K, P>>> changes,
      String sentence,
      StabilitySettings settings) {
    for (K one : those) {
      List<Change<K, P>> its = changes.getOrDefault(one, List.of());
      if (returns(its) >= settings.returns()) {
        int kept = fewest(its, list -> returns(list) >= settings.returns());
        Instant end = until(its.get(its.size() - kept).at(), settings);
        return Optional.of(
            new Held(sentence.formatted(one, returns(its), end), "stability.returns"));
      }
    }
    return Optional.empty();
  }

  private static Instant until(Instant oldest, StabilitySettings settings) {
    return oldest.plus(settings.window()).truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * How many of the newest are enough to hold: the hold ends when the oldest of them is forgotten.
   */
  private static <T> int fewest(List<T> all, Predicate<List<T>> holds) {
    int kept = all.size();
    while (holds.test(all.subList(all.size() - kept + 1, all.size()))) {
      kept--;
    }
    return kept;
  }

  private static <K, P> int returns(List<Change<K, P>> changes) {
    Set<P> been = new HashSet<>();
    int returns = 0;
    for (Change<K, P> change : changes) {
      been.add(change.from());
      returns += been.add(change.to()) ? 0 : 1;
    }
    return returns;
  }

  /**
   * What has gone to and fro within the window.
   *
   * @param swings times that the number of nodes went up and down again
   * @param returns of partitions to nodes on which they had been
   */
  public record Unrest(double swings, int returns) {}

  /** How much has gone to and fro, whatever is held because of it. */
  public Unrest unrest(StabilitySettings settings, Instant now) {
    List<Sized> changes = sizes.stream().filter(s -> within(s.at(), settings, now)).toList();
    int came = moved(settings, now).values().stream().mapToInt(Stability::returns).sum();
    return new Unrest(mostSwings(changes), came);
  }

  /** A reason to wait. */
  public record Held(String reason, String setting) {}

  private static boolean within(Instant at, StabilitySettings settings, Instant now) {
    return at.isAfter(now.minus(settings.window())) && !at.isAfter(now);
  }

  /** Full swings since the change since which there were the most. */
  private static double mostSwings(List<Sized> changes) {
    double most = 0;
    for (int from = 0; from < changes.size(); from++) {
      most = Math.max(most, swings(changes.subList(from, changes.size())));
    }
    return most;
  }

  /** Full swings of the number of nodes. */
  private static double swings(List<Sized> changes) {
    int variation = 0;
    int size = 0;
    int least = 0;
    int most = 0;
    for (Sized change : changes) {
      variation += Math.abs(change.by());
      size += change.by();
      least = Math.min(least, size);
      most = Math.max(most, size);
    }
    return most == least ? 0 : (variation - Math.abs(size)) / (2.0 * (most - least));
  }
}
