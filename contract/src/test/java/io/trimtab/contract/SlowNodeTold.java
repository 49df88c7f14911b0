package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.ports.SystemPorts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A node that runs a quarter of the time: the autopilot says so, and when it is over. */
final class SlowNodeTold {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int WARM = 5;
  private static final long STOPPED_MS = 300;
  private static final long RUNS_MS = 100;

  private SlowNodeTold() {}

  /**
   * @param known rows that are read meanwhile through the first two nodes; the third one is slow
   */
  static void check(Engine engine, CassandraLab lab, KnownRows known, int rows) throws Exception {
    LabNode victim = lab.nodes().get(2);
    // What reads for the first time is slow, and is avoided for some seconds.
    for (int i = 0; i < WARM; i++) {
      known.areRead(ConsistencyLevel.ALL);
    }
    Settings settings =
        Settings.defaults()
            .with(Policies.MET_1)
            // So many that nothing is decided.
            .with(ObserveSettings.builder().period(Duration.ofSeconds(3)).samples(1_000).build())
            .with(HealthSettings.builder().slowFor(Duration.ofSeconds(9)).build());
    List<String> told = new CopyOnWriteArrayList<>();
    AtomicInteger looks = new AtomicInteger();
    ControlLoop loop =
        new ControlLoop(
            engine,
            Optional.empty(),
            settings,
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
    try (ReadsOfNodes reads =
        new ReadsOfNodes(
            known.session(), lab.nodes().subList(0, 2), "SELECT v FROM r.t WHERE k = ", rows)) {
      new Thread(run, "autopilot").start();
      try {
        RankedNodes.await(LIMIT, () -> looks.get() >= 5);
        assertThat(told).isEmpty();
        long pid = victim.pid("cassandra").orElseThrow();
        try (SlowedNode slow = SlowedNode.sliced(pid, STOPPED_MS, RUNS_MS)) {
          RankedNodes.await(LIMIT, () -> !told.isEmpty());
        }
        assertThat(told)
            .singleElement()
            .asString()
            .startsWith("slow node: " + victim.id() + " gets ");
        RankedNodes.await(LIMIT, () -> told.size() > 1);
        assertThat(told.get(1)).startsWith("no slow node any more: " + victim.id() + " gets ");
      } finally {
        loop.stop();
        run.get(1, TimeUnit.MINUTES);
      }
      assertThat(reads.failed()).isZero();
    }
    ClusterSnapshot seen = engine.snapshot();
    assertThat(seen.gaps()).isEmpty();
    assertThat(seen.nodes())
        .allMatch(node -> node.view().orElseThrow().replicas().size() == 3)
        .allMatch(node -> node.view().orElseThrow().of(victim.id()).isPresent());
  }
}
