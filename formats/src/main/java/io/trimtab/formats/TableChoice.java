package io.trimtab.formats;

import io.trimtab.config.UserError;
import io.trimtab.formats.ProvisioningFile.Row;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Which of several provisioning tables of a workload an agreement is planned and kept by: for each
 * type of node the nearest that covers its data size, record size, locality and share of reads.
 */
public final class TableChoice {
  private TableChoice() {}

  private record Kind(String nodeType, TableProfile profile) {}

  /**
   * Reads tables and chooses.
   *
   * @param agreement stands for the agreement in errors
   * @return the chosen tables of the agreement's workload; all, if none is of that workload
   * @throws UserError if a file is invalid, or none covers the agreement
   */
  public static ProvisioningTable of(Path agreement, Sla sla, List<Path> files) {
    Map<Kind, List<Row>> tables = new LinkedHashMap<>();
    for (Path file : files) {
      for (Row row : ProvisioningFile.read(file)) {
        if (row.cell().workload().equals(sla.workload())) {
          Kind kind = new Kind(row.cell().nodeType(), row.profile());
          tables.computeIfAbsent(kind, k -> new ArrayList<>()).add(row);
        }
      }
    }
    if (tables.isEmpty()) {
      return ProvisioningFile.read(files);
    }
    List<Cell> chosen = new ArrayList<>();
    for (String nodeType : new TreeSet<>(tables.keySet().stream().map(Kind::nodeType).toList())) {
      nearest(tables, nodeType, sla.profile())
          .ifPresent(kind -> chosen.addAll(cells(tables.get(kind), sla.profile())));
    }
    if (chosen.isEmpty()) {
      throw new UserError(
          "%s: no table of workload %s covers it: %s"
              .formatted(agreement, sla.workload(), why(tables, sla.profile())));
    }
    return ProvisioningFile.table(files, chosen);
  }

  private static Optional<Kind> nearest(
      Map<Kind, List<Row>> tables, String nodeType, TableProfile agreed) {
    return tables.keySet().stream()
        .filter(kind -> kind.nodeType().equals(nodeType))
        .filter(kind -> kind.profile().misses(agreed).isEmpty())
        .min(Comparator.comparingDouble(kind -> kind.profile().distance(agreed)));
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
