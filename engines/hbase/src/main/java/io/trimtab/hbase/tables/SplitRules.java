package io.trimtab.hbase.tables;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Which tables may be split where their requests halve. HBase takes any key that it is told, though
 * a table's split policy may be there to keep rows together.
 *
 * @param policy class that decides where a table has none of its own
 * @param restriction type of the restriction where a table has none of its own
 */
public record SplitRules(String policy, String restriction) {
  private static final String POLICY = "hbase.regionserver.region.split.policy";
  private static final String RESTRICTION = "hbase.regionserver.region.split_restriction.type";
  private static final String NO_RESTRICTION = "None";
  private static final String HBASES = "org.apache.hadoop.hbase.regionserver.";
  private static final String HBASES_DEFAULT = HBASES + "SteppingSplitPolicy";

  /** They decide when a region is split, and leave open where. */
  private static final Set<String> ANYWHERE =
      Set.of(
          HBASES_DEFAULT,
          HBASES + "ConstantSizeRegionSplitPolicy",
          HBASES + "IncreasingToUpperBoundRegionSplitPolicy",
          HBASES + "BusyRegionSplitPolicy",
          "io.trimtab.hbaseplugin.LoadSplitPolicy");

  /**
   * Those of a cluster.
   *
   * @param settings the master's
   */
  public static SplitRules of(Map<String, String> settings) {
    return new SplitRules(
        settings.getOrDefault(POLICY, HBASES_DEFAULT),
        settings.getOrDefault(RESTRICTION, NO_RESTRICTION));
  }

  /** Why a table must not be split at a key of its requests; empty if it may be. */
  public Optional<String> refusal(TableDescriptor table) {
    if (!table.isSplitEnabled()) {
      return Optional.of("the table has splitting disabled (SPLIT_ENABLED)");
    }
    String byTable =
        Objects.requireNonNullElse(
            table.getRegionSplitPolicyClassName(), valueOf(table, POLICY, policy));
    if (!ANYWHERE.contains(byTable)) {
      return Optional.of(
          "the table's split policy, "
              + byTable
              + ", may keep rows together that a split would separate");
    }
    String kept = valueOf(table, RESTRICTION, restriction);
    return kept.equalsIgnoreCase(NO_RESTRICTION)
        ? Optional.empty()
        : Optional.of(
            "the table's split restriction, "
                + kept
                + ", keeps rows together that a split would separate");
  }

  private static String valueOf(TableDescriptor table, String key, String otherwise) {
    return Objects.requireNonNullElse(table.getValue(key), otherwise);
  }
}
