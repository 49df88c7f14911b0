package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.trimtab.cassandra.cql.SchemaChange;
import io.trimtab.cassandra.versions.CassandraVersions;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.host.InCharge;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replication of the controllers' own keyspace: {@value #COPIES} copies in each data centre, or
 * as many as it has nodes.
 *
 * <p>Its rows are the lock, so a change must not let two controllers hold it. A change adds or
 * removes one copy at a time, because then every majority before it shares a replica with every
 * majority after it, and before each change all replicas are made equal by reading all rows at ALL.
 */
public final class ControlKeyspace {
  private static final Logger LOG = LoggerFactory.getLogger(ControlKeyspace.class);

  static final int COPIES = 3;
  private static final List<String> TABLES = List.of("control", "state");
  private static final String SIMPLE = "SimpleStrategy";
  private static final String NETWORK = "NetworkTopologyStrategy";
  private static final String FACTOR = "replication_factor";

  private final CqlSession session;
  private final String cluster;
  private String toldLast = "";

  /**
   * @param cluster for messages
   */
  ControlKeyspace(CqlSession session, String cluster) {
    this.session = session;
    this.cluster = cluster;
  }

  /** A cluster has a name, which others may have too; so its first controller gives it a number. */
  static String clusterId(CqlSession session) {
    // Where users are granted rights on it, the keyspace is made before its tables are.
    if (session
        .getMetadata()
        .getKeyspace(Keyspaces.CONTROL)
        .flatMap(k -> k.getTable("control"))
        .isPresent()) {
      Row row =
          session
              .execute("SELECT value FROM " + Keyspaces.CONTROL + ".control WHERE name = 'cluster'")
              .one();
      if (row != null) {
        return row.getString("value");
      }
    }
    String name = session.execute("SELECT cluster_name FROM system.local").one().getString(0);
    UUID first =
        session.getMetadata().getNodes().keySet().stream().sorted().findFirst().orElseThrow();
    return name.replaceAll("[^A-Za-z0-9_-]", "-") + "-" + first;
  }

  /**
   * Where copies can be.
   *
   * @param nodes by data centre
   * @param oneRack whether all nodes are in one rack of one data centre: both strategies then
   *     choose the same nodes
   */
  record Places(Map<String, Integer> nodes, boolean oneRack) {
    Places {
      nodes = new TreeMap<>(nodes);
    }

    static Places of(Collection<Node> nodes) {
      Map<String, Integer> counted = new TreeMap<>();
      Set<String> racks = new HashSet<>();
      for (Node node : nodes) {
        if (node.getDatacenter() != null) {
          counted.merge(node.getDatacenter(), 1, Integer::sum);
          racks.add(node.getDatacenter() + "/" + node.getRack());
        }
      }
      return new Places(counted, racks.size() == 1);
    }

    int copies(String dataCentre) {
      return Math.min(COPIES, nodes.getOrDefault(dataCentre, 0));
    }

    int all() {
      return nodes.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /** The replication with which the keyspace is created. */
  static Map<String, String> wanted(Places places) {
    Map<String, String> copies = new TreeMap<>();
    places.nodes().keySet().forEach(dc -> copies.put(dc, Integer.toString(places.copies(dc))));
    copies.put("class", NETWORK);
    return copies;
  }

  /**
   * The next change; empty if none is needed, or known to be safe. More copies than {@value
   * #COPIES} are an operator's choice, and are lowered only if there are fewer nodes.
   *
   * <p>With several racks or data centres SimpleStrategy stays: NetworkTopologyStrategy could
   * choose nodes that have none of the rows.
   */
  static Optional<Map<String, String>> next(Map<String, String> now, Places places) {
    String strategy = now.getOrDefault("class", "");
    Map<String, Integer> copies = Keyspaces.parse(now).orElse(Map.of());
    if (copies.isEmpty() || places.nodes().isEmpty()) {
      return Optional.empty();
    }
    if (strategy.endsWith(SIMPLE)) {
      int factor = copies.get(Keyspaces.ANYWHERE);
      if (places.oneRack()) {
        String dataCentre = places.nodes().keySet().iterator().next();
        return Optional.of(Map.of("class", NETWORK, dataCentre, Integer.toString(factor)));
      }
      return step(factor, Math.min(COPIES, places.all()), places.all())
          .map(f -> Map.of("class", SIMPLE, FACTOR, f.toString()));
    }
    for (String dataCentre : places.nodes().keySet()) {
      Optional<Integer> step =
          step(
              copies.getOrDefault(dataCentre, 0),
              places.copies(dataCentre),
              places.nodes().get(dataCentre));
      if (step.isPresent()) {
        Map<String, String> next = new TreeMap<>(now);
        next.put("class", NETWORK);
        next.put(dataCentre, step.get().toString());
        return Optional.of(next);
      }
    }
    return Optional.empty();
  }

  private static Optional<Integer> step(int have, int want, int nodes) {
    return have < want
        ? Optional.of(have + 1)
        : have > nodes ? Optional.of(have - 1) : Optional.empty();
  }

  /** The value of a keyspace's property {@code replication}, in CQL. */
  static String cql(Map<String, String> replication) {
    return new TreeMap<>(replication)
        .entrySet().stream()
            .map(e -> quoted(e.getKey()) + ": " + quoted(e.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private Optional<KeyspaceMetadata> keyspace() {
    return session.getMetadata().getKeyspace(Keyspaces.CONTROL);
  }

  private Places places() {
    return Places.of(session.getMetadata().getNodes().values());
  }

  /** The statement that makes the keyspace, with copies as these nodes can keep them. */
  public static String creation(Collection<Node> nodes) {
    return "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = %s"
        .formatted(Keyspaces.CONTROL, cql(wanted(Places.of(nodes))));
  }

  /**
   * Creates it with its tables where there are none.
   *
   * @throws IllegalStateException if there are none while the ring is upgraded
   */
  void create() {
    if (keyspace()
        .filter(k -> TABLES.stream().allMatch(t -> k.getTable(t).isPresent()))
        .isPresent()) {
      return;
    }
    requireOneRelease();
    if (keyspace().isEmpty()) {
      SchemaChange.run(session, creation(session.getMetadata().getNodes().values()));
    }
    SchemaChange.run(
        session,
        "CREATE TABLE IF NOT EXISTS %s.control (name text PRIMARY KEY, value text)"
            .formatted(Keyspaces.CONTROL));
    SchemaChange.run(session, CqlControl.table().formatted(Keyspaces.CONTROL));
    // Another contender may have created them a moment ago, so that nothing was done and waited
    // for.
    if (!session.checkSchemaAgreement()) {
      throw new SchemaChange.PendingException();
    }
  }

  /** Nodes of two releases may not agree on a schema any more. */
  private void requireOneRelease() {
    CassandraVersions.of(session.getMetadata().getNodes().values())
        .hindrance()
        .ifPresent(
            why -> {
              throw new IllegalStateException(why);
            });
  }

  /**
   * Adapts the replication to the ring; only the holder of the lock may call this.
   *
   * @throws LostControlException if control is lost meanwhile: a step may take a minute
   */
  void adapt(InCharge control) throws LostControlException {
    adapt(places(), control);
  }

  /**
   * Before a live node leaves: Cassandra lets no node go if fewer than copies would be left; as
   * {@link #adapt}.
   */
  void adaptTo(InCharge control, Collection<Node> staying) throws LostControlException {
    adapt(Places.of(staying), control);
  }

  /** As far as it is safe now; the next call continues. */
  private void adapt(Places places, InCharge control) throws LostControlException {
    Map<String, String> now = keyspace().map(KeyspaceMetadata::getReplication).orElse(Map.of());
    try {
      Optional<Map<String, String>> next = next(now, places);
      boolean changed = next.isPresent();
      while (next.isPresent()) {
        requireOneRelease();
        // A node that missed the last step would not count with those of the next one.
        SchemaChange.requireAgreement(session);
        repair();
        control.require();
        SchemaChange.run(
            session,
            "ALTER KEYSPACE %s WITH replication = %s"
                .formatted(Keyspaces.CONTROL, cql(next.get())));
        LOG.info(
            "{}: the replication of keyspace {} was {} and is {} now",
            cluster,
            Keyspaces.CONTROL,
            cql(now),
            cql(next.get()));
        now = next.get();
        next = next(now, places);
      }
      if (changed) {
        repair();
      }
    } catch (RuntimeException e) {
      // The lock works with the copies that it has.
      tell(
          "%s: the replication of keyspace %s stays %s for now: %s"
              .formatted(cluster, Keyspaces.CONTROL, cql(now), CassandraErrors.line(e)));
    }
  }

  private synchronized void tell(String text) {
    if (!text.equals(toldLast)) {
      LOG.warn("{}", text);
      toldLast = text;
    }
  }

  /** Reading all rows from all replicas gives each the newest. */
  private void repair() {
    for (String table : TABLES) {
      session
          .execute(
              SimpleStatement.builder("SELECT * FROM %s.%s".formatted(Keyspaces.CONTROL, table))
                  .setConsistencyLevel(DefaultConsistencyLevel.ALL)
                  .build())
          .forEach(row -> {});
    }
  }
}
