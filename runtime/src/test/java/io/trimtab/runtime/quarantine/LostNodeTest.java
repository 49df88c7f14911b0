package io.trimtab.runtime.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.Why;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** One of the nodes dies while that is watched. */
class LostNodeTest extends FourNodes {
  private static final int SAMPLES = 6;

  /** So long the cluster takes to bring a dead node's partitions back. */
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  private final List<String> lost = new ArrayList<>();
  private final List<String> held = new ArrayList<>();
  private Optional<Instant> planned = Optional.empty();
  private final AtomicReference<String> why = new AtomicReference<>("");

  @Test
  void nothingIsDecidedUntilItsPartitionsAreServedAndSeenAgain() throws Exception {
    Settings settings = settings(SAMPLES, GuardSettings.builder().maxNodes(4).build());
    NodeId victim =
        cluster.engine().snapshot().nodes().stream().map(NodeState::id).findFirst().get();
    AtomicReference<Instant> died = new AtomicReference<>();
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
            loop.stop();
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

    run(settings, listener);

    String unserved =
        "node " + victim + " was lost, and 2 partitions are not served by any node yet";
    assertThat(lost).hasSize(2);
    assertThat(lost.get(0)).isEqualTo(unserved);
    assertThat(lost.get(1))
        .startsWith("node " + victim + " was lost; ")
        .endsWith(" s later all partitions are served again");
    assertThat(held).contains("observe: " + unserved);
    assertThat(why.get()).contains("Nothing done since", unserved);
    Duration least = RECOVERY.plus(PERIOD.multipliedBy(SAMPLES - 1L));
    assertThat(planned).hasValueSatisfying(at -> assertThat(at).isAfter(died.get().plus(least)));
  }
}
