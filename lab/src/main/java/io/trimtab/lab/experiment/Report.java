package io.trimtab.lab.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Markdown report and the raw results beside it. */
final class Report {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path folder;
  private final StringBuilder text = new StringBuilder();

  Report(Path folder, String title) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder);
    text.append("# ").append(title).append("\n");
  }

  Path folder() {
    return folder;
  }

  Report heading(String title) {
    text.append("\n## ").append(title).append("\n");
    return this;
  }

  Report paragraph(String paragraph) {
    text.append("\n").append(paragraph.strip()).append("\n");
    return this;
  }

  Report list(List<String> items) {
    text.append("\n");
    items.forEach(item -> text.append("- ").append(item).append("\n"));
    return this;
  }

  Report table(List<String> header, List<List<String>> rows) {
    text.append("\n| ").append(String.join(" | ", header)).append(" |\n|");
    header.forEach(column -> text.append("---|"));
    text.append("\n");
    for (List<String> row : rows) {
      text.append("| ").append(String.join(" | ", row)).append(" |\n");
    }
    return this;
  }

  Report picture(String title, String file) {
    text.append("\n![").append(title).append("](").append(file).append(")\n");
    return this;
  }

  /** Every run's numbers, so that a reader can compute the tables again. */
  Report raw(String file, Object samples) throws IOException {
    Files.writeString(folder.resolve(file), JSON.writeValueAsString(samples) + "\n");
    return this;
  }

  Path write() throws IOException {
    Path file = folder.resolve("README.md");
    Files.writeString(file, text);
    return file;
  }

  /** The columns of a table, from the cells. */
  static List<String> row(Object... cells) {
    var row = new ArrayList<String>();
    for (Object cell : cells) {
      row.add(String.valueOf(cell));
    }
    return row;
  }
}
