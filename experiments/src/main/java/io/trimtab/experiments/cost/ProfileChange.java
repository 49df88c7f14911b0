package io.trimtab.experiments.cost;

import io.trimtab.engineapi.Profile;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.placement.SixTenants;
import io.trimtab.experiments.placement.Strategy;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What one online profile change costs while the six tenants are at work: how long until it is in
 * force, and the throughput right after it relative to right before it. The thesis wished for such
 * changes (Cruz 2016, §3.5).
 */
public final class ProfileChange extends Experiment {
  static final Duration WARM = Duration.ofSeconds(60);

  /** Compared before and after a change. */
  static final int WINDOW_SECONDS = 5;

  /** Each profile change follows from the last one, node by node, and ends where it began. */
  private static final List<Profile> STEPS =
      List.of(Profile.READ, Profile.HOMOGENEOUS, Profile.WRITE, Profile.HOMOGENEOUS);

  private record ProfileSwitch(
      Profile from, Profile to, double millis, double before, double after) {
    String name() {
      return from.name() + " → " + to.name();
    }
  }

  private final SixTenants tenants;

  public ProfileChange(Trial trial) {
    super(trial);
    tenants = new SixTenants(bed, console);
  }

  @Override
  public Path run() throws Exception {
    ExperimentReport report = new ExperimentReport(folder, "Online profile changes under load");
    List<ProfileSwitch> changes = new ArrayList<>();
    tenants.prepare(Strategy.RANDOM_HOMOGENEOUS, seed);
    RunResult result;
    try (TestbedLoad load = bed.start()) {
      load.follow(console, "filling caches", WARM);
      for (int run = 0; run < runs; run++) {
        for (int node = 0; node < bed.size(); node++) {
          Profile from = Profile.HOMOGENEOUS;
          for (Profile to : STEPS) {
            changes.add(change(load, node, from, to));
            from = to;
          }
        }
      }
      result = load.finish("profile changes", seed, 0, load.second());
    }
    String verified = bed.verify();
    write(report, changes, result, verified);
    return report.write();
  }

  private ProfileSwitch change(TestbedLoad load, int node, Profile from, Profile to)
      throws Exception {
    String what = "node " + (node + 1) + " " + from.name() + " → " + to.name();
    load.follow(console, what, Duration.ofSeconds(WINDOW_SECONDS));
    int begun = load.second();
    double millis = bed.applyProfile(node, to);
    // The second in which it happens belongs to neither side.
    int after = load.second() + 1;
    load.follow(console, what, Duration.ofSeconds(WINDOW_SECONDS + 1));
    double[] total = load.total();
    ProfileSwitch change =
        new ProfileSwitch(
            from,
            to,
            millis,
            RunResult.mean(total, begun - WINDOW_SECONDS, begun),
            RunResult.mean(total, after, after + WINDOW_SECONDS));
    console.step(
        String.format(
            Locale.ROOT,
            "%s: in force after %.0f ms; %,.0f, then %,.0f ops/s",
            what,
            millis,
            change.before(),
            change.after()));
    return change;
  }

  private void write(
      ExperimentReport report, List<ProfileSwitch> changes, RunResult result, String verified)
      throws Exception {
    Map<String, List<ProfileSwitch>> kinds = new LinkedHashMap<>();
    kinds.put("all", changes);
    changes.forEach(c -> kinds.computeIfAbsent(c.name(), n -> new ArrayList<>()).add(c));
    var rows = new ArrayList<List<String>>();
    kinds.forEach(
        (name, list) -> {
          Spread millis = Spread.of(list.stream().mapToDouble(ProfileSwitch::millis).toArray());
          Spread ratio =
              Spread.of(list.stream().mapToDouble(c -> c.after() / c.before()).toArray());
          rows.add(
              ExperimentReport.row(
                  name,
                  list.size(),
                  millis,
                  String.format(
                      Locale.ROOT, "%.2f (%.2f–%.2f)", ratio.median(), ratio.min(), ratio.max()),
                  String.format(Locale.ROOT, "%.3f ± %.3f", ratio.mean(), ratio.error())));
        });
    report
        .paragraph(
            "Made by `./trimtab lab run PROFILE --runs %d --seed %d` on %s."
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .paragraph(
            "Targets: in force in less than 2,000 ms, throughput at most 5 % lower. Throughput"
                + " is the mean of "
                + WINDOW_SECONDS
                + " s after over the mean of "
                + WINDOW_SECONDS
                + " s before; such windows differ by about 10 % without any change, so the"
                + " mean over all changes and its standard error tell more than one value.")
        .heading("Result")
        .table(
            List.of(
                "change",
                "count",
                "in force after, ms, median (range)",
                "throughput after / before, median (range)",
                "mean ± standard error"),
            rows)
        .raw("run.json", result)
        .heading("Data")
        .paragraph(
            "%s %d reads under load were wrong, %d lost; %d operations failed, %d retries."
                .formatted(
                    verified, result.wrong(), result.lost(), result.errors(), result.retries()));
    tenants.describe(report, Duration.ZERO, Duration.ZERO);
  }
}
