package io.trimtab.cassandra.maintenance;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.openmbean.CompositeData;

/**
 * What a Cassandra node does beside serving, from the lists of its compactions and streams and the
 * number of its repairs. Named by Cassandra's own words for kinds of work; a kind that is not known
 * here does not count.
 */
public final class NodeWork {
  /** Where a node lists what it compacts, as {@code nodetool compactionstats} does. */
  public static final String COMPACTIONS = "org.apache.cassandra.db:type=CompactionManager";

  /**
   * Where a node counts the repairs that it takes part in, from the first message of each to its
   * end: also between validations and streams, in which nothing is listed.
   */
  public static final String REPAIRS = "org.apache.cassandra.db:type=RepairService";

  /** The operation of that bean; older versions of Cassandra have none. */
  public static final String REPAIRS_COUNT = "parentRepairSessionsCount";

  private static final String REPAIR = "repair";

  /**
   * Kinds of compactions ({@code OperationType}) that were asked for; all others come with writes.
   * Cassandra 4.0 and 4.1 call a major compaction like any other, so that there it is not seen.
   */
  private static final Map<String, String> COMPACTED =
      Map.ofEntries(
          Map.entry("Validation", REPAIR),
          Map.entry("Anticompaction after repair", REPAIR),
          Map.entry("Cleanup", "cleanup"),
          Map.entry("Scrub", "scrub"),
          Map.entry("Verify", "verification of its files"),
          Map.entry("Upgrade sstables", "upgrade of its files"),
          Map.entry("Relocate sstables to correct disk", "relocation of its files"),
          Map.entry("Major compaction", "major compaction"),
          Map.entry("Remove deleted data", "removal of deleted data"),
          Map.entry("Garbage collect removed data", "removal of deleted data"),
          Map.entry("Secondary index build", "building of an index"),
          Map.entry("View build", "building of a view"));

  /** Kinds of streams ({@code StreamOperation}) that leave the ring as it is. */
  private static final Map<String, String> STREAMED =
      Map.of(
          "Repair", REPAIR,
          "Rebuild", "rebuild",
          "Restore replica count", "copying of lost replicas",
          "Bulk Load", "bulk load");

  private NodeWork() {}

  /**
   * Each kind once, sorted.
   *
   * @param compactions as {@link #COMPACTIONS} lists them: maps with a {@code taskType}
   * @param streams as the node's StreamManager lists them: with a {@code description}
   * @param repairs that it takes part in; 0 if it does not tell
   */
  public static List<String> of(Collection<?> compactions, Collection<?> streams, long repairs) {
    Stream<String> compacted = compactions.stream().map(NodeWork::type).flatMap(Stream::ofNullable);
    Stream<String> streamed =
        streams.stream().map(NodeWork::description).flatMap(Stream::ofNullable);
    Stream<String> repaired = repairs > 0 ? Stream.of(REPAIR) : Stream.empty();
    return Stream.of(compacted, streamed, repaired)
        .flatMap(each -> each)
        .distinct()
        .sorted()
        .toList();
  }

  private static String type(Object compaction) {
    return compaction instanceof Map<?, ?> told
        ? COMPACTED.get(String.valueOf(told.get("taskType")))
        : null;
  }

  private static String description(Object stream) {
    return stream instanceof CompositeData data && data.containsKey("description")
        ? STREAMED.get(String.valueOf(data.get("description")))
        : null;
  }
}
