package io.trimtab.hbase.pages;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The regions' counters in a RegionServer's bean {@code sub=Regions}, whose attributes are named
 * {@code Namespace_<ns>_table_<table>_region_<encoded name>_metric_<metric>}.
 *
 * <p>Seen on 2.6.4: {@code getCount} counts every Get, also those in a batch; {@code scanCount}
 * counts calls to scanners, so a long scan counts once per call; {@code readRequestCount} counts
 * rows that Gets, scans and increments read; {@code putCount} counts a batch once, so that rows
 * written are only in {@code writeRequestCount}, deletes, increments and appends included.
 */
public final class RegionBeans {
  private static final String REGION = "_region_";
  private static final String METRIC = "_metric_";

  private final Map<String, Map<String, Long>> byRegion = new HashMap<>();

  public RegionBeans(JsonNode bean) {
    bean.properties()
        .forEach(
            attribute -> {
              String name = attribute.getKey();
              // A table may have these words in its name, an encoded region name can't.
              int metric = name.lastIndexOf(METRIC);
              int region = name.lastIndexOf(REGION, metric);
              if (metric > 0 && region > 0 && attribute.getValue().isNumber()) {
                String encoded = name.substring(region + REGION.length(), metric);
                byRegion
                    .computeIfAbsent(encoded, e -> new HashMap<>())
                    .put(name.substring(metric + METRIC.length()), attribute.getValue().asLong());
              }
            });
  }

  /** Empty for a region that the server does not serve, or not yet lists. */
  public Optional<PartitionCounters> counters(String encodedName) {
    return Optional.ofNullable(byRegion.get(encodedName)).map(RegionBeans::counters);
  }

  private static PartitionCounters counters(Map<String, Long> metrics) {
    long gets = count(metrics, "getCount");
    // Increments and appends read the row that they change.
    long changes = count(metrics, "incrementCount") + count(metrics, "appendCount");
    long scanCalls = count(metrics, "scanCount");
    // A region that is reopened on its server keeps its read requests and loses the other counts.
    // What it read before stays in the number of rows, since only differences are used: left out
    // until the first scan, it would then look like rows of that scan.
    long rows = count(metrics, "readRequestCount") - gets - changes;
    return new PartitionCounters(
        gets, scanCalls, Math.max(0, rows), count(metrics, "writeRequestCount"));
  }

  /** Bytes in store files, up to 45 s old; 0 where the server has not measured it yet. */
  public long sizeBytes(String encodedName) {
    return count(byRegion.getOrDefault(encodedName, Map.of()), "storeFileSize");
  }

  /** HBase lists a counter when it first counts. */
  private static long count(Map<String, Long> metrics, String name) {
    return metrics.getOrDefault(name, 0L);
  }
}
