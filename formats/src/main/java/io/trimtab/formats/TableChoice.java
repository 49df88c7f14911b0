package io.trimtab.formats;

import io.trimtab.config.UserError;
import io.trimtab.formats.ProvisioningFile.Row;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which of several provisioning tables of a workload an agreement is planned and kept by: for each
 * type of node the nearest that covers its data size, record size, locality and share of reads.
 */
public final class TableChoice {
  private TableChoice() {}

  private record Kind(String nodeType, TableProfile profile) {}

  /**
   * Reads tables without choosing: one for each kind of data that was measured with.
   *
   * @throws UserError if a file is invalid, or rows contradict each other
   */
  public static List<ProvisioningTable> all(List<Path> files) {
    Map<TableProfile, List<Cell>> tables = new LinkedHashMap<>();
    for (Row row : rows(files)) {
      tables.computeIfAbsent(row.profile(), p -> new ArrayList<>()).add(row.cell());
    }
    return tables.values().stream().map(cells -> ProvisioningFile.table(files, cells)).toList();
  }

  /**
   * Reads tables and chooses.
   *
   * @param agreement stands for the agreement in errors
   * @return the chosen tables of the agreement's workload
   * @throws UserError if a file is invalid, none is of the agreement's workload, none covers the
   *     agreement, or two equally well
   */
  public static ProvisioningTable of(Path agreement, Sla sla, List<Path> files) {
    List<Row> rows = rows(files);
    Map<Kind, List<Row>> tables = ofWorkload(sla, rows);
    if (tables.isEmpty()) {
      throw new UserError(
          "%s: workload %s was not measured; measured: %s"
              .formatted(agreement, sla.workload(), workloads(rows)));
    }
    List<Cell> chosen = new ArrayList<>();
    for (String nodeType : new TreeSet<>(tables.keySet().stream().map(Kind::nodeType).toList())) {
      nearest(agreement, tables, nodeType, sla)
          .ifPresent(kind -> chosen.addAll(cells(tables.get(kind), sla.profile())));
    }
    if (chosen.isEmpty()) {
      throw new UserError(
          "%s: no table of workload %s covers it: %s"
              .formatted(agreement, sla.workload(), why(tables, sla.profile())));
    }
    return ProvisioningFile.table(files, chosen);
  }

  /**
   * Why no table of a type of nodes covers an agreement.
   *
   * @return a clause for each table; empty if no table of the workload is of that type
   * @throws UserError if a file is invalid
   */
  public static Optional<String> whyNot(Sla sla, List<Path> files, String nodeType) {
    Map<Kind, List<Row>> tables = ofWorkload(sla, rows(files));
    tables.keySet().removeIf(kind -> !kind.nodeType().equals(nodeType));
    return tables.isEmpty() ? Optional.empty() : Optional.of(why(tables, sla.profile()));
  }

  private static List<Row> rows(List<Path> files) {
    return files.stream().flatMap(file -> ProvisioningFile.read(file).stream()).toList();
  }

  private static String workloads(List<Row> rows) {
    return rows.stream()
        .map(row -> row.cell().workload())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static Map<Kind, List<Row>> ofWorkload(Sla sla, List<Row> rows) {
    Map<Kind, List<Row>> tables = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.cell().workload().equals(sla.workload())) {
        Kind kind = new Kind(row.cell().nodeType(), row.profile());
        tables.computeIfAbsent(kind, k -> new ArrayList<>()).add(row);
      }
    }
    return tables;
  }

  /** Files come in no order that means anything: of several that are as near none is taken. */
  private static Optional<Kind> nearest(
      Path agreement, Map<Kind, List<Row>> tables, String nodeType, Sla sla) {
    SortedMap<Double, List<Kind>> byDistance = new TreeMap<>();
    for (Kind kind : tables.keySet()) {
      if (kind.nodeType().equals(nodeType) && kind.profile().misses(sla.profile()).isEmpty()) {
        double distance = kind.profile().distance(sla.profile());
        byDistance.computeIfAbsent(distance, d -> new ArrayList<>()).add(kind);
      }
    }
    if (byDistance.isEmpty()) {
      return Optional.empty();
    }
    List<Kind> nearest = byDistance.get(byDistance.firstKey());
    if (nearest.size() > 1) {
      throw new UserError(
          "%s: several tables of workload %s on %s nodes cover it equally well (%s); its dataSize,"
                  .formatted(agreement, sla.workload(), nodeType, files(tables, nearest))
              + " rowSize, locality and reads must tell which one to use");
    }
    return Optional.of(nearest.get(0));
  }

  private static String files(Map<Kind, List<Row>> tables, List<Kind> kinds) {
    return String.join(
        ", ",
        kinds.stream().map(kind -> tables.get(kind).get(0).file().toString()).distinct().toList());
  }

  /** As many of the agreement's records a second as there were of the table's. */
  private static List<Cell> cells(List<Row> rows, TableProfile agreed) {
    return rows.stream()
        .map(row -> row.cell().withThroughput(row.profile().throughputFactor(agreed)))
        .toList();
  }

  private static String why(Map<Kind, List<Row>> tables, TableProfile agreed) {
    return String.join(
        "; ",
        tables.entrySet().stream()
            .map(
                table ->
                    "%s (%s): %s"
                        .formatted(
                            table.getValue().get(0).file(),
                            table.getKey().nodeType(),
                            String.join(", ", table.getKey().profile().misses(agreed))))
            .toList());
  }
}
