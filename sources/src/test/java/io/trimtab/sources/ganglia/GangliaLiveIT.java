package io.trimtab.sources.ganglia;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.sources.Configs;
import io.trimtab.sources.LiveProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real gmond that measures this machine, and a real gmetad that asks it; Debian's packages {@code
 * ganglia-monitor} and {@code gmetad}. See {@code ./trimtab test --ganglia}.
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

  /** What gmond is told to measure. */
  private static final List<String> NAMES =
      List.of(
          "cpu_user",
          "cpu_nice",
          "cpu_system",
          "cpu_wio",
          "cpu_num",
          "load_five",
          "mem_total",
          "mem_free",
          "mem_buffers",
          "mem_cached",
          "disk_total",
          "disk_free");

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

  /** Where its modules are differs between packages; its own defaults know it. */
  private static String modules() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("gmond", "--default_config")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String defaults = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    int begin = defaults.indexOf("modules {");
    assertThat(begin).isNotNegative();
    int end = defaults.indexOf('{', begin) + 1;
    for (int open = 1; open > 0; end++) {
      open += defaults.charAt(end) == '{' ? 1 : defaults.charAt(end) == '}' ? -1 : 0;
    }
    return defaults.substring(begin, end);
  }

  /** Measures each second, and tells only itself. */
  private int startGmond() throws IOException, InterruptedException {
    int port = LiveProcesses.freePort();
    StringBuilder metrics = new StringBuilder();
    for (String name : NAMES) {
      metrics.append("  metric {\n    name = \"").append(name).append("\"\n  }\n");
    }
    Files.writeString(
        folder.resolve("gmond.conf"),
        """
        globals {
          daemonize = no
          setuid = no
          mute = no
          deaf = no
          send_metadata_interval = 1
        }
        cluster {
          name = "test"
        }
        udp_send_channel {
          host = 127.0.0.1
          port = %1$d
        }
        udp_recv_channel {
          bind = 127.0.0.1
          port = %1$d
        }
        tcp_accept_channel {
          bind = 127.0.0.1
          port = %1$d
        }
        %2$s
        collection_group {
          collect_every = 1
          time_threshold = 1
        %3$s}
        """
            .formatted(port, modules(), metrics));
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
    check(gmond);
    check(startGmetad(gmond));
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
