package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.trimtab.engineapi.NodeId;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much of the heap a node's memtables may take, from its own table of settings: no bean tells.
 * It is what the node was started with, so it is requested once. Thread-safe.
 */
final class MemtableSpace {
  private static final Logger LOG = LoggerFactory.getLogger(MemtableSpace.class);

  /** What Cassandra takes where nothing is set. */
  private static final double UNSET_SHARE = 0.25;

  private static final String SETTING = "memtable_heap_space";

  /** The same in Cassandra 4.0, whose settings have units in their names. */
  private static final String IN_MEBIBYTES = "memtable_heap_space_in_mb";

  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*(|B|KiB|MiB|GiB)");

  private record Known(long startedAtMs, long bytes) {}

  private final CqlSession session;
  private final Map<NodeId, Known> known = new ConcurrentHashMap<>();

  /** Nodes of which it was told that they could not be asked. */
  private final Set<NodeId> told = ConcurrentHashMap.newKeySet();

  MemtableSpace(CqlSession session) {
    this.session = session;
  }

  /** Forgets nodes that are gone. */
  void keep(Collection<NodeId> present) {
    known.keySet().retainAll(present);
    told.retainAll(present);
  }

  /** In bytes; −1 if the node does not report it. */
  long bytes(Member member, long startedAtMs, long heapMaxBytes) {
    Known before = known.get(member.id());
    if (before != null && before.startedAtMs() == startedAtMs) {
      return before.bytes();
    }
    Node node = session.getMetadata().getNodes().get(member.hostId());
    if (node == null) {
      return -1;
    }
    long bytes;
    try {
      bytes = ask(node, heapMaxBytes);
    } catch (DriverException e) {
      // Also where the user may not read it: a profile is then not known, and never changed.
      if (told.add(member.id())) {
        LOG.warn(
            "the profile of node {} is not known, since its settings can't be read: {}",
            member.id(),
            CassandraErrors.line(e));
      }
      return -1;
    }
    known.put(member.id(), new Known(startedAtMs, bytes));
    return bytes;
  }

  private long ask(Node node, long heapMaxBytes) {
    Row row = setting(node, SETTING);
    if (row != null) {
      return parse(row.getString("value"), heapMaxBytes);
    }
    Row number = setting(node, IN_MEBIBYTES);
    if (number == null) {
      return -1;
    }
    String mebibytes = number.getString("value");
    return parse(mebibytes == null ? null : mebibytes + "MiB", heapMaxBytes);
  }

  private Row setting(Node node, String name) {
    String question = "SELECT value FROM system_views.settings WHERE name = '" + name + "'";
    return session.execute(SimpleStatement.newInstance(question).setNode(node)).one();
  }

  static long parse(String value, long heapMaxBytes) {
    if (value == null || value.equals("null") || value.isBlank()) {
      return (long) (UNSET_SHARE * heapMaxBytes);
    }
    Matcher size = SIZE.matcher(value.strip());
    if (!size.matches()) {
      return -1;
    }
    int shift =
        switch (size.group(2)) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          default -> 0;
        };
    return Long.parseLong(size.group(1)) << shift;
  }
}
