package io.trimtab.experiments.rivals;

import io.trimtab.runtime.journal.NodeUsages;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.journal.PredictionLedger.PredictionResult;
import io.trimtab.runtime.ports.StateDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a controller leaves of a run, beside the run's own data: its journal, what it has recorded
 * of the load, what its decisions have weighed, and what it predicted against what was measured.
 */
final class RawState {
  private RawState() {}

  /**
   * Keeps it in a folder of its own, in place of what an earlier try has left there.
   *
   * @param decisions a text each
   */
  static void keep(Path folder, StateDir state, List<String> decisions) throws IOException {
    clear(folder);
    Files.createDirectories(folder);
    Files.write(
        folder.resolve("decisions.txt"),
        decisions.stream().flatMap(String::lines).map(String::stripTrailing).toList());
    Files.write(
        folder.resolve("ledger.csv"), ledger(PredictionLedger.of(state.journals().acted())));
    if (Files.isDirectory(state.folder())) {
      copy(state.folder(), folder);
    }
  }

  private static void clear(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Journals and records, not what tells processes from each other. */
  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".jsonl") || name.endsWith(".json")) {
          Path target = to.resolve(from.relativize(file).toString());
          Files.createDirectories(target.getParent());
          Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /** A line for each plan and node that was predicted. */
  static List<String> ledger(List<PredictionResult> plans) {
    List<String> lines = new ArrayList<>();
    lines.add("at,plan,from,node,predicted,measured");
    for (PredictionResult plan : plans) {
      for (NodeUsages.Line node : plan.nodes().lines()) {
        lines.add(
            String.join(
                ",",
                plan.at().toString(),
                plan.planId(),
                plan.from().toString(),
                node.node(),
                number(node.predicted()),
                number(node.measured())));
      }
    }
    return lines;
  }

  /** Empty for what is not known. */
  private static String number(double usage) {
    return Double.isNaN(usage) ? "" : Double.toString(usage);
  }
}
