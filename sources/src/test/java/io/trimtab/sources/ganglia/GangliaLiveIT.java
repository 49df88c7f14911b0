package io.trimtab.sources.ganglia;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.sources.Configs;
import io.trimtab.sources.MetricSources;
import io.trimtab.sources.MetricsConfig;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import io.trimtab.testkit.process.LiveProcesses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real gmond that measures this machine with the configuration that Debian's package {@code
 * ganglia-monitor} installs, and a real gmetad that asks it, of the package {@code gmetad}. See
 * {@code ./trimtab test --ganglia}.
 */
@Tag("ganglia")
class GangliaLiveIT {
  private static final NodeId HERE = new NodeId("127.0.0.1:9042");
  private static final List<Metric> ALL =
      List.of(
          Metric.CPU_USER,
          Metric.CPU_SYSTEM,
          Metric.CPU_IO_WAIT,
          Metric.LOAD5,
          Metric.MEMORY_USED,
          Metric.CORES,
          Metric.DISK_SIZE,
          Metric.DISK_FREE);

  /** As Debian's package installs it. */
  private static final Path GMOND = Path.of("/etc/ganglia/gmond.conf");

  /** More than the hosts' heartbeat, less than nearly all intervals of that file. */
  private static final int STALE_S = 45;

  @TempDir Path folder;
  private LiveProcesses processes;

  @BeforeEach
  void begin() {
    processes = new LiveProcesses(folder);
  }

  @AfterEach
  void end() {
    processes.close();
  }

  /** With Debian's intervals and thresholds: only addresses and ports are others, and no daemon. */
  private int startGmond() throws IOException {
    int port = LiveProcesses.freePort();
    String group = "mcast_join = 239.2.11.71";
    String debian = Files.readString(GMOND);
    assertThat(debian)
        .as("Debian's file as it is installed")
        .contains("daemonize = yes", "setuid = yes", group, "port = 8649", "bind = 239.2.11.71")
        .contains("collect_every = 1800", "time_threshold = 3600");
    int receives = debian.indexOf("udp_recv_channel {");
    Files.writeString(
        folder.resolve("gmond.conf"),
        (debian.substring(0, receives).replace(group, "host = 127.0.0.1")
                + debian.substring(receives).replace(group, ""))
            .replace("daemonize = yes", "daemonize = no")
            .replace("setuid = yes", "setuid = no")
            .replace("bind = 239.2.11.71", "bind = 127.0.0.1")
            .replace("tcp_accept_channel {", "tcp_accept_channel {\n  bind = 127.0.0.1")
            .replace("port = 8649", "port = " + port));
    processes.start("gmond", "--conf=" + folder.resolve("gmond.conf"));
    return port;
  }

  private int startGmetad(int gmond) throws IOException {
    int port = LiveProcesses.freePort();
    Path rrds = Files.createDirectory(folder.resolve("rrds"));
    Files.writeString(
        folder.resolve("gmetad.conf"),
        """
        data_source "test" 1 127.0.0.1:%d
        setuid off
        xml_port %d
        interactive_port %d
        rrd_rootdir "%s"
        """
            .formatted(gmond, port, LiveProcesses.freePort(), rrds));
    // With messages it stays in the foreground.
    processes.start("gmetad", "--conf=" + folder.resolve("gmetad.conf"), "--debug=1");
    return port;
  }

  @Test
  void whatGmondAndGmetadTellOfThisMachineIsRead() throws Exception {
    int gmond = startGmond();
    int gmetad = startGmetad(gmond);
    check(gmond);
    check(gmetad);
    awaitAge(gmetad, "disk_total", STALE_S + 15);
    checkDisk(gmond);
    checkDisk(gmetad);
  }

  private void check(int port) throws Exception {
    try (GangliaSource source =
        new GangliaSource(
            Configs.source("type: ganglia", "address: 127.0.0.1:" + port, "mounts: [\"*\"]"),
            Clock.systemUTC())) {
      NodeReadings told = await(source);

      assertThat(value(told, Metric.CORES)).isEqualTo(processors());
      assertThat(value(told, Metric.CPU_IO_WAIT)).isBetween(0.0, 1.0);
      assertThat(value(told, Metric.CPU_USER) + value(told, Metric.CPU_SYSTEM)).isBetween(0.0, 1.0);
      assertThat(value(told, Metric.MEMORY_USED)).isPositive();
      assertThat(value(told, Metric.DISK_SIZE)).isGreaterThan(value(told, Metric.DISK_FREE));
    }
  }

  /** Of a host that reports, the size of its disks is known long after it was sent. */
  private static void checkDisk(int port) throws EngineException {
    MetricsConfig config =
        Configs.metrics(
            """
            sources:
              - type: ganglia
                address: 127.0.0.1:%d
                mounts: ["*"]
                hosts: {node001: 127.0.0.1}
            order: [ganglia, native]
            period: 1s
            history: 10s
            stale: %ds
            """
                .formatted(port, STALE_S));
    InMemoryCluster cluster =
        new InMemoryCluster(
            ClusterSpec.assigned(1, 3, TableSpec.of("t", 6, 1L << 20, Access.reads(100))));
    try (Engine engine =
        MetricSources.over(cluster.engine(), config, MetricSources.of(config, "hbase"))) {
      NodeState node = engine.snapshot().node(new NodeId("node001:16020")).orElseThrow();
      assertThat(node.usage().known()).isTrue();
      assertThat(node.usage().waitSource()).isEqualTo(WaitSource.MACHINE);
      assertThat(node.gauges().disk().known()).isTrue();
      assertThat(node.gauges().disk().capacityBytes()).isGreaterThan(1_000_000_000);
    }
  }

  /** Until the daemon's last word of a metric is so many seconds old. */
  private void awaitAge(int port, String metric, int seconds) throws Exception {
    Pattern told = Pattern.compile("NAME=\"" + metric + "\"[^>]* TN=\"(\\d+)\"");
    int age = -1;
    for (int i = 0; age < seconds; i++) {
      assertThat(i).as("%s is %d s old", metric, age).isLessThan(4 * seconds);
      processes.assertAlive();
      TimeUnit.SECONDS.sleep(1);
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        String xml =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        Matcher matcher = told.matcher(xml);
        age = matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
      }
    }
  }

  private static double value(NodeReadings told, Metric metric) {
    return told.of(metric).orElseThrow().value();
  }

  private static double processors() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines.filter(line -> line.startsWith("processor")).count();
    }
  }

  private NodeReadings await(GangliaSource source) throws InterruptedException {
    String problem = "";
    for (int i = 0; i < 120; i++) {
      processes.assertAlive();
      try {
        Map<NodeId, NodeReadings> told = source.read(List.of(HERE));
        NodeReadings here = told.getOrDefault(HERE, NodeReadings.NONE);
        if (here.values().keySet().containsAll(ALL)) {
          return here;
        }
        problem = "not all yet: " + told;
      } catch (IOException e) {
        problem = e.getMessage();
      }
      TimeUnit.SECONDS.sleep(1);
    }
    throw new AssertionError(problem);
  }
}
