package io.trimtab.experiments.latency;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The runs of E12 so far, in a file: hours of measurement outlast a process that was stopped. */
final class RankingRuns {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path file;
  private final List<RankingResult> runs;
  private List<String> setting;

  /** What the file holds. */
  private record Kept(List<String> setting, List<RankingResult> runs) {}

  private RankingRuns(Path folder, Kept kept) {
    this.file = folder.resolve("runs.json");
    this.setting = kept.setting();
    this.runs = new ArrayList<>(kept.runs());
  }

  static RankingRuns none(Path folder) {
    return new RankingRuns(folder, new Kept(List.of(), List.of()));
  }

  /**
   * Those that a folder holds.
   *
   * @throws UserError where it holds none
   */
  static RankingRuns read(Path folder) throws IOException {
    Path file = folder.resolve("runs.json");
    try {
      Kept kept = JSON.readValue(Files.readString(file), Kept.class);
      if (kept.setting() == null || kept.runs() == null) {
        throw new UserError(file + ": holds no runs of E12");
      }
      return new RankingRuns(folder, kept);
    } catch (NoSuchFileException e) {
      throw new UserError("--continue: " + file + " is missing; nothing is there to continue");
    } catch (JsonProcessingException e) {
      throw new UserError(file + ": is not a file of runs: " + e.getOriginalMessage());
    }
  }

  /**
   * Those to come are made so.
   *
   * @throws UserError where those so far were made in another way: they can't be compared
   */
  void madeWith(List<String> now) {
    if (!runs.isEmpty() && !now.equals(setting)) {
      String one =
          now.stream().filter(line -> !setting.contains(line)).findFirst().orElse("fewer settings");
      throw new UserError("--continue: %s: its runs were not made with: %s".formatted(file, one));
    }
    setting = List.copyOf(now);
  }

  /**
   * Forgets a load's runs of another machine, unless all are there: they can't be compared with
   * those that are still to be made.
   *
   * @param upTo how many runs there shall be of each ordering
   * @return how many were forgotten
   */
  int madeOn(String machine, String load, int upTo) {
    int before = runs.size();
    if (missing(load, upTo) > 0) {
      runs.removeIf(run -> run.load().equals(load) && !run.machine().equals(machine));
    }
    return before - runs.size();
  }

  /** Where and when a load's runs were made. */
  String origin(String load) {
    return runs.stream()
        .filter(run -> run.load().equals(load))
        .map(run -> run.day() + ", " + run.machine())
        .distinct()
        .sorted()
        .collect(Collectors.joining("; "));
  }

  /** Kept at once. */
  void add(RankingResult result) throws IOException {
    runs.add(result);
    Files.createDirectories(file.getParent());
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(next, JSON.writeValueAsString(new Kept(setting, runs)) + "\n");
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  boolean has(String load, Ordering ordering, int run) {
    return of(load, ordering).stream().anyMatch(r -> r.run() == run);
  }

  /** How many of the runs up to a number are not made yet. */
  int missing(String load, int upTo) {
    int missing = 0;
    for (Ordering ordering : Ordering.values()) {
      for (int run = 1; run <= upTo; run++) {
        missing += has(load, ordering, run) ? 0 : 1;
      }
    }
    return missing;
  }

  List<RankingResult> of(String load, Ordering ordering) {
    return runs.stream()
        .filter(r -> r.load().equals(load) && r.ordering().equals(ordering.toString()))
        .toList();
  }

  /** When they were made, in order. */
  List<String> days() {
    return runs.stream().map(RankingResult::day).distinct().sorted().toList();
  }
}
