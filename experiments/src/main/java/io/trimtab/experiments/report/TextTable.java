package io.trimtab.experiments.report;

import java.util.ArrayList;
import java.util.List;

/** A table for the terminal: first column left, the others right. */
public final class TextTable {
  private TextTable() {}

  public static String of(List<String> header, List<List<String>> rows) {
    var all = new ArrayList<List<String>>();
    all.add(header);
    all.addAll(rows);
    int columns = header.size();
    int[] width = new int[columns];
    for (List<String> row : all) {
      for (int i = 0; i < columns; i++) {
        width[i] = Math.max(width[i], row.get(i).length());
      }
    }
    var text = new StringBuilder();
    for (List<String> row : all) {
      for (int i = 0; i < columns; i++) {
        String cell = row.get(i);
        String pad = " ".repeat(width[i] - cell.length());
        text.append(i == 0 ? cell + pad : "   " + pad + cell);
      }
      text.append('\n');
    }
    return text.toString().stripTrailing();
  }
}
