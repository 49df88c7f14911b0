package io.trimtab.controller.maintenance;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether work beside serving is a reason to wait. As load it is counted already: the usage that is
 * measured on a node has it in it. What has lasted for as long as is looked ahead is waited for no
 * more: it may as well be always there.
 *
 * @param nodes that do such work
 * @param since when it began; empty if there is none
 * @param longest it is waited for, from then on
 */
public record Waiting(List<Busy> nodes, Optional<Instant> since, Instant now, Duration longest) {
  /** Nodes that are named; of the others the number is told. */
  private static final int NAMED = 3;

  /** Of work on any node, whichever: what goes from node to node is one work. */
  public static Waiting ofAny(BusyNodes busy, Instant now, Duration longest) {
    return new Waiting(busy.nodes(), busy.since(), now, longest);
  }

  /** Of work on all of some nodes; of none where one of them is free. */
  public static Waiting ofAll(
      Collection<NodeId> some, BusyNodes busy, Instant now, Duration longest) {
    List<Busy> those = busy.nodes().stream().filter(b -> some.contains(b.node())).toList();
    return those.size() < some.size()
        ? new Waiting(List.of(), Optional.empty(), now, longest)
        : new Waiting(those, those.stream().map(Busy::since).reduce(Busy::earlier), now, longest);
  }

  /** What is waited for, a clause; empty if nothing is. */
  public Optional<String> what() {
    return since.filter(begun -> now.isBefore(begun.plus(longest))).map(begun -> text());
  }

  /** When the waiting ends and when the work began, to follow a clause; only where there is any. */
  public String until() {
    Instant begun = since.orElseThrow();
    return "until %s at the latest (busy since %s)"
        .formatted(seconds(begun.plus(longest)), seconds(begun));
  }

  /**
   * What is not waited for although it goes on, a clause; empty if there is nothing.
   *
   * @param waits whether it is waited for as long as it is not too long
   */
  public Optional<String> ignored(boolean waits) {
    return waits && what().isPresent()
        ? Optional.empty()
        : since.map(begun -> "not waited for: " + text() + " since " + seconds(begun));
  }

  private String text() {
    String named =
        nodes.stream()
            .limit(NAMED)
            .map(busy -> busy.node() + " is busy with " + String.join(" and ", busy.work()))
            .collect(Collectors.joining(", "));
    int others = nodes.size() - NAMED;
    return others > 0
        ? named + (others == 1 ? ", as is " : ", as are ") + Counted.of(others, "node")
        : named;
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }
}
