package io.trimtab.cli.usage;

import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.models.cache.AccessHistogram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads block access histograms: CSV with the columns count[, multiplicity[, bytes]]. */
final class HistogramFile {
  private static final String STDIN = "-";
  private static final List<String> HEADERS =
      List.of("count", "count,multiplicity", "count,multiplicity,bytes");

  private HistogramFile() {}

  /** Adds a file's rows, a line at a time. */
  static void read(String name, AccessHistogram.Builder into) {
    try (InputStream in = name.equals(STDIN) ? System.in : Files.newInputStream(Path.of(name));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      String header = lines.readLine();
      if (header == null) {
        throw new UserError(name + ": is empty");
      }
      String columns = header.replaceAll("\\s", "");
      if (!HEADERS.contains(columns)) {
        throw new UserError(
            name
                + ":1: the header must be one of "
                + String.join("; ", HEADERS)
                + ", not "
                + header);
      }
      int width = columns.split(",").length;
      String line;
      int number = 1;
      while ((line = lines.readLine()) != null) {
        number++;
        if (!line.isBlank()) {
          row(name + ":" + number, line, width, into);
        }
      }
      if (number == 1) {
        throw new UserError(name + ": has no rows");
      }
    } catch (NoSuchFileException e) {
      throw new UserError(name + ": no such file", e);
    } catch (IOException e) {
      throw new UserError(name + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  private static void row(String where, String line, int width, AccessHistogram.Builder into) {
    String[] cells = line.split(",", -1);
    if (cells.length != width) {
      throw new UserError(where + ": " + width + " numbers are needed, not " + cells.length);
    }
    try {
      double count = number(where, cells[0]);
      double blocks = width > 1 ? number(where, cells[1]) : 1;
      if (width == 3) {
        into.add(count, blocks, number(where, cells[2]));
      } else {
        into.add(count, blocks);
      }
    } catch (IllegalArgumentException e) {
      throw new UserError(where + ": " + e.getMessage(), e);
    }
  }

  private static double number(String where, String cell) {
    try {
      return Double.parseDouble(cell.strip());
    } catch (NumberFormatException e) {
      throw new UserError(where + ": not a number: " + cell.strip(), e);
    }
  }
}
