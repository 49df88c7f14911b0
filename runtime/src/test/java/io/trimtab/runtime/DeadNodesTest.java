package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Since when a node is dead: only what was seen counts, by a clock that does not jump. */
class DeadNodesTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration GAP_MAX = Duration.ofSeconds(60);

  private final DeadNodes nodes = new DeadNodes(GAP_MAX);
  private ClusterSnapshot whole;
  private ClusterSnapshot broken;
  private NodeId victim;

  @BeforeEach
  void cluster() throws EngineException {
    InMemoryCluster cluster =
        new InMemoryCluster(
            ClusterSpec.ring(1, 4, 2, TableSpec.of("k.t", 3, 1L << 30, Access.reads(100))));
    whole = cluster.engine().snapshot();
    victim = whole.nodes().get(3).id();
    cluster.kill(victim);
    broken = cluster.engine().snapshot();
  }

  /** The cluster is seen {@code s} seconds after the start, while the wall clock is ahead. */
  private void see(ClusterSnapshot state, long s, Duration ahead) {
    nodes.observe(
        state.at(NOON.plusSeconds(s).plus(ahead), OptionalLong.of(TimeUnit.SECONDS.toNanos(s))));
  }

  private void see(ClusterSnapshot state, long s) {
    see(state, s, Duration.ZERO);
  }

  private void assertDeadFor(long s) {
    assertThat(nodes.seenDead()).containsOnlyKeys(victim).containsValue(Duration.ofSeconds(s));
  }

  @Test
  void aNodeIsDeadForAsLongAsItWasSeenDead() {
    see(whole, 0);
    assertThat(nodes.seenDead()).isEmpty();
    see(broken, 30);
    assertDeadFor(0);
    see(broken, 60);
    see(broken, 120);
    assertDeadFor(90);
    see(whole, 150);
    assertThat(nodes.seenDead()).isEmpty();
    see(broken, 180);
    assertDeadFor(0);
  }

  @Test
  void aStepOfTheWallClockCountsForNothing() {
    see(broken, 0);
    see(broken, 5, Duration.ofHours(1));
    assertDeadFor(5);
    see(broken, 10, Duration.ofHours(-1));
    assertDeadFor(10);
  }

  @Test
  void aTimeInWhichNothingWasSeenIsNotBridged() {
    see(broken, 0);
    see(broken, 50);
    assertDeadFor(50);
    see(broken, 50 + 1_800);
    assertDeadFor(0);
    see(broken, 50 + 1_860);
    assertDeadFor(60);
  }

  /** As after a change of the process's clock that can't be explained. */
  @Test
  void aSnapshotFromBeforeTheLastOneStartsAgain() {
    see(broken, 100);
    see(broken, 130);
    see(broken, 120);
    assertDeadFor(0);
  }
}
