package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.controller.observe.ServedTimes;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.LabStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Cassandra engine on a real cluster of three nodes that keeps two copies. */
@Tag("beside-others")
class CassandraEngineIT extends CassandraContract {
  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;
  private static CassandraLab lab;
  private static CassandraEngine engine;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = CassandraCluster.up("cassandra-it", home, 3, CassandraSettings.DEFAULTS);
    lab = cluster.lab();
    engine = cluster.engine();
  }

  @Override
  protected CassandraCluster cluster() {
    return cluster;
  }

  @Test
  void theLabTellsThatItIsWhole() {
    LabStatus status = lab.status();

    assertThat(status.healthy()).isTrue();
    assertThat(status.contact()).startsWith("cql 127.77.");
    assertThat(status.services()).isEmpty();
    assertThat(status.nodes()).hasSize(3).allMatch(n -> n.pid("cassandra").isPresent());
    assertThatThrownBy(() -> HBaseLab.attach("cassandra-it"))
        .hasMessageContaining("not an HBase cluster");
  }

  @Test
  void aClusterThatDoesNotAnswerIsNamedInOneLine() {
    assertThatThrownBy(() -> CassandraEngine.connect(CassandraContact.of("127.0.0.1:1", 0)))
        .isInstanceOf(EngineException.class)
        .message()
        .contains("127.0.0.1:1")
        .doesNotContain("\n");
  }

  /** Its data are served, but nobody knows how it is: nothing is decided on that. */
  @Test
  void aNodeWhoseJmxDoesNotAnswerIsAGap() throws EngineException {
    CassandraContact wrong =
        new CassandraContact(lab.points(), 1, Optional.empty(), Optional.empty());
    try (CassandraEngine blind = CassandraEngine.connect(wrong)) {
      ClusterSnapshot seen = blind.snapshot();
      assertThat(seen.nodes()).hasSize(3);
      assertThat(seen.gaps()).hasSize(3).allMatch(gap -> gap.contains("JMX at 127.77."));
      assertThat(seen.unreadNodes()).as("they live").hasSize(3);
      assertThat(seen.clusterGaps()).isEmpty();
    }
  }

  /** The lab's nodes ask for no password, and take any. */
  @Test
  void credentialsAreHandedOver() throws EngineException {
    Optional<Credentials> someone = Optional.of(new Credentials("someone", () -> "secret"));
    assertThat(someone.get().toString()).doesNotContain("secret");
    try (CassandraEngine known = CassandraEngine.connect(lab.client().with(someone, someone))) {
      assertThat(known.snapshot().gaps()).isEmpty();
    }
  }

  /** Its own names; what every engine tells is the contract's business. */
  @Test
  void aNodeTellsItsPoolsItsCachesAndItsStreams() throws Exception {
    ClusterSnapshot before = engine.snapshot();
    underLoad("pools", () -> {});
    ServedTimes served = ServedTimes.between(before, engine.snapshot());
    assertThat(served.p99Ms()).as("99th percentile, ms").isBetween(0.1, 10_000.0);
    assertThat(served.refused()).as("share that was refused").isBetween(0.0, 0.01);
    for (NodeState node : engine.snapshot().nodes()) {
      assertThat(node.gauges().own())
          .containsKeys(
              "Read.count",
              "Read.p99Micros",
              "Write.meanMicros",
              "RangeSlice.count",
              "KeyCache.hits",
              "ReadStage.pending",
              "Native-Transport-Requests.active",
              "CompactionExecutor.pending",
              "dropped.MUTATION",
              "hints")
          // By default there is no chunk cache.
          .doesNotContainKey("ChunkCache.requests")
          .containsEntry("streams", 0.0);
    }
    double reads =
        engine.snapshot().nodes().stream()
            .mapToDouble(n -> n.gauges().own().get("Read.count"))
            .sum();
    assertThat(reads).as("what the load has read").isPositive();
  }

  /** Online: the row cache and the threads. By restart: the memtables, too. */
  @Test
  void aNodeIsConfiguredForWhatItIsAskedFor() throws EngineException {
    NodeState before = engine.snapshot().nodes().get(2);
    assertThat(before.profile().orElseThrow().cacheFraction()).isBetween(0.02, 0.04);
    assertThat(before.profile().orElseThrow().memstoreFraction()).isBetween(0.19, 0.21);

    engine.applyProfile(before.id(), Profile.READ, LIMIT);

    NodeState read = engine.snapshot().node(before.id()).orElseThrow();
    assertThat(read.incarnation()).isEqualTo(before.incarnation());
    assertThat(read.profile().orElseThrow().sameCache(Profile.READ)).isTrue();
    assertThat(read.profile().orElseThrow().sameMemory(Profile.READ)).isFalse();

    lab.provider().persist(before.id(), Profile.WRITE);
    lab.provider().restart(before.id(), LIMIT);
    engine.awaitNode(before.id(), before.incarnation(), LIMIT);
    // Its settings are asked for by CQL, for which the driver comes back a moment later.
    NodeState write =
        whole(s -> s.node(before.id()).flatMap(NodeState::profile).isPresent())
            .node(before.id())
            .orElseThrow();
    assertThat(write.profile()).contains(Profile.WRITE);

    engine.applyProfile(before.id(), Profile.READ_WRITE, LIMIT);
    assertThat(
            engine
                .snapshot()
                .node(before.id())
                .orElseThrow()
                .profile()
                .orElseThrow()
                .cacheFraction())
        .isBetween(0.44, 0.46);

    // For its next start; no other test needs its caches.
    lab.provider().persist(before.id(), Profile.HOMOGENEOUS);
  }

  @Test
  void aNodeThatNeverComesIsSaidToBeMissing() {
    assertThatThrownBy(
            () -> engine.awaitNode(new NodeId("127.77.1.99:1"), 0, Duration.ofSeconds(2)))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("127.77.1.99:1 is not in service after 2 s")
        .hasMessageContaining("does not answer");
  }

  /** Its connections stay open, so that the driver asks it all the same for half a minute. */
  @Test
  void aNodeThatStandsStillDoesNotCostTheControllerItsLock() throws Exception {
    long pid = lab.status().nodes().get(0).pid("cassandra").orElseThrow();
    try (CassandraEngine own = CassandraEngine.connect(lab.client());
        ControlLock lock = own.takeControl("a test")) {
      try (SlowedNode still = SlowedNode.standing(pid)) {
        for (int i = 0; i < 40; i++) {
          TimeUnit.MILLISECONDS.sleep(500);
          assertThat(lock.held()).as("%s, after %d s", still, i / 2).isTrue();
        }
      }
    }
    whole(s -> s.liveNodes().size() == 3 && s.unreadNodes().isEmpty());
  }
}
