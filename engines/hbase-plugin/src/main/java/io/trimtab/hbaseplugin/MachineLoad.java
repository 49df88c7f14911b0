package io.trimtab.hbaseplugin;

import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What the machine does, from Linux's {@code /proc}, so that a controller elsewhere can tell I/O
 * wait from idle time. Other systems send nothing.
 */
final class MachineLoad {
  /** Linux counts CPU time in hundredths of a second, whatever the kernel's own clock. */
  private static final long TICK_MS = 10;

  private final Path proc;

  MachineLoad(Path proc) {
    this.proc = proc;
  }

  void into(NodeReport.Builder report) throws IOException {
    if (!Files.isReadable(proc.resolve("stat"))) {
      return;
    }
    // cpu user nice system idle iowait irq softirq …
    String[] lines = read("stat").split("\n");
    String[] cpu = lines[0].split(" +");
    report.put(Field.CPU_USER_MS, (ticks(cpu, 1) + ticks(cpu, 2)) * TICK_MS);
    report.put(Field.CPU_SYSTEM_MS, (ticks(cpu, 3) + ticks(cpu, 6) + ticks(cpu, 7)) * TICK_MS);
    report.put(Field.CPU_IDLE_MS, ticks(cpu, 4) * TICK_MS);
    report.put(Field.CPU_IO_WAIT_MS, ticks(cpu, 5) * TICK_MS);
    long cores = Arrays.stream(lines).filter(line -> line.matches("cpu[0-9]+ .*")).count();
    report.put(Field.CORES, Math.max(1, cores));
    double load5 = Double.parseDouble(read("loadavg").split(" ")[1]);
    report.put(Field.LOAD5_MILLI, Math.round(load5 * 1000));
  }

  private static long ticks(String[] fields, int index) {
    return index < fields.length ? Long.parseLong(fields[index]) : 0;
  }

  private String read(String name) throws IOException {
    return new String(Files.readAllBytes(proc.resolve(name)), StandardCharsets.US_ASCII);
  }
}
