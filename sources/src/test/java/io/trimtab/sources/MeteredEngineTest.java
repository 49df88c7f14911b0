package io.trimtab.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A cluster in memory whose nodes' usage the database does not tell, and a source that does. */
class MeteredEngineTest {
  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(1, 3, TableSpec.of("t", 6, 1L << 20, Access.reads(100))));
  private final NodeId silent = new NodeId("node001:16020");
  private final Scripted source = new Scripted();
  private final MetricsConfig config =
      Configs.metrics("sources: [{type: ganglia, address: g}]\nperiod: 10s\nstale: 60s\n");
  private long nowNs;

  /** Tells I/O wait of all nodes, or fails. */
  private final class Scripted implements MetricSource {
    private int asked;
    private boolean fails;

    /** By how much its clock, or its node's, is ahead. */
    private Duration ahead = Duration.ZERO;

    @Override
    public String name() {
      return "ganglia";
    }

    @Override
    public Map<NodeId, NodeReadings> read(Collection<NodeId> nodes) throws IOException {
      asked++;
      if (fails) {
        throw new IOException("ganglia at g: refused");
      }
      Instant at = cluster.clock().instant().plus(ahead);
      Map<NodeId, NodeReadings> told = new TreeMap<>();
      for (NodeId node : nodes) {
        told.put(
            node,
            NodeReadings.NONE
                .with(Metric.CPU_USER, 0.25, at)
                .with(Metric.CPU_SYSTEM, 0.05, at)
                .with(Metric.CPU_IO_WAIT, 0.1 * asked, at));
      }
      return told;
    }
  }

  private MeteredEngine engine() {
    cluster.faults().always(Verb.SNAPSHOT, silent, Kind.NAN);
    return new MeteredEngine(
        cluster.engine(), config, List.of(source), cluster.clock(), () -> nowNs);
  }

  private NodeState after(MeteredEngine engine, int seconds) throws EngineException {
    cluster.clock().advance(Duration.ofSeconds(seconds));
    nowNs += seconds * 1_000_000_000L;
    ClusterSnapshot seen = engine.snapshot();
    return seen.node(silent).orElseThrow();
  }

  @Test
  void whatTheDatabaseDoesNotTellTheSourceTells() throws EngineException {
    MeteredEngine engine = engine();
    assertThat(after(engine, 5).usage().server()).isCloseTo(0.4, within(1e-9));
    assertThat(after(engine, 5).usage().ioWait()).as("not asked again yet").isEqualTo(0.1);
    assertThat(source.asked).isEqualTo(1);
    assertThat(after(engine, 5).usage().ioWait()).as("the mean of both").isBetween(0.14, 0.16);
  }

  @Test
  void aSourceThatFailsTakesNothingAwayUntilItIsStale() throws EngineException {
    MeteredEngine engine = engine();
    after(engine, 5);
    source.fails = true;
    assertThat(after(engine, 30).usage().known()).isTrue();
    NodeState later = after(engine, 31);
    assertThat(later.usage().known()).isFalse();
    assertThat(later.read().missing()).containsExactly("ganglia at g: refused");
    assertThat(later.readable()).as("the database was read").isTrue();
    source.fails = false;
    assertThat(after(engine, 10).usage().known()).isTrue();
  }

  /** It would keep away all that is right until its time has come. */
  @Test
  void aReadingOfATimeToComeIsForgottenWhenTheClockIsRight() throws EngineException {
    MeteredEngine engine = engine();
    source.ahead = Duration.ofDays(1);
    assertThat(after(engine, 5).usage().known()).isFalse();
    source.ahead = Duration.ZERO;
    assertThat(after(engine, 15).usage().ioWait()).isEqualTo(0.2);

    source.ahead = Duration.ofSeconds(50);
    after(engine, 15);
    source.ahead = Duration.ZERO;
    assertThat(after(engine, 15).usage().ioWait()).isEqualTo(0.4);
  }
}
