package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import io.trimtab.engineapi.snapshot.Copies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Whose keyspaces there are, and how many copies they want. */
public final class Keyspaces {
  /** Where the controller keeps its lock. */
  public static final String CONTROL = "trimtab_control";

  /** In place of a data centre's name where copies may be in any. */
  static final String ANYWHERE = "";

  private Keyspaces() {}

  /** By name, not by prefix: users may call theirs {@code system_orders}. */
  private static final Set<String> OWN =
      Set.of(
          "system",
          "system_auth",
          // From 6.0 on.
          "system_cluster_metadata",
          "system_distributed",
          "system_schema",
          "system_traces",
          "system_views",
          "system_virtual_schema");

  /** Cassandra's own. */
  public static boolean isCassandras(String keyspace) {
    return OWN.contains(keyspace);
  }

  /** Neither Cassandra's own nor the controller's. */
  public static boolean isUsers(String keyspace) {
    return !isCassandras(keyspace) && !keyspace.equals(CONTROL);
  }

  /**
   * The replication settings of all keyspaces by name, Cassandra's own included; asked for, since
   * the driver's metadata leaves out every name that begins with {@code system_} or {@code dse_}.
   *
   * @throws DriverException if no node answers, or the user may not read them
   */
  static SortedMap<String, Map<String, String>> read(CqlSession session) {
    SortedMap<String, Map<String, String>> all = new TreeMap<>();
    for (Row row :
        session.execute("SELECT keyspace_name, replication FROM system_schema.keyspaces")) {
      Map<String, String> settings = row.getMap("replication", String.class, String.class);
      all.put(row.getString("keyspace_name"), settings == null ? Map.of() : settings);
    }
    return all;
  }

  /**
   * Every keyspace whose data are spread over the ring, or may be.
   *
   * @param all as from {@link #read}
   */
  static List<String> spread(SortedMap<String, Map<String, String>> all) {
    return all.entrySet().stream()
        .filter(k -> parse(k.getValue()).map(copies -> !copies.isEmpty()).orElse(true))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * How often users' data are kept.
   *
   * @param copies 1 without users' keyspaces
   * @param gaps a sentence for each keyspace whose settings can't be read, and is not counted
   */
  record Replication(Copies copies, List<String> gaps) {}

  /**
   * A sentence for each users' keyspace that has tables and whose number of copies is not known: it
   * would not be counted.
   *
   * @param tables as {@code keyspace.table}
   * @param all as from {@link #read}
   */
  static List<String> unknown(Collection<String> tables, Map<String, Map<String, String>> all) {
    return tables.stream()
        .map(table -> table.split("\\.", 2)[0])
        .filter(keyspace -> isUsers(keyspace) && !all.containsKey(keyspace))
        .distinct()
        .sorted()
        .map("keyspace %s: its number of copies is not known"::formatted)
        .toList();
  }

  /**
   * The copies of all users' keyspaces.
   *
   * @param all as from {@link #read}
   */
  static Replication replication(Map<String, Map<String, String>> all) {
    List<String> gaps = new ArrayList<>();
    SortedMap<String, Copies.Range> places = new TreeMap<>();
    int least = Integer.MAX_VALUE;
    for (Map.Entry<String, Map<String, String>> keyspace : all.entrySet()) {
      if (!isUsers(keyspace.getKey())) {
        continue;
      }
      Optional<Map<String, Integer>> copies = parse(keyspace.getValue());
      if (copies.isEmpty()) {
        gaps.add(
            "keyspace %s: its number of copies can't be read from %s"
                .formatted(keyspace.getKey(), new TreeMap<>(keyspace.getValue())));
        continue;
      }
      for (Map.Entry<String, Integer> in : copies.get().entrySet()) {
        places.merge(
            in.getKey(), new Copies.Range(in.getValue(), in.getValue()), Copies.Range::with);
        least = Math.min(least, in.getValue());
      }
    }
    Copies.Range anywhere = places.remove(ANYWHERE);
    int inAll = places.values().stream().mapToInt(Copies.Range::most).sum();
    int fewest = Math.max(1, Math.max(anywhere == null ? 0 : anywhere.most(), inAll));
    return new Replication(new Copies(Math.min(least, fewest), fewest, places), List.copyOf(gaps));
  }

  /**
   * How many nodes must stay, Cassandra's own keyspaces counted as well: a node does not leave
   * where any keyspace has more copies than nodes would be left, such as {@code system_distributed}
   * with its three. That of the controller is adapted before.
   *
   * @param users as from {@link #replication}
   * @param all as from {@link #read}
   * @param up nodes that are there: where there are fewer than copies, none of these leaves
   */
  static Copies staying(Copies users, Map<String, Map<String, String>> all, int up) {
    int fewest = users.fewestNodes();
    SortedMap<String, Copies.Range> places = new TreeMap<>(users.byDataCentre());
    for (Map.Entry<String, Map<String, String>> keyspace : all.entrySet()) {
      if (!isCassandras(keyspace.getKey())) {
        continue;
      }
      Map<String, Integer> copies = parse(keyspace.getValue()).orElse(Map.of());
      fewest = Math.max(fewest, Math.min(up, copies.getOrDefault(ANYWHERE, 0)));
      copies.forEach(
          (place, wanted) -> {
            if (!place.equals(ANYWHERE)) {
              // Also where users keep nothing: no node leaves there all the same.
              places.merge(
                  place,
                  new Copies.Range(wanted, wanted),
                  (data, own) -> new Copies.Range(data.least(), Math.max(data.most(), own.most())));
            }
          });
    }
    return new Copies(users.least(), fewest, places);
  }

  /**
   * Copies by data centre, without those that have none; {@link #ANYWHERE} for a strategy that
   * knows no data centres. No entries where no data are spread over the ring. Empty if the settings
   * can't be read.
   */
  static Optional<Map<String, Integer>> parse(Map<String, String> replication) {
    String named = replication.getOrDefault("class", "");
    String strategy = named.substring(named.lastIndexOf('.') + 1);
    // The second is that of the nodes which keep the log of cluster metadata (from 6.0 on).
    if (strategy.equals("LocalStrategy") || strategy.equals("MetaStrategy")) {
      return Optional.of(Map.of());
    }
    boolean simple = strategy.equals("SimpleStrategy");
    if (!simple && !strategy.equals("NetworkTopologyStrategy")) {
      return Optional.empty();
    }
    if (simple && !replication.containsKey("replication_factor")) {
      return Optional.empty();
    }
    Map<String, Integer> copies = new TreeMap<>();
    for (Map.Entry<String, String> entry : replication.entrySet()) {
      if (entry.getKey().equals("class")) {
        continue;
      }
      // Of "3/1", one of three copies is transient.
      String value = entry.getValue().strip();
      if (!value.matches("\\d{1,4}(/\\d{1,4})?")) {
        return Optional.empty();
      }
      int number = Integer.parseInt(value.split("/", 2)[0]);
      if (number > 0) {
        copies.put(simple ? ANYWHERE : entry.getKey(), number);
      }
    }
    return Optional.of(copies);
  }
}
