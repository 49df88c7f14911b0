package io.trimtab.simulator;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** How often each fault struck during which action, under which policy. */
public final class Coverage {
  private final Map<String, Map<String, Integer>> byFault = new TreeMap<>();

  /**
   * Counts a fault.
   *
   * @param during kind of the action in progress, with its policy
   */
  void count(FaultKind fault, String during) {
    byFault.computeIfAbsent(fault.toString(), f -> new TreeMap<>()).merge(during, 1, Integer::sum);
  }

  /** Adds what another one has counted. */
  public void add(Coverage other) {
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
    return text.toString();
  }
}
