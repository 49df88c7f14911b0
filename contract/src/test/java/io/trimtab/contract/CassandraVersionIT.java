package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.CassandraSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Cassandra engine with nodes of another version; see {@code ./trimtab test --engine
 * cassandra@4.1}.
 */
@Tag("other-engine")
class CassandraVersionIT extends CassandraContract {
  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;

  @BeforeAll
  static void up() throws IOException, EngineException {
    OtherEngine.cassandra();
    cluster = CassandraCluster.up("cassandra-version", home, 3, CassandraSettings.DEFAULTS);
  }

  @AfterAll
  static void down() {
    OtherEngine.clear();
  }

  @Override
  protected CassandraCluster cluster() {
    return cluster;
  }

  @Test
  void theNodesAreOfThatVersion() throws EngineException {
    assertThat(engine().snapshot().version()).startsWith(OtherEngine.release());
  }

  /** What they are started with has not the same name in every version. */
  @Test
  void theMemoryOfNodesIsKnownAndTheirRowCachesChange() throws EngineException {
    NodeState node =
        whole(s -> s.nodes().stream().allMatch(n -> n.profile().isPresent())).nodes().get(2);
    assertThat(node.profile().orElseThrow().memstoreFraction()).isBetween(0.19, 0.21);

    engine().applyProfile(node.id(), Profile.READ, LIMIT);

    NodeState read = engine().snapshot().node(node.id()).orElseThrow();
    assertThat(read.profile().orElseThrow().sameCache(Profile.READ)).isTrue();
  }

  /** Histograms do not tell their unit, which is not the same in every version. */
  @Test
  void responseTimesAreOfTheSizeThatNodesTellThemselves() throws Exception {
    underLoad(
        "contract_times",
        () -> {
          ClusterSnapshot now = whole(s -> s.nodes().stream().allMatch(CassandraVersionIT::timed));
          for (NodeState node : now.nodes()) {
            double tells = p99Ms(node.gauges().own());
            assertThat(node.gauges().times().p99Ms())
                .as("99th percentile, ms; the node's own is %s", tells)
                .isBetween(tells / 20, tells * 20);
          }
        });
  }

  private static boolean timed(NodeState node) {
    return !Double.isNaN(node.gauges().times().p99Ms());
  }

  /** Of the slowest kind of requests, which a node tells in microseconds. */
  private static double p99Ms(Map<String, Double> own) {
    return Stream.of("Read", "Write")
            .mapToDouble(kind -> own.getOrDefault(kind + ".p99Micros", 0.0))
            .max()
            .orElseThrow()
        / 1e3;
  }
}
