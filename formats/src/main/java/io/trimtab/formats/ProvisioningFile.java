package io.trimtab.formats;

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

/**
 * Reads provisioning tables: CSV with the columns workload, nodeType, clients, nodes,
 * responseTimeMs, throughputMBps, and optionally p95Ms, p99Ms and samples. An empty cell of the
 * last three means that the value was not measured.
 */
public final class ProvisioningFile {
  private static final String NEEDED =
      "workload,nodeType,clients,nodes,responseTimeMs,throughputMBps";
  private static final List<String> MORE = List.of("p95Ms", "p99Ms", "samples");

  private ProvisioningFile() {}

  /**
   * Reads all files as one table.
   *
   * @throws UserError with file and line of an error
   */
  public static ProvisioningTable read(List<Path> files) {
    List<Cell> cells = new ArrayList<>();
    for (Path file : files) {
      read(file, cells);
    }
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
    List<Cell> cells = new ArrayList<>();
    if (Files.exists(file)) {
      read(file, cells);
    }
    return cells;
  }

  /**
   * Appends a row durably, with the columns of the file; creates the file, with all columns, if it
   * does not exist.
   *
   * @throws UserError also if the file's header is not that of a provisioning table
   */
  public static void append(Path file, Cell cell) {
    String all = NEEDED + "," + String.join(",", MORE);
    try {
      if (!Files.exists(file)) {
        String text = all + "\n" + row(cell, MORE);
        Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
        return;
      }
      List<String> columns;
      try (BufferedReader lines = Files.newBufferedReader(file)) {
        columns = columns(file, lines.readLine());
      }
      String row = row(cell, columns.subList(NEEDED.split(",").length, columns.size()));
      Files.writeString(file, row, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
    } catch (IOException e) {
      throw new UserError(file + ": can't be written: " + e.getMessage(), e);
    }
  }

  private static String row(Cell cell, List<String> more) {
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
        default -> row.append(cell.samples());
      }
    }
    return row.append('\n').toString();
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
          file + ":1: the header must be " + NEEDED + "[,p95Ms][,p99Ms][,samples], not " + header);
    }
    return names;
  }

  private static void read(Path file, List<Cell> into) {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      List<String> names = columns(file, lines.readLine());
      int number = 1;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          into.add(cell(file + ":" + number, names, line.split(",", -1)));
        }
      }
      if (number == 1) {
        throw new UserError(file + ": has no rows");
      }
    } catch (NoSuchFileException e) {
      throw new UserError(file + ": no such file", e);
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + e.getMessage(), e);
    }
  }

  private static Cell cell(String where, List<String> names, String[] cells) {
    if (cells.length != names.size()) {
      throw new UserError(where + ": " + names.size() + " cells are needed, not " + cells.length);
    }
    try {
      return new Cell(
          cells[0].strip(),
          cells[1].strip(),
          integer("clients", cells[2]),
          integer("nodes", cells[3]),
          number("responseTimeMs", cells[4]),
          number("throughputMBps", cells[5]),
          percentile(names, cells, "p95Ms"),
          percentile(names, cells, "p99Ms"),
          optional(names, cells, "samples") == null
              ? 1
              : integer("samples", optional(names, cells, "samples")));
    } catch (IllegalArgumentException e) {
      throw new UserError(where + ": " + e.getMessage(), e);
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
