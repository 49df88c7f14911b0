package io.trimtab.runtime.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.TableSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Four nodes in memory, one with too much load; one of the others dies while that is watched. */
class LostNodeTest {
  private static final int SAMPLES = 6;

  /** So long the cluster takes to bring a dead node's partitions back. */
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  private static final Duration PERIOD = Duration.ofSeconds(5);

  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(
              1,
              4,
              TableSpec.of("t", 8, 64 << 20, Access.reads(25_000))
                  .with(KeyDistribution.zipf(29, 8, 0.7))));

  private final MemoryState home = new MemoryState();
  private final List<String> lost = new ArrayList<>();
  private final List<String> held = new ArrayList<>();
  private Optional<Instant> planned = Optional.empty();
  private final AtomicReference<String> why = new AtomicReference<>("");

  @Test
  void nothingIsDecidedUntilItsPartitionsAreServedAndSeenAgain() throws Exception {
    Settings settings =
        Settings.defaults()
            .with(ObserveSettings.builder().period(PERIOD).samples(SAMPLES).build())
            .with(GuardSettings.builder().maxNodes(4).build())
            .with(Policies.AUTOPILOT);
    NodeId victim =
        cluster.engine().snapshot().nodes().stream().map(NodeState::id).findFirst().get();
    AtomicReference<Instant> died = new AtomicReference<>();
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void sampled(int samples, int needed) {
            if (samples == SAMPLES - 1 && died.get() == null) {
              died.set(cluster.clock().instant());
              cluster.kill(victim);
            }
          }

          @Override
          public void planned(Plan plan, boolean acts) {
            planned = planned.or(() -> Optional.of(cluster.clock().instant()));
            loop[0].stop();
          }

          @Override
          public void held(String by, String reason, String setting) {
            held.add(by + ": " + reason);
            if (reason.contains("was lost")) {
              why.set(Why.explain(home.recorded(), Clock.systemUTC()));
            }
          }

          @Override
          public void lost(String what) {
            lost.add(what);
          }
        };
    loop[0] =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            settings,
            listener,
            SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> home),
            FaultPoints.NONE);

    loop[0].run(true, 0, false);

    String unserved = victim + " was lost, and 2 partitions are not served by any node yet";
    assertThat(lost).hasSize(2);
    assertThat(lost.get(0)).isEqualTo("lost node: " + unserved);
    assertThat(lost.get(1))
        .startsWith("lost node: " + victim + " was lost; ")
        .endsWith(" s later all partitions are served again");
    assertThat(held).contains("observe: " + unserved);
    assertThat(why.get()).contains("Nothing done since", unserved);
    Duration least = RECOVERY.plus(PERIOD.multipliedBy(SAMPLES - 1L));
    assertThat(planned).hasValueSatisfying(at -> assertThat(at).isAfter(died.get().plus(least)));
  }
}
