package io.trimtab.formats;

import io.trimtab.config.Bytes;
import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads provisioning tables: CSV with the columns workload, nodeType, clients, nodes,
 * responseTimeMs, throughputMBps, and optionally p95Ms, p99Ms, samples, and what was measured with:
 * dataSize, rowSize, locality and reads. An empty optional cell means that the value is not known.
 */
public final class ProvisioningFile {
  private static final String NEEDED =
      "workload,nodeType,clients,nodes,responseTimeMs,throughputMBps";
  private static final List<String> MORE =
      List.of("p95Ms", "p99Ms", "samples", "dataSize", "rowSize", "locality", "reads");

  /** A row of a file. */
  record Row(Path file, Cell cell, TableProfile profile) {}

  private ProvisioningFile() {}

  /**
   * Rows of some files as one table.
   *
   * @throws UserError naming the files if rows contradict each other
   */
  static ProvisioningTable table(List<Path> files, List<Cell> cells) {
    try {
      return new ProvisioningTable(cells);
    } catch (IllegalArgumentException e) {
      throw new UserError(
          String.join(", ", files.stream().map(Path::toString).toList()) + ": " + e.getMessage(),
          e);
    }
  }

  /** The rows of a file that is being measured; none if it does not exist yet. */
  public static List<Cell> rows(Path file) {
    return Files.exists(file) ? read(file).stream().map(Row::cell).toList() : List.of();
  }

  /**
   * Appends a row durably, with the columns of the file; creates the file, with all columns, if it
   * does not exist.
   *
   * @param profile what was measured with
   * @throws UserError also if the file's header is not that of a provisioning table
   */
  public static void append(Path file, Cell cell, TableProfile profile) {
    String all = NEEDED + "," + String.join(",", MORE);
    try {
      if (!Files.exists(file)) {
        String text = all + "\n" + row(cell, profile, MORE);
        Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
        return;
      }
      List<String> columns;
      try (BufferedReader lines = Files.newBufferedReader(file)) {
        columns = columns(file, lines.readLine());
      }
      String row = row(cell, profile, columns.subList(NEEDED.split(",").length, columns.size()));
      Files.writeString(file, row, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
    } catch (IOException e) {
      throw new UserError(file + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  private static String row(Cell cell, TableProfile profile, List<String> more) {
    StringBuilder row = new StringBuilder();
    row.append(
        String.format(
            Locale.ROOT,
            "%s,%s,%d,%d,%.3f,%.4f",
            cell.workload(),
            cell.nodeType(),
            cell.clients(),
            cell.nodes(),
            cell.responseTimeMs(),
            cell.throughputMBps()));
    for (String column : more) {
      row.append(',');
      switch (column) {
        case "p95Ms" -> row.append(measured(cell.p95Ms()));
        case "p99Ms" -> row.append(measured(cell.p99Ms()));
        case "samples" -> row.append(cell.samples());
        case "dataSize" -> row.append(told(profile.dataSize()));
        case "rowSize" -> row.append(told(profile.rowSize()));
        case "reads" -> row.append(told(profile.reads()));
        default -> row.append(profile.locality() == null ? "" : profile.locality().key());
      }
    }
    return row.append('\n').toString();
  }

  private static String told(Object value) {
    return value == null ? "" : value.toString();
  }

  private static String measured(double ms) {
    return Double.isNaN(ms) ? "" : String.format(Locale.ROOT, "%.3f", ms);
  }

  /** The names of the columns, in their order. */
  private static List<String> columns(Path file, String header) {
    if (header == null) {
      throw new UserError(file + ": is empty");
    }
    String text = header.replaceAll("\\s", "");
    List<String> names = List.of(text.split(","));
    List<String> more = MORE.stream().filter(names::contains).toList();
    String expected = more.isEmpty() ? NEEDED : NEEDED + "," + String.join(",", more);
    if (!text.equals(expected)) {
      throw new UserError(
          "%s:1: the header must be %s[,%s], not %s"
              .formatted(file, NEEDED, String.join("][,", MORE), header));
    }
    return names;
  }

  /** All rows, in their order. */
  static List<Row> read(Path file) {
    List<Row> rows = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      List<String> names = columns(file, lines.readLine());
      int number = 1;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          rows.add(row(file, file + ":" + number, names, line.split(",", -1)));
        }
      }
      if (number == 1) {
        throw new UserError(file + ": has no rows");
      }
      return rows;
    } catch (NoSuchFileException e) {
      throw new UserError(file + ": no such file", e);
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  private static Row row(Path file, String where, List<String> names, String[] cells) {
    if (cells.length != names.size()) {
      throw new UserError(where + ": " + names.size() + " cells are needed, not " + cells.length);
    }
    try {
      return new Row(file, cell(names, cells), profile(names, cells));
    } catch (IllegalArgumentException e) {
      throw new UserError(where + ": " + e.getMessage(), e);
    }
  }

  private static Cell cell(List<String> names, String[] cells) {
    String samples = optional(names, cells, "samples");
    return new Cell(
        cells[0].strip(),
        cells[1].strip(),
        integer("clients", cells[2]),
        integer("nodes", cells[3]),
        number("responseTimeMs", cells[4]),
        number("throughputMBps", cells[5]),
        percentile(names, cells, "p95Ms"),
        percentile(names, cells, "p99Ms"),
        samples == null ? 1 : integer("samples", samples));
  }

  private static TableProfile profile(List<String> names, String[] cells) {
    String reads = optional(names, cells, "reads");
    return new TableProfile(
        size(names, cells, "dataSize"),
        size(names, cells, "rowSize"),
        Optional.ofNullable(optional(names, cells, "locality"))
            .map(text -> Sla.Locality.of(text.strip()))
            .orElse(null),
        reads == null ? null : (Double) number("reads", reads));
  }

  private static Bytes size(List<String> names, String[] cells, String name) {
    String cell = optional(names, cells, name);
    try {
      return cell == null ? null : Bytes.parse(cell);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  private static double percentile(List<String> names, String[] cells, String name) {
    String cell = optional(names, cells, name);
    return cell == null ? Double.NaN : number(name, cell);
  }

  private static String optional(List<String> names, String[] cells, String name) {
    int at = names.indexOf(name);
    return at < 0 || cells[at].isBlank() ? null : cells[at];
  }

  private static int integer(String name, String cell) {
    try {
      return Integer.parseInt(cell.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          name + " must be a whole number, not '" + cell.strip() + "'", e);
    }
  }

  private static double number(String name, String cell) {
    try {
      return Double.parseDouble(cell.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " must be a number, not '" + cell.strip() + "'", e);
    }
  }
}
