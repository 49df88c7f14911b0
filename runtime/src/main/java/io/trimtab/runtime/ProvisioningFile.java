package io.trimtab.runtime;

import io.trimtab.config.UserError;
import io.trimtab.models.ProvisioningTable;
import io.trimtab.models.ProvisioningTable.Cell;
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
 * responseTimeMs, throughputMBps, and perhaps p99Ms and samples. An empty cell of the last two was
 * not measured.
 */
public final class ProvisioningFile {
  private static final String NEEDED =
      "workload,nodeType,clients,nodes,responseTimeMs,throughputMBps";
  private static final List<String> HEADERS =
      List.of(NEEDED, NEEDED + ",p99Ms", NEEDED + ",samples", NEEDED + ",p99Ms,samples");

  private ProvisioningFile() {}

  /**
   * All files together as one table.
   *
   * @throws UserError with file and line where something is wrong
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

  /** The rows of a file that grows; none where there is no such file yet. */
  public static List<Cell> rows(Path file) {
    List<Cell> cells = new ArrayList<>();
    if (Files.exists(file)) {
      read(file, cells);
    }
    return cells;
  }

  /**
   * Puts a row at a file's end, for good, with p99 and number of samples; makes the file where
   * there is none.
   *
   * @throws UserError also where the file's header is another one
   */
  public static void append(Path file, Cell cell) {
    String all = HEADERS.get(HEADERS.size() - 1);
    String p99 = Double.isNaN(cell.p99Ms()) ? "" : String.format(Locale.ROOT, "%.3f", cell.p99Ms());
    String row =
        String.format(
            Locale.ROOT,
            "%s,%s,%d,%d,%.3f,%.4f,%s,%d%n",
            cell.workload(),
            cell.nodeType(),
            cell.clients(),
            cell.nodes(),
            cell.responseTimeMs(),
            cell.throughputMBps(),
            p99,
            cell.samples());
    try {
      if (!Files.exists(file)) {
        Files.writeString(file, all + "\n" + row, StandardOpenOption.CREATE_NEW);
        return;
      }
      try (BufferedReader lines = Files.newBufferedReader(file)) {
        if (!String.valueOf(lines.readLine()).replaceAll("\\s", "").equals(all)) {
          throw new UserError(file + ":1: rows are added only where the header is " + all);
        }
      }
      Files.writeString(file, row, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
    } catch (IOException e) {
      throw new UserError(file + ": can't be written: " + e.getMessage(), e);
    }
  }

  private static void read(Path file, List<Cell> into) {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String header = lines.readLine();
      if (header == null) {
        throw new UserError(file + ": is empty");
      }
      String columns = header.replaceAll("\\s", "");
      if (!HEADERS.contains(columns)) {
        throw new UserError(
            file + ":1: the header must be " + NEEDED + "[,p99Ms][,samples], not " + header);
      }
      List<String> names = List.of(columns.split(","));
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
          whole("clients", cells[2]),
          whole("nodes", cells[3]),
          number("responseTimeMs", cells[4]),
          number("throughputMBps", cells[5]),
          optional(names, cells, "p99Ms") == null
              ? Double.NaN
              : number("p99Ms", optional(names, cells, "p99Ms")),
          optional(names, cells, "samples") == null
              ? 1
              : whole("samples", optional(names, cells, "samples")));
    } catch (IllegalArgumentException e) {
      throw new UserError(where + ": " + e.getMessage(), e);
    }
  }

  private static String optional(List<String> names, String[] cells, String name) {
    int at = names.indexOf(name);
    return at < 0 || cells[at].isBlank() ? null : cells[at];
  }

  private static int whole(String name, String cell) {
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
