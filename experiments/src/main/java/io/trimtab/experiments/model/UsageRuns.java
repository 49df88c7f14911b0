package io.trimtab.experiments.model;

import io.trimtab.config.UserError;
import io.trimtab.experiments.Order;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.formats.ModelFile;
import io.trimtab.models.usage.UsageModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The runs of E8 or E8RING, each kept as it ends; all are of one model. */
public final class UsageRuns {
  private final Order order;
  private final KeptRuns<UsageRun> kept;
  private String ordinary = "";

  private UsageRuns(Order order, KeptRuns<UsageRun> kept) {
    this.order = order;
    this.kept = kept;
  }

  /**
   * Those to go on from.
   *
   * @param experiment its name
   * @throws UserError where the folder holds runs and nobody has said what becomes of them, and
   *     where they can't be read
   */
  public static UsageRuns open(String experiment, Order order) throws IOException {
    return new UsageRuns(
        order, KeptRuns.open(order.folder(), UsageRun.class, experiment, order.start()));
  }

  Order order() {
    return order;
  }

  private Path file() {
    return order.folder().resolve("model.json");
  }

  /**
   * The model that was given, or that the runs so far are of; empty if it is to be built.
   *
   * @throws UserError where it can't be read
   */
  public Optional<UsageModel> model() {
    boolean own = order.start() == KeptRuns.Start.CONTINUE && Files.exists(file());
    Optional<Path> there = own ? Optional.of(file()) : Optional.empty();
    return order.model().or(() -> there).map(ModelFile::read);
  }

  /**
   * With which runs are made from now on.
   *
   * @param asked what ordinary load asks for, with a preposition
   * @throws UserError where those so far were made with another one, or after another time of
   *     ordinary load
   */
  void madeWith(UsageModel model, String asked) throws IOException {
    boolean same = Files.exists(file()) && ModelFile.read(file()).equals(model);
    if (!kept.runs().isEmpty() && !same) {
      throw new UserError(
          ("--continue: the runs in %s are of the model in its model.json, now it would be another;"
                  + " --again begins anew, --out takes another folder")
              .formatted(order.folder()));
    }
    ordinary = asked;
    kept.madeWith(
        List.of(
            "%d minutes of ordinary load %s, seed %d for the first run"
                .formatted(order.learn().toMinutes(), asked, order.seed())));
    Files.createDirectories(order.folder());
    ModelFile.write(file(), model);
  }

  /** Numbers of the runs that are to be made, from 1. */
  List<Integer> missing() {
    return IntStream.rangeClosed(1, order.runs())
        .filter(run -> kept.runs().stream().noneMatch(made -> made.run() == run))
        .boxed()
        .toList();
  }

  void add(UsageRun run) throws IOException {
    kept.add(run);
  }

  /** Those that are asked for and made, by their numbers. */
  List<UsageRun> made() {
    return kept.runs().stream()
        .filter(run -> run.run() <= order.runs())
        .sorted(Comparator.comparingInt(UsageRun::run))
        .toList();
  }

  /** All loads of these. */
  List<UsageOutcome> outcomes() {
    List<UsageOutcome> all = new ArrayList<>();
    made().forEach(run -> all.addAll(run.outcomes()));
    return all;
  }

  /** Items of the report's setting. */
  List<String> setting() {
    return List.of(
        ("learned costs: before the loads of each run %d minutes of ordinary load, of which every"
                + " %d minutes other shares are asked for %s, at 15 to 75 %% usage by the built"
                + " model; a look every %d s, by the record that a controller keeps; I/O wait from"
                + " %s")
            .formatted(
                order.learn().toMinutes(),
                OrdinaryLoad.STRETCH.toMinutes(),
                ordinary,
                OrdinaryLoad.PERIOD.toSeconds(),
                String.join(
                    "; ", made().stream().map(run -> run.lesson().waits()).distinct().toList())),
        "learned costs would not be used from a standard deviation of 10 points on",
        "%d of %d runs are made".formatted(made().size(), order.runs()));
  }
}
