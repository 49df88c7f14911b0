package io.trimtab.experiments.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.trimtab.config.UserError;
import io.trimtab.config.WholeFile;
import io.trimtab.engineapi.plan.Counted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The runs of an experiment so far, in the file {@code runs.json} of its folder: hours of
 * measurement outlast a process that was stopped.
 *
 * @param <T> a run
 */
public final class KeptRuns<T> {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(new Jdk8Module())
          .enable(SerializationFeature.INDENT_OUTPUT);

  private final Path file;
  private final List<T> runs;
  private List<String> setting;

  /** What the file holds. */
  private record Kept<T>(List<String> setting, List<T> runs) {}

  private KeptRuns(Path file, Kept<T> kept) {
    this.file = file;
    this.setting = kept.setting();
    this.runs = new ArrayList<>(kept.runs());
  }

  private static Path file(Path folder) {
    return folder.resolve("runs.json");
  }

  /** What becomes of the runs that a folder holds. */
  public enum Start {
    /** There are none: hours of measurement are not replaced unless somebody says so. */
    NEW,
    /** They are kept, if there are any. */
    CONTINUE,
    /** The first run that is added replaces them. */
    AGAIN
  }

  /**
   * The runs to go on from.
   *
   * @param experiment its name
   * @throws UserError where the folder holds runs and nobody has said what becomes of them, and
   *     where its file can't be read
   */
  public static <T> KeptRuns<T> open(Path folder, Class<T> type, String experiment, Start start)
      throws IOException {
    Path file = file(folder);
    if (start == Start.AGAIN || !Files.exists(file)) {
      return new KeptRuns<>(file, new Kept<>(List.of(), List.of()));
    }
    KeptRuns<T> found = read(file, type, experiment);
    if (start == Start.NEW && !found.runs.isEmpty()) {
      throw new UserError(
          ("%s holds %s of %s: --continue keeps them and makes what is missing; --again"
                  + " replaces them; --out takes another folder")
              .formatted(folder, Counted.of(found.runs.size(), "run"), experiment));
    }
    return found;
  }

  private static <T> KeptRuns<T> read(Path file, Class<T> type, String experiment)
      throws IOException {
    JavaType kept = JSON.getTypeFactory().constructParametricType(Kept.class, type);
    try {
      Kept<T> found = JSON.readValue(Files.readString(file), kept);
      if (found == null || found.setting() == null || found.runs() == null) {
        throw new UserError(file + ": holds no runs of " + experiment);
      }
      return new KeptRuns<>(file, found);
    } catch (JsonProcessingException e) {
      throw new UserError(file + ": is not a file of runs: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Those to come are made so.
   *
   * @throws UserError where those so far were made in another way: they can't be compared
   */
  public void madeWith(List<String> now) {
    if (!runs.isEmpty() && !now.equals(setting)) {
      throw new UserError(
          ("--continue: %s was made with '%s', now it would be '%s'; --again begins anew, --out"
                  + " takes another folder")
              .formatted(file, missing(setting, now), missing(now, setting)));
    }
    setting = List.copyOf(now);
  }

  private static String missing(List<String> from, List<String> in) {
    return from.stream().filter(line -> !in.contains(line)).findFirst().orElse("");
  }

  /** How they were made. */
  public List<String> setting() {
    return setting;
  }

  /** In the order in which they were made. */
  public List<T> runs() {
    return List.copyOf(runs);
  }

  /** Forgets some, and returns how many. */
  public int forget(Predicate<T> which) {
    int before = runs.size();
    runs.removeIf(which);
    return before - runs.size();
  }

  /** Kept at once. */
  public void add(T run) throws IOException {
    runs.add(run);
    Files.createDirectories(file.getParent());
    String text = JSON.writeValueAsString(new Kept<>(setting, runs)) + "\n";
    WholeFile.replace(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
