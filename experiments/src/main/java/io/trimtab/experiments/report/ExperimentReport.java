package io.trimtab.experiments.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A Markdown report and the raw results next to it. */
public final class ExperimentReport {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(new Jdk8Module())
          .enable(SerializationFeature.INDENT_OUTPUT);

  private final Path folder;
  private final StringBuilder text = new StringBuilder();

  public ExperimentReport(Path folder, String title) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder);
    text.append("# ").append(title).append("\n");
  }

  Path folder() {
    return folder;
  }

  public ExperimentReport heading(String title) {
    text.append("\n## ").append(title).append("\n");
    return this;
  }

  public ExperimentReport paragraph(String paragraph) {
    text.append("\n").append(paragraph.strip()).append("\n");
    return this;
  }

  public ExperimentReport list(List<String> items) {
    text.append("\n");
    items.forEach(item -> text.append("- ").append(item).append("\n"));
    return this;
  }

  /** An item of the setting: what usages in a report were computed from. */
  public static String usageFrom(Collection<NodeUsage> usages) {
    return "usage: CPU user + system + I/O wait, as shares of what a node may use; I/O wait from "
        + WaitSource.phrase(usages);
  }

  public ExperimentReport table(List<String> header, List<List<String>> rows) {
    text.append("\n| ").append(String.join(" | ", header)).append(" |\n|");
    header.forEach(column -> text.append("---|"));
    text.append("\n");
    for (List<String> row : rows) {
      text.append("| ").append(String.join(" | ", row)).append(" |\n");
    }
    return this;
  }

  public ExperimentReport picture(String title, String file) {
    text.append("\n![").append(title).append("](").append(file).append(")\n");
    return this;
  }

  /** Every run's numbers, so that a reader can compute the tables again. */
  public ExperimentReport raw(String file, Object samples) throws IOException {
    Files.writeString(folder.resolve(file), JSON.writeValueAsString(samples) + "\n");
    return this;
  }

  public Path write() throws IOException {
    Path file = folder.resolve("README.md");
    Files.writeString(file, text);
    return file;
  }

  /** The columns of a table, from the cells. */
  public static List<String> row(Object... cells) {
    var row = new ArrayList<String>();
    for (Object cell : cells) {
      row.add(String.valueOf(cell));
    }
    return row;
  }
}
