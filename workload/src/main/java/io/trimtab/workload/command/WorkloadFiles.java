package io.trimtab.workload.command;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.workload.Sample;
import io.trimtab.workload.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A run's results for other programs. Latencies are in microseconds, as the columns say. */
final class WorkloadFiles {
  private static final String HEADER =
      "second,tenant,operations,errors,retries,wrong,lost,p50Micros,p95Micros,p99Micros,maxMicros";

  private final Path folder;

  WorkloadFiles(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes the folder before a run, so that one of hours does not end without a place for its
   * results.
   *
   * @throws UserError if nothing can be written there
   */
  void prepare() {
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, "series", ".tmp"));
    } catch (IOException e) {
      throw notWritten(e);
    }
  }

  private UserError notWritten(IOException e) {
    return new UserError(folder + ": can't be written: " + FileProblem.of(e), e);
  }

  void write(List<Sample> samples, List<Summary> summaries) {
    StringBuilder csv = new StringBuilder(HEADER).append('\n');
    for (Sample s : samples) {
      csv.append(s.second())
          .append(',')
          .append(s.tenant())
          .append(',')
          .append(s.operations())
          .append(',')
          .append(s.errors())
          .append(',')
          .append(s.retries())
          .append(',')
          .append(s.wrong())
          .append(',')
          .append(s.lost())
          .append(',')
          .append(s.p50Micros())
          .append(',')
          .append(s.p95Micros())
          .append(',')
          .append(s.p99Micros())
          .append(',')
          .append(s.maxMicros())
          .append('\n');
    }
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("series.csv"), csv);
      Files.writeString(folder.resolve("series.json"), JsonOutput.text(samples) + "\n");
      Files.writeString(folder.resolve("summary.json"), JsonOutput.text(summaries) + "\n");
    } catch (IOException e) {
      throw notWritten(e);
    }
  }
}
