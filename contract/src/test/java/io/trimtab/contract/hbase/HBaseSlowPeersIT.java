package io.trimtab.contract.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.KnownState;
import io.trimtab.contract.LiveCluster;
import io.trimtab.contract.SlowedNode;
import io.trimtab.contract.TestCluster;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three RegionServers that serve alike, under load, of which one becomes slow; see {@code ./trimtab
 * test --policies}.
 */
@Tag("policies")
class HBaseSlowPeersIT extends LiveCluster {
  /** Two partitions a node, of which each is asked for as much as any other. */
  private static final WorkloadSpec SCANS =
      WorkloadSpec.parse(
          "scans",
          """
          tenants:
            - {name: peers, partitions: 6, records: 3000, fields: 1, fieldLength: 500,
               scanLength: 20, mix: {scan: 1.0}, distribution: {kind: uniform}, threads: 6}
          """);

  /** Response times count from 100 requests between two looks on, also of the slow node. */
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.MET_1)
          // So many that nothing is decided.
          .with(ObserveSettings.builder().period(Duration.ofSeconds(5)).samples(1_000).build())
          .with(HealthSettings.builder().slowFor(Duration.ofSeconds(10)).build());

  private static final int ALIKE_LOOKS = 5;

  /**
   * A request is late if it is being served when its process stops, and one of a hundred has to be:
   * the process stops often, and runs for so short a time that it serves few in between.
   */
  private static final long STOPPED_MS = 150;

  private static final long RUNS_MS = 25;

  private static final long PAUSE_MS = 100;

  @TempDir static Path home;
  @AutoClose private static HBaseCluster cluster;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = HBaseCluster.up("slow-peers-it", home, Map.of(), config -> config);
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  @Test
  void aServerThatIsSlowerThanItsPeersIsToldAndSoIsItsEnd() throws Exception {
    underLoad(SCANS, samples -> {}, this::slowAndFastAgain);
  }

  private void slowAndFastAgain() throws Exception {
    new KnownState(lab(), engine(), 3, LIMIT).placed();
    LabNode victim = lab().nodes().get(2);
    long pid = victim.pid("regionserver").orElseThrow();
    List<String> told = new CopyOnWriteArrayList<>();
    AtomicInteger looks = new AtomicInteger();
    ControlLoop loop =
        new ControlLoop(
            engine(),
            Optional.empty(),
            SETTINGS,
            new LoopListener() {
              @Override
              public void sampled(int samples, int needed) {
                looks.set(samples);
              }

              @Override
              public void slow(String what) {
                told.add(what);
              }
            },
            SystemPorts.ports(),
            FaultPoints.NONE);
    FutureTask<Optional<Executor.Outcome>> run = new FutureTask<>(() -> loop.run(false, 0, false));
    new Thread(run, "autopilot").start();
    try {
      await("looks at servers that are alike", () -> looks.get() >= ALIKE_LOOKS);
      assertThat(told).isEmpty();
      try (SlowedNode slow = SlowedNode.sliced(pid, STOPPED_MS, RUNS_MS)) {
        await("a slow node", () -> !told.isEmpty());
      }
      System.out.println(told);
      assertThat(told.get(0))
          .startsWith("slow node: " + victim.id() + " is slower than its peers, for ")
          .contains("99th percentile of requests");
      await("its end", () -> told.size() > 1);
      int then = looks.get();
      await("later looks", () -> looks.get() >= then + 2);
      assertThat(told).as("it alone, and each once").hasSize(2);
      assertThat(told.get(1))
          .isEqualTo("no slow node any more: " + victim.id() + " is no slower than its peers");
    } finally {
      loop.stop();
      run.get(1, TimeUnit.MINUTES);
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).as("%s in time", what).isNegative();
      pause(PAUSE_MS);
    }
  }
}
