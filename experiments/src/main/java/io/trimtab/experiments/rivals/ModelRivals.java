package io.trimtab.experiments.rivals;

import io.trimtab.config.UserError;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.experiments.Order;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.simulator.days.PhasedResult;
import io.trimtab.simulator.days.PhasedRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * RIVALSIM: the bed of RIVALS on the cluster in memory, where a run takes seconds. A computation by
 * an approximate queueing model; no evidence of what real clusters do.
 */
public final class ModelRivals {
  /** Nobody, and policies: HBase's balancers are not modelled. */
  private static final List<Rival> MODELLED =
      Rival.on(false).stream().filter(rival -> !rival.balances()).toList();

  /** The first phase is the start, with which the others are compared. */
  private static final int PLACED = 1;

  private final Console console;
  private final Order order;
  private final List<Rival> wanted;
  private final TestbedSettings scale = TestbedSettings.standard();

  /** One run. */
  record Made(String rival, long seed, PhasedResult result) {
    private Map<String, Double> start() {
      return result.phases().get(0).perSecond();
    }

    /** How many times the start's level. */
    private double gain(Map<String, Double> perSecond) {
      return PhasedResult.level(perSecond) / PhasedResult.level(start());
    }

    /** Least share of its start that a tenant has whose load is that of the start. */
    private Map.Entry<String, Double> worst(int phase, Map<String, Double> perSecond) {
      return start().entrySet().stream()
          .filter(its -> !Load.other(phase).contains(its.getKey()))
          .map(its -> Map.entry(its.getKey(), perSecond.get(its.getKey()) / its.getValue()))
          .min(Map.Entry.comparingByValue())
          .orElseThrow();
    }
  }

  /**
   * @throws UserError where one of the order's rivals is not modelled
   */
  public ModelRivals(Console console, Order order) {
    this.console = console;
    this.order = order;
    this.wanted =
        order.rivals().isEmpty()
            ? MODELLED
            : order.rivals().stream().map(ModelRivals::modelled).toList();
  }

  private static Rival modelled(String name) {
    return MODELLED.stream()
        .filter(rival -> rival.key().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UserError(
                    "--rival must be one of %s for RIVALSIM, not '%s'"
                        .formatted(
                            MODELLED.stream().map(Rival::key).collect(Collectors.joining(", ")),
                            name)));
  }

  /** Makes all runs. */
  public Path run() throws IOException, EngineException {
    List<Made> all = new ArrayList<>();
    for (long seed = order.seed(); seed < order.seed() + order.runs(); seed++) {
      for (Rival rival : wanted) {
        Optional<Settings> settings =
            rival.policy().map(policy -> RivalSettings.of(scale.nodes()).with(policy));
        PhasedResult result = PhasedRun.run(ModelBed.of(scale, seed), seed, settings, Rivals.LEVEL);
        Made made = new Made(rival.key(), seed, result);
        all.add(made);
        console.step(String.join(", ", cells(made)));
      }
    }
    return write(all);
  }

  private Path write(List<Made> all) throws IOException {
    ExperimentReport report =
        new ExperimentReport(order.folder(), "RIVALSIM: the bed of RIVALS, modelled");
    report
        .paragraph(
            "Made by `./trimtab lab run RIVALSIM --seeds %d --seed %d`."
                .formatted(order.runs(), order.seed()))
        .paragraph(
            "**A model, not a measurement**: a cluster in memory whose tenants' throughput follows"
                + " from approximate mean value analysis. It is for comparing versions of a policy"
                + " before RIVALS is run, which is the evidence.")
        .heading("Runs")
        .paragraph(
            "Levels are geometric means over the six tenants of their operations per second, as"
                + " times of the start's. Worst: the tenant with the least share of its own start,"
                + " of those with the load of then. After the first plan: until the next one;"
                + " otherwise the last %d s of each load. Moves, and other actions."
                    .formatted(Rivals.LEVEL.toSeconds()))
        .table(header(all), all.stream().map(ModelRivals::cells).toList())
        .heading("All seeds")
        .paragraph(
            "Geometric means over the seeds, with the range; the worst tenant of any seed, and the"
                + " mean of each seed's worst.")
        .table(summaryHeader(all), summaries(all))
        .heading("Setting")
        .list(
            List.of(
                "Trimtab " + SystemPorts.ports().version(),
                "tenants, starts, loads and policies' settings are those of RIVALS; "
                    + Load.describe(scale),
                "not modelled: HBase's balancers, copies of a write's log on other nodes' CPUs,"
                    + " collections of garbage, and files that grow"))
        .raw("results.json", all);
    return report.write();
  }

  private static List<String> summaryHeader(List<Made> all) {
    List<String> header = new ArrayList<>(List.of("rival", "after the first plan", "worst"));
    List<PhasedResult.Phase> phases = all.get(0).result().phases();
    for (PhasedResult.Phase phase : phases.subList(PLACED, phases.size())) {
      header.addAll(List.of(phase.title(), "worst"));
    }
    header.add("moves + others");
    return header;
  }

  private static List<String> header(List<Made> all) {
    List<String> header =
        new ArrayList<>(List.of("rival", "seed", "start, ops/s", "after the first plan"));
    List<PhasedResult.Phase> phases = all.get(0).result().phases();
    phases.subList(PLACED, phases.size()).forEach(phase -> header.add(phase.title()));
    return header;
  }

  private static List<String> cells(Made made) {
    List<String> cells = new ArrayList<>();
    cells.add(made.rival());
    cells.add(Long.toString(made.seed()));
    cells.add(String.format(Locale.ROOT, "%.0f", PhasedResult.level(made.start())));
    Map<String, Double> first = made.result().afterFirstPlan();
    cells.add(first.isEmpty() ? "–" : text(made, PLACED, first));
    List<PhasedResult.Phase> phases = made.result().phases();
    for (int i = PLACED; i < phases.size(); i++) {
      PhasedResult.Phase phase = phases.get(i);
      cells.add(
          "%s; %d + %d".formatted(text(made, i, phase.perSecond()), phase.moves(), phase.others()));
    }
    return cells;
  }

  private static String text(Made made, int phase, Map<String, Double> perSecond) {
    Map.Entry<String, Double> worst = made.worst(phase, perSecond);
    return String.format(
        Locale.ROOT, "%.2f (%s %.2f)", made.gain(perSecond), worst.getKey(), worst.getValue());
  }

  private List<List<String>> summaries(List<Made> all) {
    List<List<String>> rows = new ArrayList<>();
    for (Rival rival : wanted) {
      List<Made> its = all.stream().filter(m -> m.rival().equals(rival.key())).toList();
      List<String> cells = new ArrayList<>(List.of(rival.key()));
      cells.addAll(summary(its, PLACED, m -> m.result().afterFirstPlan()));
      int moves = 0;
      int others = 0;
      for (int i = PLACED; i < its.get(0).result().phases().size(); i++) {
        int phase = i;
        cells.addAll(summary(its, phase, m -> rates(m, phase)));
        moves += its.stream().mapToInt(m -> m.result().phases().get(phase).moves()).sum();
        others += its.stream().mapToInt(m -> m.result().phases().get(phase).others()).sum();
      }
      cells.add(moves + " + " + others);
      rows.add(cells);
    }
    return rows;
  }

  /** Level and worst tenant; of the seeds in which there is such a time. */
  private static List<String> summary(
      List<Made> its, int phase, Function<Made, Map<String, Double>> perSecond) {
    List<Made> known = its.stream().filter(m -> !perSecond.apply(m).isEmpty()).toList();
    if (known.isEmpty()) {
      return List.of("–", "–");
    }
    double[] gains = known.stream().mapToDouble(m -> m.gain(perSecond.apply(m))).toArray();
    List<Map.Entry<String, Double>> worst =
        known.stream().map(m -> m.worst(phase, perSecond.apply(m))).toList();
    double[] least = worst.stream().mapToDouble(Map.Entry::getValue).toArray();
    Map.Entry<String, Double> of = Collections.min(worst, Map.Entry.comparingByValue());
    return List.of(
        new Ratios(gains).toString(),
        String.format(
            Locale.ROOT,
            "%s %.2f; mean %.2f",
            of.getKey(),
            of.getValue(),
            new Ratios(least).mean()));
  }

  private static Map<String, Double> rates(Made made, int phase) {
    return made.result().phases().get(phase).perSecond();
  }
}
