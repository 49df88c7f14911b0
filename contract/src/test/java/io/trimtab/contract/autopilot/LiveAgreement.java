package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.workload.Reporter;
import io.trimtab.workload.Sample;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** An agreement that three clients have, who report what they get while a controller watches it. */
final class LiveAgreement implements Consumer<List<Sample>> {
  /** More than any testbed serves. */
  static final String NEVER_KEPT = "throughput: 1000MB/s";

  private final AtomicReference<Consumer<List<Sample>>> reporter =
      new AtomicReference<>(samples -> {});
  private final Path home;
  private final String objective;
  private final WorkloadSpec clients;

  /**
   * @param home where its files are written
   * @param objective as in its file
   * @param clients one tenant, {@code agreement}
   */
  LiveAgreement(Path home, String objective, WorkloadSpec clients) {
    this.home = home;
    this.objective = objective;
    this.clients = clients;
  }

  /** What its clients have had in the last second. */
  @Override
  public void accept(List<Sample> samples) {
    reporter.get().accept(samples);
  }

  /** Settings by which it is watched; its table knows two to five nodes, of which all are alike. */
  Settings watched(Settings settings) throws IOException {
    Path sla =
        Files.writeString(
            home.resolve("sla.yaml"),
            "name: agreement\nworkload: w\nclients: 3\nobjective: {" + objective + "}\n");
    StringBuilder rows =
        new StringBuilder("workload,nodeType,clients,nodes,responseTimeMs,throughputMBps\n");
    for (int nodes = 2; nodes <= 5; nodes++) {
      rows.append("w,small,1,%d,5,1\nw,small,10,%d,20,2\n".formatted(nodes, nodes));
    }
    Path table = Files.writeString(home.resolve("table.csv"), rows);
    return settings.with(
        SloSettings.builder()
            .sla(sla.toString())
            .tables(List.of(table.toString()))
            .checks(3)
            .listen("127.0.0.1:0")
            .build());
  }

  /** Reports to a loop, which acts, until it has carried out one plan. */
  void onePlan(ControlLoop loop) throws Exception {
    CompletableFuture<Optional<Executor.Outcome>> outcome =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return loop.run(true, 1, false);
              } catch (EngineException e) {
                throw new CompletionException(e);
              }
            });
    try {
      while (loop.reportPort() < 0) {
        assertThat(outcome).isNotDone();
        TimeUnit.MILLISECONDS.sleep(20);
      }
      URI to = URI.create("http://127.0.0.1:" + loop.reportPort() + "/report");
      reporter.set(new Reporter(to, Duration.ofSeconds(1), clients));
      assertThat(outcome.get(10, TimeUnit.MINUTES).orElseThrow().how())
          .as("%s", outcome)
          .isEqualTo(PlanOutcome.DONE);
    } finally {
      reporter.set(samples -> {});
      // After a failure, too: it would go on acting on the cluster of the tests that follow.
      loop.stop();
    }
  }
}
