package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import java.util.List;
import java.util.Map;

/** Whose keyspaces there are, and how many copies they want. */
final class Keyspaces {
  /** Where the controller keeps its lock. */
  static final String CONTROL = "trimtab_control";

  private Keyspaces() {}

  /** Neither Cassandra's own nor the controller's. */
  static boolean isUsers(String keyspace) {
    return !keyspace.startsWith("system") && !keyspace.equals(CONTROL);
  }

  static List<KeyspaceMetadata> users(CqlSession session) {
    return session.getMetadata().getKeyspaces().values().stream()
        .filter(k -> isUsers(k.getName().asInternal()))
        .toList();
  }

  /** Every keyspace whose data are spread over the ring. */
  static List<String> spread(CqlSession session) {
    return session.getMetadata().getKeyspaces().values().stream()
        .filter(k -> copies(k.getReplication()) > 0)
        .map(k -> k.getName().asInternal())
        .sorted()
        .toList();
  }

  /** Copies over all data centres; 0 where each node has its own. */
  static int copies(Map<String, String> replication) {
    int copies = 0;
    for (Map.Entry<String, String> entry : replication.entrySet()) {
      String value = entry.getValue().split("/", 2)[0].strip();
      if (!entry.getKey().equals("class") && value.matches("\\d{1,4}")) {
        copies += Integer.parseInt(value);
      }
    }
    return copies;
  }

  /** The most copies that any user's keyspace wants; 1 where there is none. */
  static int replication(CqlSession session) {
    return users(session).stream()
        .mapToInt(k -> Math.max(1, copies(k.getReplication())))
        .max()
        .orElse(1);
  }
}
