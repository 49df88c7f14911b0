package io.trimtab.contract.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.contract.LiveCluster;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.sources.NodeNames;
import io.trimtab.testkit.process.LiveProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What real exporters tell of a real node under load, by the files that are shipped for its
 * database, agrees with what the native source tells of it: the database and the kernel.
 */
abstract class ExportersContract extends LiveCluster {
  /** As long as the window of the rates. */
  private static final long WATCHED_MS = 15_000;

  /** Of shares of all cores, or of the time: windows begin and end a second or two apart. */
  private static final double SHARE = 0.2;

  /** Of bytes, as a share of all there are: others write, too. */
  private static final double BYTES = 0.03;

  /** Of requests in a second, as a share: HBase's two counters differ in what a request is. */
  private static final double RATE = 0.3;

  /** Of a 99th percentile, as a share, beside a millisecond, in which HBase counts. */
  private static final double PERCENTILE = 0.25;

  /** At percentiles. */
  private static final int LOOKS = 40;

  @TempDir Path folder;

  /** As the shipped files are named. */
  protected abstract String database();

  /** Kind of the node's process that has its metrics. */
  protected abstract String process();

  /** The 99th percentile that the node itself tells, as the native source reads it. */
  protected abstract double p99Ms(NodeState node);

  /** The only node. */
  protected final LabNode node() {
    return lab().nodes().get(0);
  }

  protected final String host() {
    return NodeNames.host(node().id().name());
  }

  @Test
  void everyMetricThatPrometheusTellsIsThatOfTheNodeAndTheKernel() throws Exception {
    int exporter = LiveProcesses.freePort();
    Path rules = NodeAgents.rules(database(), folder);
    NodeAgents.load(
        node(), process(), NodeAgents.JMX_EXPORTER, "%s:%d:%s".formatted(host(), exporter, rules));
    try (LivePrometheus prometheus = LivePrometheus.start(folder, host(), exporter);
        MetricSource source = prometheus.source(database(), lab().dir().root())) {
      underLoad(
          "exported",
          () -> {
            await(source, EnumSet.allOf(Metric.class));
            prometheus.assertAlive();
            compare(source);
            percentilesAgree(source);
          });
    }
  }

  private void compare(MetricSource source) throws Exception {
    NodeId id = node().id();
    NodeState before = state(id);
    MachineFigures then = MachineFigures.read();
    pause(WATCHED_MS);
    NodeReadings told = source.read(List.of(id)).get(id);
    NodeState after = state(id);
    MachineFigures now = MachineFigures.read();

    double user = value(told, Metric.CPU_USER);
    double system = value(told, Metric.CPU_SYSTEM);
    assertThat(user).as("user").isCloseTo(now.user(then), within(SHARE));
    assertThat(system).as("system").isCloseTo(now.system(then), within(SHARE));
    assertThat(value(told, Metric.CPU_IO_WAIT)).isCloseTo(now.ioWait(then), within(SHARE));
    assertThat(value(told, Metric.DISK_BUSY)).isCloseTo(now.diskBusy(then), within(SHARE));
    assertThat(value(told, Metric.CORES)).isEqualTo(now.cores());
    assertThat(value(told, Metric.LOAD5)).isCloseTo(after.usage().load5(), within(SHARE));
    assertThat(value(told, Metric.MEMORY_USED))
        .isCloseTo(now.memoryUsedBytes(), within(BYTES * now.memoryBytes()));
    double ofNode = after.usage().cpu() * after.usage().limits().cores() / now.cores();
    assertThat(ofNode).as("the node's part of it").isLessThan(user + system + SHARE);

    DiskSpace disk = after.gauges().disk();
    assertThat(disk.known()).isTrue();
    double bytes = disk.capacityBytes();
    assertThat(value(told, Metric.DISK_SIZE)).isCloseTo(bytes, within(BYTES * bytes));
    assertThat(value(told, Metric.DISK_FREE))
        .isCloseTo(bytes - disk.usedBytes(), within(BYTES * bytes));

    double served = after.gauges().times().requests() - before.gauges().times().requests();
    double perSecond = 1e9 * served / (now.atNs() - then.atNs());
    assertThat(perSecond).as("there is a load").isGreaterThan(10);
    assertThat(value(told, Metric.REQUESTS)).isCloseTo(perSecond, within(RATE * perSecond));
  }

  /** By medians of some looks, since a node's percentile changes from second to second. */
  protected final void percentilesAgree(MetricSource source) throws IOException, EngineException {
    NodeId id = node().id();
    double[] own = new double[LOOKS];
    double[] told = new double[LOOKS];
    for (int i = 0; i < LOOKS; i++) {
      own[i] = p99Ms(state(id));
      told[i] = value(source.read(List.of(id)).get(id), Metric.P99_MS);
      pause(500);
    }
    double expected = median(own);
    assertThat(expected).as("there is a load").isPositive();
    assertThat(median(told)).as("ms").isCloseTo(expected, within(1 + PERCENTILE * expected));
  }

  private static double median(double[] values) {
    return Arrays.stream(values).sorted().skip(values.length / 2).findFirst().orElseThrow();
  }

  private NodeState state(NodeId id) throws EngineException {
    return engine().snapshot().node(id).orElseThrow();
  }

  protected static double value(NodeReadings told, Metric metric) {
    return told.of(metric).orElseThrow(() -> new AssertionError("no " + metric.key())).value();
  }

  /** Until a source tells all of these metrics; rates need two scrapes. */
  protected final NodeReadings await(MetricSource source, Collection<Metric> metrics) {
    NodeId id = node().id();
    String problem = "";
    for (int i = 0; i < 120; i++) {
      try {
        NodeReadings told = source.read(List.of(id)).getOrDefault(id, NodeReadings.NONE);
        if (told.values().keySet().containsAll(metrics)) {
          return told;
        }
        problem = "not all yet: " + told.values().keySet();
      } catch (IOException e) {
        problem = e.getMessage();
      }
      pause(1_000);
    }
    throw new AssertionError(problem);
  }
}
