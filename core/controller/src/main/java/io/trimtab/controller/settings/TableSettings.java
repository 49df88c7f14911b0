package io.trimtab.controller.settings;

import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * Which tables plans may move, split, merge, compact or configure. The others still count as load
 * of the nodes that they are on. A table has its name in the engine: HBase {@code table} or {@code
 * namespace:table}, Cassandra {@code keyspace.table}. In a pattern {@code *} stands for any
 * characters, also none, and {@code ?} for one; all others for themselves.
 *
 * @param allow patterns of the tables that may be changed; default {@code *}: all. An empty list
 *     allows none
 * @param deny patterns of the tables that may not, even if they are allowed; default none
 */
public record TableSettings(List<String> allow, List<String> deny) {
  public TableSettings {
    allow = allow == null ? List.of("*") : patterns("tables.allow", allow);
    deny = deny == null ? List.of() : patterns("tables.deny", deny);
  }

  private static List<String> patterns(String key, List<String> patterns) {
    for (String pattern : patterns) {
      // A blank one would match no table, and look as if it excluded or allowed something.
      SettingCheck.that(
          pattern != null && !pattern.isBlank() && pattern.equals(pattern.strip()),
          key,
          "a list of names or patterns without blanks around them",
          "\"" + pattern + "\"");
    }
    return List.copyOf(patterns);
  }

  /**
   * Why plans leave a table alone.
   *
   * @param reason words that stand after "its table " or "which "
   * @param setting the key that would change this; empty where none would
   */
  public record Kept(String reason, String setting) {}

  /**
   * Why plans leave a table alone: the engine can do nothing to it, or an operator excludes it.
   * Empty if they need not.
   */
  public Optional<Kept> keeps(ClusterSnapshot snapshot, String table) {
    String fixed = snapshot.fixedTables().get(table);
    return fixed != null
        ? Optional.of(new Kept("stays as it is: " + fixed, ""))
        : forbids(table).map(setting -> new Kept("is excluded", setting));
  }

  /** The key that forbids changes of a table; empty if they are allowed. */
  public Optional<String> forbids(String table) {
    if (deny.stream().anyMatch(pattern -> matches(pattern, table))) {
      return Optional.of("tables.deny");
    }
    return allow.stream().anyMatch(pattern -> matches(pattern, table))
        ? Optional.empty()
        : Optional.of("tables.allow");
  }

  /** Without a regular expression: its time would explode with the number of stars. */
  private static boolean matches(String pattern, String name) {
    int star = -1;
    int resume = 0;
    int p = 0;
    int n = 0;
    while (n < name.length()) {
      char expected = p < pattern.length() ? pattern.charAt(p) : 0;
      if (expected == '*') {
        star = p++;
        resume = n;
      } else if (p < pattern.length() && (expected == '?' || expected == name.charAt(n))) {
        p++;
        n++;
      } else if (star >= 0) {
        // The last star takes one character more.
        p = star + 1;
        n = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
