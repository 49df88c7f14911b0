package io.trimtab.hbase;

import io.trimtab.engineapi.NodeUsage;
import io.trimtab.hbaseplugin.NodeReport;
import io.trimtab.hbaseplugin.NodeReport.Field;
import io.trimtab.host.LocalProcess;
import io.trimtab.host.UsageReading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ServerName;

/**
 * Nodes' usage since they were last asked. Where from, in this order: the kernel, for a process on
 * this machine; the plug-in, which reads its machine's {@code /proc/stat}; the CPU time that the
 * process's JVM tells, all of it counted as user mode and with no I/O wait, which no JVM knows.
 */
final class UsageMeter {
  private final Path proc;
  private final Map<ServerName, UsageReading> last = new ConcurrentHashMap<>();

  /**
   * @param proc {@code /proc}
   */
  UsageMeter(Path proc) {
    this.proc = proc;
  }

  /** Takes a reading, and gives the usage since the node's previous one; empty if there is none. */
  Optional<NodeUsage> usage(ServerName server, ServerBeans beans, Optional<NodeReport> report)
      throws IOException {
    UsageReading now = read(server, beans, report);
    return Optional.ofNullable(last.put(server, now))
        .map(now::since)
        .filter(usage -> !usage.equals(NodeUsage.UNKNOWN));
  }

  /** Forgets servers that are gone. */
  void keep(Collection<ServerName> live) {
    last.keySet().retainAll(live);
  }

  Optional<LocalProcess> local(ServerName server, ServerBeans beans) {
    return LocalProcess.find(proc, server.getHostname(), beans.pid(), beans.startedAtMs());
  }

  private UsageReading read(ServerName server, ServerBeans beans, Optional<NodeReport> report)
      throws IOException {
    Optional<LocalProcess> local = local(server, beans);
    if (local.isPresent()) {
      return local.get().usage(System.nanoTime());
    }
    if (report.isPresent() && report.get().number(Field.CPU_USER_MS) >= 0) {
      return machine(report.get());
    }
    return new UsageReading(
        System.nanoTime(),
        beans.processCpuNs() / 1e9,
        0,
        beans.processors(),
        0,
        beans.load1(),
        "jvm");
  }

  private static UsageReading machine(NodeReport report) {
    double cores = Math.max(1, report.number(Field.CORES));
    return new UsageReading(
        System.nanoTime(),
        report.number(Field.CPU_USER_MS) / 1e3,
        report.number(Field.CPU_SYSTEM_MS) / 1e3,
        cores,
        report.number(Field.CPU_IO_WAIT_MS) / 1e3 / cores,
        report.number(Field.LOAD5_MILLI) / 1e3,
        "plug-in");
  }
}
