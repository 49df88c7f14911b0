package io.trimtab.experiments.latency.cost;

import io.trimtab.experiments.latency.cost.CostHalf.Phase;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.MedianInterval;
import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The report of COST, computed from its measurements. */
final class CostReport {
  /** The most CPU time of a read, relative to nodes without the plug-in. */
  static final double RATIO_ASKED = 1.02;

  /** The most bytes of a read in addition to theirs. */
  static final double BYTES_ASKED = 600;

  private static final List<CostArm> WITH_PLUGIN =
      List.of(CostArm.FILTERS, CostArm.OWN_FIRST, CostArm.TRIMTAB);

  private static final Map<CostComparison.Verdict, String> VERDICTS =
      Map.of(
          CostComparison.Verdict.MET, "met",
          CostComparison.Verdict.MISSED, "missed",
          CostComparison.Verdict.OPEN, "not decided by these pairs",
          CostComparison.Verdict.NONE, "–");

  private final Path folder;
  private final CostPlan plan;
  private final long seed;
  private final String version;
  private final double loadAverage;

  /**
   * @param version of Cassandra
   * @param loadAverage of the machine before the start
   */
  CostReport(Path folder, CostPlan plan, long seed, String version, double loadAverage) {
    this.folder = folder;
    this.plan = plan;
    this.seed = seed;
    this.version = version;
    this.loadAverage = loadAverage;
  }

  /** CPU time, relative to the base. */
  static List<CostComparison> ratios(List<CostHalf> halves) {
    List<CostComparison> all = new ArrayList<>();
    for (CostArm arm : WITH_PLUGIN) {
      add(all, ratio(halves, arm, CostArm.STOCK, RATIO_ASKED));
    }
    add(all, ratio(halves, CostArm.FILTERS, CostArm.PLAIN, Double.NaN));
    add(all, ratio(halves, CostArm.OWN_FIRST, CostArm.PLAIN, Double.NaN));
    add(all, ratio(halves, CostArm.OWN_FIRST, CostArm.FILTERS, Double.NaN));
    return all;
  }

  private static Optional<CostComparison> ratio(
      List<CostHalf> halves, CostArm arm, CostArm base, double asked) {
    return CostComparison.of(
        halves, "cpu ratio", arm, base, asked, (its, bases) -> its.cpuMicros() / bases.cpuMicros());
  }

  /** The same with the compilers' CPU time. */
  static List<CostComparison> wholeRatios(List<CostHalf> halves) {
    List<CostComparison> all = new ArrayList<>();
    for (CostArm arm : WITH_PLUGIN) {
      add(
          all,
          CostComparison.of(
              halves,
              "cpu ratio with compilers",
              arm,
              CostArm.STOCK,
              Double.NaN,
              (its, bases) -> its.wholeCpuMicros() / bases.wholeCpuMicros()));
    }
    return all;
  }

  /** Bytes of a read in addition to the base's. */
  static List<CostComparison> bytes(List<CostHalf> halves) {
    List<CostComparison> all = new ArrayList<>();
    for (CostArm arm : WITH_PLUGIN) {
      add(all, more(halves, arm, CostArm.PLAIN, BYTES_ASKED));
    }
    add(all, more(halves, CostArm.OWN_FIRST, CostArm.STOCK, Double.NaN));
    add(all, more(halves, CostArm.OWN_FIRST, CostArm.FILTERS, Double.NaN));
    return all;
  }

  private static Optional<CostComparison> more(
      List<CostHalf> halves, CostArm arm, CostArm base, double asked) {
    return CostComparison.of(
        halves,
        "bytes more",
        arm,
        base,
        asked,
        (its, bases) -> its.bytesPerRead() - bases.bytesPerRead());
  }

  private static void add(List<CostComparison> all, Optional<CostComparison> one) {
    one.ifPresent(all::add);
  }

  /** All measurements, of blocks that are not complete, too. */
  void keep(List<CostHalf> halves) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("halves.csv"),
        csv(CostHalf.HEADER, halves.stream().map(CostHalf::csv).toList()));
  }

  /**
   * Writes the report.
   *
   * @param halves one of each arm and phase at least
   */
  Path write(List<CostHalf> halves) throws IOException {
    keep(halves);
    ExperimentReport report =
        new ExperimentReport(folder, "COST: what the plug-in that ranks replicas takes");
    List<CostComparison> ratios = ratios(halves);
    List<CostComparison> whole = wholeRatios(halves);
    List<CostComparison> bytes = bytes(halves);
    report
        .paragraph(
            "Made by `./trimtab lab run COST --runs %d --seed %d` on %s, %d of %d blocks."
                .formatted(
                    plan.rounds(),
                    seed,
                    LocalDate.now(ZoneOffset.UTC),
                    blocks(halves),
                    plan.rounds() * plan.blocks()))
        .heading("A read")
        .paragraph(
            "Of all nodes together, median (range) of the halves. Messages are requests and answers"
                + " between nodes.")
        .table(
            List.of(
                "nodes", "CPU time, µs", "bytes", "messages", "reads/s", "compilers, of CPU time"),
            arms(halves))
        .heading("CPU time, relative")
        .paragraph(
            String.format(
                Locale.ROOT,
                "Asked: at most %.2f. Each pair is two halves of one block; the interval is that of"
                    + " the pairs' median, by ranks. Met or missed only where there are %d pairs,"
                    + " the interval and the median of each round agree, and compilers take at most"
                    + " %.0f %% of the CPU time, by the median of the halves. Without the"
                    + " compilers' time, which comes to an end; with it: %s.",
                RATIO_ASKED,
                CostComparison.PAIRS_LEAST,
                100 * CostComparison.COMPILING_MUCH,
                whole.stream()
                    .map(one -> one.arm() + " " + number("%.3f", one.pairs().median()))
                    .collect(Collectors.joining("; "))))
        .table(header(ratios), rows(ratios, "%.3f"))
        .heading("Bytes in addition")
        .paragraph(
            "Asked of the plug-in itself: at most %.0f a read. The dynamic snitch allocates, too."
                .formatted(BYTES_ASKED))
        .table(header(bytes), rows(bytes, "%,.0f"))
        .heading("What nodes take beside their reads")
        .list(beside(halves))
        .heading("Compilation")
        .paragraph(compilation(halves))
        .heading("Setting")
        .list(setting());
    report.paragraph("Raw: [halves.csv](halves.csv), [summary.csv](summary.csv).");
    List<String> summary = new ArrayList<>(summary(ratios, "%.4f"));
    summary.addAll(summary(whole, "%.4f"));
    summary.addAll(summary(bytes, "%.1f"));
    Files.writeString(
        folder.resolve("summary.csv"),
        csv("what,arm,base,pairs,median,low,high,coverage,min,max,asked,verdict", summary));
    return report.write();
  }

  private static long blocks(List<CostHalf> halves) {
    return compared(halves).stream().mapToInt(CostHalf::block).distinct().count();
  }

  private static List<CostHalf> compared(List<CostHalf> halves) {
    return halves.stream().filter(half -> half.phase() == Phase.COMPARED).toList();
  }

  private static Spread spread(
      List<CostHalf> halves, Phase phase, CostArm arm, ToDoubleFunction<CostHalf> what) {
    return Spread.of(
        halves.stream()
            .filter(half -> half.phase() == phase && half.arm() == arm)
            .mapToDouble(what)
            .toArray());
  }

  private static String text(Spread of, String format) {
    return String.format(
        Locale.ROOT,
        "%s (%s–%s)".formatted(format, format, format),
        of.median(),
        of.min(),
        of.max());
  }

  private static List<List<String>> arms(List<CostHalf> halves) {
    List<List<String>> rows = new ArrayList<>();
    for (CostArm arm : CostArm.values()) {
      Phase phase = Phase.COMPARED;
      rows.add(
          ExperimentReport.row(
              arm,
              text(spread(halves, phase, arm, CostHalf::cpuMicros), "%.0f"),
              text(spread(halves, phase, arm, CostHalf::bytesPerRead), "%,.0f"),
              text(spread(halves, phase, arm, CostHalf::messagesPerRead), "%.2f"),
              text(spread(halves, phase, arm, CostHalf::readsPerSecond), "%.0f"),
              text(spread(halves, phase, arm, half -> 100 * half.compiling()), "%.1f") + " %"));
    }
    return rows;
  }

  private static List<String> header(List<CostComparison> of) {
    MedianInterval pairs = of.get(0).pairs();
    return List.of(
        "nodes",
        "relative to",
        "median",
        String.format(Locale.ROOT, "%.1f %% interval", 100 * pairs.coverage()),
        "range",
        "pairs",
        "rounds' medians",
        "asked");
  }

  private static List<List<String>> rows(List<CostComparison> all, String format) {
    List<List<String>> rows = new ArrayList<>();
    for (CostComparison one : all) {
      MedianInterval pairs = one.pairs();
      rows.add(
          ExperimentReport.row(
              one.arm(),
              one.base(),
              number(format, pairs.median()),
              number(format, pairs.low()) + " to " + number(format, pairs.high()),
              number(format, pairs.spread().min()) + " to " + number(format, pairs.spread().max()),
              pairs.spread().runs(),
              one.rounds().stream().map(m -> number(format, m)).collect(Collectors.joining("; ")),
              VERDICTS.get(one.verdict())));
    }
    return rows;
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static List<String> beside(List<CostHalf> halves) {
    List<String> lines = new ArrayList<>();
    for (CostArm arm : List.of(CostArm.STOCK, CostArm.TRIMTAB)) {
      lines.add(
          "nobody asks, %s: %s cores"
              .formatted(arm, text(spread(halves, Phase.IDLE, arm, CostHalf::cores), "%.3f")));
    }
    for (CostArm arm : List.of(CostArm.STOCK, CostArm.OWN_FIRST)) {
      Spread cores = spread(halves, Phase.LOW, arm, CostHalf::cores);
      Spread low = spread(halves, Phase.LOW, arm, CostHalf::readsPerSecond);
      Spread full = spread(halves, Phase.COMPARED, arm, CostHalf::cores);
      Spread reads = spread(halves, Phase.COMPARED, arm, CostHalf::readsPerSecond);
      lines.add(
          String.format(
              Locale.ROOT,
              "%.0f reads/s, %s: %s cores; a further read takes %.0f µs",
              low.median(),
              arm,
              text(cores, "%.3f"),
              1e6 * (full.median() - cores.median()) / (reads.median() - low.median())));
    }
    lines.add(
        "threads that wait for requests look for them again and again, which takes more for each"
            + " read the fewer there are; a further read is that of the difference between both"
            + " rates, by medians");
    return lines;
  }

  private static String compilation(List<CostHalf> halves) {
    List<CostHalf> compared = compared(halves);
    long much =
        compared.stream().filter(half -> half.compiling() > CostComparison.COMPILING_MUCH).count();
    return String.format(
        Locale.ROOT,
        "Compilers took more than %.0f %% of the CPU time in %d of %d halves; none is left out.",
        100 * CostComparison.COMPILING_MUCH,
        much,
        compared.size());
  }

  private List<String> setting() {
    return List.of(
        Machine.describe()
            + String.format(Locale.ROOT, "; load average before the start %.2f", loadAverage),
        ("Cassandra %s; two clusters of %d nodes each and their clients on this machine, %d copies;"
                + " both are up all the time, and one is asked")
            .formatted(version, CostCluster.NODES, CostCluster.NODES),
        "%s in both; Cassandra's dynamic snitch has its defaults where it is on; it is off in nodes"
                .formatted(CostCluster.SNITCH)
            + " with the plug-in",
        ("a node: %s heap, serial collector, no limits of CPU and disk, no row cache; timer slack"
                + " %d µs; speculative retry as by default")
            .formatted(CostCluster.HEAP, CostCluster.TIMER_SLACK_US),
        String.format(
            Locale.ROOT,
            "%,d records of %,d bytes in memory, each read as often as any other, at QUORUM; %d"
                + " threads, open loop at %.0f reads/s; clients ask nodes in turn, and each has a"
                + " copy",
            PluginCost.RECORDS,
            PluginCost.LENGTH,
            PluginCost.THREADS,
            plan.rate()),
        "three nodes tell each other of at most three: in a large cluster a message carries up to"
            + " 25 entries of 8 bytes",
        ("%d rounds with new processes; each: all arms at full speed for %d s in turns until"
                + " compilers take at most %.0f %% of the CPU time in each, at most %d times,"
                + " then %d s each at the rate; then %d blocks of %d s for each arm after %d s"
                + " under the same load")
            .formatted(
                plan.rounds(),
                plan.sliceS(),
                100 * PluginCost.COMPILING_MOST,
                plan.turns(),
                plan.sliceS(),
                plan.blocks(),
                plan.halfS(),
                plan.settleS()),
        "order in a block by the seed, and the next block the other way round; keys are not seeded",
        "CPU time: the kernel's count of the nodes' processes and of their compilers; bytes:"
            + " allocated by all threads of their JVMs (java.lang:type=Threading)");
  }

  private String csv(String header, List<String> lines) {
    StringBuilder text = new StringBuilder();
    for (String line : setting()) {
      text.append("# ").append(line).append('\n');
    }
    text.append("# seed ").append(seed).append(", ").append(plan).append('\n');
    text.append(header).append('\n');
    lines.forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private static List<String> summary(List<CostComparison> all, String format) {
    return all.stream()
        .map(
            one ->
                String.join(
                    ",",
                    one.what(),
                    one.arm().name(),
                    one.base().name(),
                    Integer.toString(one.pairs().spread().runs()),
                    number(format, one.pairs().median()),
                    number(format, one.pairs().low()),
                    number(format, one.pairs().high()),
                    number("%.4f", one.pairs().coverage()),
                    number(format, one.pairs().spread().min()),
                    number(format, one.pairs().spread().max()),
                    Double.isNaN(one.asked()) ? "" : number(format, one.asked()),
                    one.verdict().name()))
        .toList();
  }
}
