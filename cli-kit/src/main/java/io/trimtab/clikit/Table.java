package io.trimtab.clikit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of text under a header, in columns as wide as their widest cell. */
public final class Table {
  private static final String GAP = "  ";

  private final boolean[] numeric;
  private final List<String[]> rows = new ArrayList<>();

  /** A header that begins with {@code >} belongs to a right-aligned column of numbers. */
  public Table(String... header) {
    numeric = new boolean[header.length];
    String[] names = new String[header.length];
    for (int i = 0; i < header.length; i++) {
      numeric[i] = header[i].startsWith(">");
      names[i] = numeric[i] ? header[i].substring(1) : header[i];
    }
    rows.add(names);
  }

  public Table row(Object... cells) {
    if (cells.length != numeric.length) {
      throw new IllegalArgumentException(
          "a row needs " + numeric.length + " cells, not " + cells.length);
    }
    rows.add(Arrays.stream(cells).map(String::valueOf).toArray(String[]::new));
    return this;
  }

  @Override
  public String toString() {
    int[] widths = new int[numeric.length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        String padding = " ".repeat(widths[i] - row[i].length());
        line.append(i == 0 ? "" : GAP).append(numeric[i] ? padding + row[i] : row[i] + padding);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
