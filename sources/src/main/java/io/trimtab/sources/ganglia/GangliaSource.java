package io.trimtab.sources.ganglia;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.sources.NodeNames;
import io.trimtab.sources.SourceConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ganglia's gmetad or gmond, the monitoring of both papers (Konstantinou 2011, §2; Cruz 2016,
 * §3.3): whoever connects is told of all hosts.
 *
 * <p>A host does not send what has not changed, but for its heartbeat. A value holds until the host
 * should long have sent it again, and is one of the time at which the host was heard of last.
 */
public final class GangliaSource implements MetricSource {
  private static final Logger LOG = LoggerFactory.getLogger(GangliaSource.class);

  /** Where gmetad writes all that it knows; gmond's is 8649. */
  private static final int GMETAD_PORT = 8651;

  /** A thousand hosts with a hundred metrics each have less. */
  private static final int BYTES_MAX = 64 << 20;

  private static final double PERCENT = 100;
  private static final double KIB = 1024;
  private static final double GB = 1e9;

  private final SourceConfig config;
  private final Clock clock;
  private final String host;
  private final int port;

  /**
   * A daemon; it is not asked yet.
   *
   * @param clock by which ages are turned into times
   */
  public GangliaSource(SourceConfig config, Clock clock) {
    this.config = config;
    this.clock = clock;
    this.host = NodeNames.host(config.address());
    this.port = NodeNames.port(config.address(), GMETAD_PORT);
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public Map<NodeId, NodeReadings> read(Collection<NodeId> nodes) throws IOException {
    NodeNames names = new NodeNames(nodes, config.hosts());
    Map<NodeId, List<GangliaHost>> entries = new TreeMap<>();
    for (GangliaHost told : hosts()) {
      List<NodeId> byName = names.of(told.name());
      for (NodeId node : byName.isEmpty() ? names.of(told.ip()) : byName) {
        entries.computeIfAbsent(node, n -> new ArrayList<>()).add(told);
      }
    }
    Instant now = clock.instant();
    Map<NodeId, NodeReadings> all = new TreeMap<>();
    entries.forEach(
        (node, told) ->
            only(node, told)
                .ifPresent(one -> all.put(node, readings(one, now.minus(one.silent())))));
    return all;
  }

  private List<GangliaHost> hosts() throws IOException {
    try {
      return GangliaXml.parse(receive());
    } catch (IOException e) {
      String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new IOException(
          "metric source %s at %s: %s".formatted(name(), config.address(), message), e);
    }
  }

  /**
   * The entry that is a node's host. A host that was renamed, or moved to another of a grid's
   * clusters, stays in the document as one that is down; of two that are up it is not known which
   * one counts.
   */
  private Optional<GangliaHost> only(NodeId node, List<GangliaHost> told) {
    if (told.size() == 1) {
      return Optional.of(told.get(0));
    }
    List<GangliaHost> alive = told.stream().filter(GangliaHost::alive).toList();
    if (alive.size() == 1) {
      return Optional.of(alive.get(0));
    }
    LOG.debug("{}: {} entries for {}, {} of them up", name(), told.size(), node, alive.size());
    return Optional.empty();
  }

  /** All until the daemon ends the connection. */
  private byte[] receive() throws IOException {
    long endNs = System.nanoTime() + config.timeout().toNanos();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), leftMs(endNs));
      ByteArrayOutputStream xml = new ByteArrayOutputStream();
      byte[] part = new byte[64 << 10];
      InputStream in = socket.getInputStream();
      while (true) {
        socket.setSoTimeout(leftMs(endNs));
        int count = in.read(part);
        if (count < 0) {
          return xml.toByteArray();
        }
        xml.write(part, 0, count);
        if (xml.size() > BYTES_MAX) {
          throw new IOException("the answer has more than " + (BYTES_MAX >> 20) + " MiB");
        }
      }
    }
  }

  private int leftMs(long endNs) throws SocketTimeoutException {
    long ms = Duration.ofNanos(endNs - System.nanoTime()).toMillis();
    if (ms <= 0) {
      throw new SocketTimeoutException(
          "no whole answer within " + config.timeout().toMillis() + " ms");
    }
    return (int) ms;
  }

  /** At the time at which its host was heard of last. */
  private NodeReadings readings(GangliaHost told, Instant at) {
    NodeReadings all = NodeReadings.NONE;
    all = put(all, told, Metric.CPU_SYSTEM, "cpu_system", PERCENT, at);
    all = put(all, told, Metric.CPU_IO_WAIT, "cpu_wio", PERCENT, at);
    all = put(all, told, Metric.CORES, "cpu_num", 1, at);
    OptionalDouble user = told.metric("cpu_user");
    if (user.isPresent()) {
      double nice = told.metric("cpu_nice").orElse(0);
      all = all.with(Metric.CPU_USER, (user.getAsDouble() + nice) / PERCENT, at);
    }
    all = put(all, told, Metric.LOAD5, "load_five", told.metric("cpu_num").orElse(Double.NaN), at);
    all = memory(all, told, at);
    if (config.mounts().contains("*")) {
      // Ganglia tells all of a host's disks together.
      all = put(all, told, Metric.DISK_SIZE, "disk_total", 1 / GB, at);
      all = put(all, told, Metric.DISK_FREE, "disk_free", 1 / GB, at);
    }
    return all;
  }

  private static NodeReadings memory(NodeReadings all, GangliaHost told, Instant at) {
    OptionalDouble total = told.metric("mem_total");
    OptionalDouble free = told.metric("mem_free");
    if (total.isEmpty() || free.isEmpty()) {
      return all;
    }
    double unused = free.getAsDouble();
    for (String pages : List.of("mem_buffers", "mem_cached")) {
      unused += told.metric(pages).orElse(0);
    }
    return all.with(Metric.MEMORY_USED, KIB * (total.getAsDouble() - unused), at);
  }

  private static NodeReadings put(
      NodeReadings all, GangliaHost told, Metric metric, String name, double divisor, Instant at) {
    OptionalDouble value = told.metric(name);
    return value.isPresent() ? all.with(metric, value.getAsDouble() / divisor, at) : all;
  }
}
