package io.trimtab.simulator;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** How often each fault struck during which action, under which policy. */
public final class Coverage {
  private final Map<String, Map<String, Integer>> byFault = new TreeMap<>();

  /** Actions that were begun, by kind and policy. */
  private final Map<String, Integer> begun = new TreeMap<>();

  private final Map<String, Integer> outcomes = new TreeMap<>();

  /**
   * Counts a fault.
   *
   * @param during kind of the action in progress, with its policy
   */
  void count(FaultKind fault, String during) {
    byFault.computeIfAbsent(fault.toString(), f -> new TreeMap<>()).merge(during, 1, Integer::sum);
  }

  void began(String kind, String policy) {
    begun.merge(kind + ", " + policy, 1, Integer::sum);
  }

  void ended(String outcome) {
    outcomes.merge(outcome, 1, Integer::sum);
  }

  /** How often a fault has struck. */
  int of(FaultKind fault) {
    return byFault.getOrDefault(fault.toString(), Map.of()).values().stream()
        .mapToInt(n -> n)
        .sum();
  }

  /** How many actions of a kind were begun, under whichever policy. */
  int ofKind(String kind) {
    return begun.entrySet().stream()
        .filter(e -> e.getKey().startsWith(kind + ", "))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** How many actions were begun under a policy. */
  int ofPolicy(String policy) {
    return begun.entrySet().stream()
        .filter(e -> e.getKey().endsWith(", " + policy))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** How many plans have ended so. */
  int ofOutcome(String outcome) {
    return outcomes.getOrDefault(outcome, 0);
  }

  /** Adds what another one has counted. */
  public void add(Coverage other) {
    other.begun.forEach((what, n) -> begun.merge(what, n, Integer::sum));
    other.outcomes.forEach((how, n) -> outcomes.merge(how, n, Integer::sum));
    other.byFault.forEach(
        (fault, counts) ->
            counts.forEach(
                (during, n) ->
                    byFault
                        .computeIfAbsent(fault, f -> new TreeMap<>())
                        .merge(during, n, Integer::sum)));
  }

  /** A table: a line for each action in progress and policy, a column for each fault. */
  public String table() {
    TreeSet<String> rows = new TreeSet<>();
    byFault.values().forEach(counts -> rows.addAll(counts.keySet()));
    StringBuilder text = new StringBuilder("%-32s".formatted("during, policy"));
    for (FaultKind fault : FaultKind.values()) {
      text.append("%15s".formatted(fault));
    }
    for (String row : rows) {
      text.append('\n').append("%-32s".formatted(row));
      for (FaultKind fault : FaultKind.values()) {
        int n = byFault.getOrDefault(fault.toString(), Map.of()).getOrDefault(row, 0);
        text.append("%15s".formatted(n == 0 ? "-" : Integer.toString(n)));
      }
    }
    text.append("\nactions begun: ").append(list(begun));
    return text.append("\nplans ended: ").append(list(outcomes)).toString();
  }

  private static String list(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .map(e -> e.getKey() + " " + e.getValue())
        .collect(Collectors.joining("; "));
  }
}
