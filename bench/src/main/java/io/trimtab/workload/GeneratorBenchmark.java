package io.trimtab.workload;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the workload generator can ask for, with one client thread and a target that does nothing
 * but hand out what was last written, so that contents are verified as in every run.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@Fork(
    value = 3,
    jvmArgs = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class GeneratorBenchmark {
  private static final int RECORDS = 20_000;
  private static final int SECONDS = 2;

  @Param({"{read: 1.0}", "{update: 1.0}", "{read: 0.5, update: 0.5}"})
  public String mix;

  private WorkloadSpec spec;
  private Map<String, AcknowledgedWrites> ledgers;
  private LastWritten target;

  /** What a run achieved. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Achieved {
    public double operationsPerSecond;
    public long wrongOrLost;
  }

  @Setup
  public void setUp() {
    spec =
        WorkloadSpec.parse(
            "benchmark",
            """
            duration: %ds
            tenants:
              - name: t
                records: %d
                fields: 1
                fieldLength: 1000
                mix: %s
                distribution: {kind: hotspot, hotKeys: 0.4, hotOperations: 0.5}
                threads: 1
            """
                .formatted(SECONDS, RECORDS, mix));
    ledgers = Map.of("t", new AcknowledgedWrites(RECORDS, 0));
    target = new LastWritten(spec.tenants().get(0));
  }

  @Benchmark
  public void run(Achieved achieved) throws InterruptedException {
    try (WorkloadRun run = WorkloadRun.start(spec, target, ledgers, samples -> {})) {
      run.await();
      var summary = run.summaries().get(0);
      achieved.operationsPerSecond = summary.operations() / (double) SECONDS;
      achieved.wrongOrLost = summary.wrong() + summary.lost();
    }
  }

  private static final class LastWritten implements Target {
    private final Map<ByteBuffer, byte[][]> rows = new HashMap<>();

    LastWritten(TenantSpec tenant) {
      Keys keys = new Keys(tenant);
      for (int i = 0; i < RECORDS; i++) {
        byte[] value = Content.value(i, 0, AcknowledgedWrites.LOADED, tenant.fieldLength());
        rows.put(ByteBuffer.wrap(keys.key(i)), new byte[][] {value});
      }
    }

    @Override
    public void create(TenantSpec tenant, boolean drop) {
      throw new UnsupportedOperationException("loaded by its constructor");
    }

    @Override
    public void load(TenantSpec tenant, long version, List<Row> loaded) {
      throw new UnsupportedOperationException("loaded by its constructor");
    }

    @Override
    public void loaded(TenantSpec tenant) {}

    @Override
    public boolean ordered() {
      return true;
    }

    @Override
    public void forEach(TenantSpec tenant, Consumer<Row> visitor) {
      throw new UnsupportedOperationException("read by its benchmark only");
    }

    @Override
    public byte[][] read(TenantSpec tenant, byte[] key) {
      return rows.get(ByteBuffer.wrap(key));
    }

    @Override
    public List<Row> scan(TenantSpec tenant, byte[] key, int limit) {
      throw new UnsupportedOperationException("no scans in this benchmark");
    }

    @Override
    public void write(TenantSpec tenant, byte[] key, long version, byte[][] values) {
      rows.put(ByteBuffer.wrap(key), values);
    }

    @Override
    public void close() {}
  }
}
