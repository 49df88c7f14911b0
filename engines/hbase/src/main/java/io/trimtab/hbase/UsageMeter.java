package io.trimtab.hbase;

import io.trimtab.engineapi.snapshot.DiskWait;
import io.trimtab.engineapi.snapshot.UsageReading;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.hbase.pages.ServerBeans;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.host.Clocks;
import io.trimtab.host.LocalProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;

/**
 * What nodes have used up to now. Where from, in this order: the kernel, for a process on this
 * machine; the plug-in, which reads its machine's {@code /proc/stat}: all of the machine, since its
 * RegionServer reads through a DataNode, whose waits are not its own; the CPU time that the
 * process's JVM reports, counted as user mode; its I/O wait, which no JVM knows, is unknown.
 */
final class UsageMeter {
  private final Path proc;
  private final Clocks clocks;

  /**
   * @param proc {@code /proc}
   */
  UsageMeter(Path proc, Clocks clocks) {
    this.proc = proc;
    this.clocks = clocks;
  }

  Optional<LocalProcess> local(ServerName server, ServerBeans beans) {
    return LocalProcess.find(proc, server.getHostname(), beans.pid(), beans.startedAtMs());
  }

  UsageReading read(ServerName server, ServerBeans beans, Optional<NodeReport> report)
      throws IOException {
    Optional<LocalProcess> local = local(server, beans);
    if (local.isPresent()) {
      return local.get().usage(clocks.nowNs());
    }
    if (report.isPresent() && report.get().number(Field.CPU_USER_MS) >= 0) {
      return machine(report.get());
    }
    return new UsageReading(
        clocks.nowNs(),
        beans.processCpuNs() / 1e9,
        0,
        beans.processors(),
        DiskWait.NONE,
        beans.load1() / beans.processors(),
        "jvm");
  }

  private UsageReading machine(NodeReport report) {
    double cores = Math.max(1, report.number(Field.CORES));
    return new UsageReading(
        clocks.nowNs(),
        report.number(Field.CPU_USER_MS) / 1e3,
        report.number(Field.CPU_SYSTEM_MS) / 1e3,
        cores,
        DiskWait.of(WaitSource.MACHINE, report.number(Field.CPU_IO_WAIT_MS) / 1e3 / cores),
        report.number(Field.LOAD5_MILLI) / 1e3 / cores,
        "plug-in");
  }
}
