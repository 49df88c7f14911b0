package io.trimtab.cli.slo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.runtime.service.ServiceWatch;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Reporter;
import io.trimtab.workload.Sample;
import io.trimtab.workload.Target;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load generator and the port for reports, without a cluster. */
final class AdmittedClientsTest {
  /** Enough for three reports, one a second, on a slow machine. */
  private static final int SECONDS_MAX = 30;

  @TempDir private Path folder;
  private final BlockingQueue<Long> seconds = new LinkedBlockingQueue<>();

  /** A database in memory whose answers take a millisecond. */
  private static final class InMemory implements Target {
    private final Map<String, byte[][]> rows = new ConcurrentHashMap<>();

    @Override
    public void create(TenantSpec tenant, boolean drop) {}

    @Override
    public void load(TenantSpec tenant, long version, List<Row> loaded) {
      loaded.forEach(row -> write(tenant, row.key(), version, row.values()));
    }

    @Override
    public void loaded(TenantSpec tenant) {}

    @Override
    public byte[][] read(TenantSpec tenant, byte[] key) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      return rows.get(new String(key, UTF_8));
    }

    @Override
    public List<Row> scan(TenantSpec tenant, byte[] key, int limit) {
      return List.of();
    }

    @Override
    public boolean ordered() {
      return false;
    }

    @Override
    public void write(TenantSpec tenant, byte[] key, long version, byte[][] values) {
      rows.put(new String(key, UTF_8), values);
    }

    @Override
    public void forEach(TenantSpec tenant, Consumer<Row> visitor) {}

    @Override
    public void close() {}
  }

  /** Two nodes give two clients 0.002 MB/s, which are 20 operations of 100 bytes. */
  private ServiceWatch watch() throws Exception {
    Path sla = folder.resolve("sla.yaml");
    Files.writeString(
        sla, "{name: shop, workload: zipf, clients: 2, objective: {responseTime: 20ms}}\n");
    Path table = folder.resolve("t.csv");
    Files.writeString(
        table,
        """
        workload,nodeType,clients,nodes,responseTimeMs,throughputMBps
        zipf,small,2,2,10,0.002
        zipf,small,8,2,80,0.002
        """);
    SloSettings settings =
        SloSettings.builder()
            .sla(sla.toString())
            .tables(List.of(table.toString()))
            .listen("127.0.0.1:0")
            .build();
    ServiceWatch watch =
        ServiceWatch.open(settings, 2, System::nanoTime, SystemPorts.ports().listeners());
    watch.check(twoNodes());
    return watch;
  }

  private static ClusterSnapshot twoNodes() {
    return new ClusterSnapshot(
        Instant.EPOCH,
        "c",
        "test",
        Ownership.ASSIGNED,
        "1",
        1,
        List.of(node("n1:1"), node("n2:1")),
        List.of(),
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of());
  }

  private static NodeState node(String id) {
    return new NodeState(
        new NodeId(id),
        1,
        true,
        false,
        Optional.empty(),
        false,
        NodeUsage.UNKNOWN,
        NodeGauges.UNKNOWN);
  }

  private void heard(List<Sample> second) {
    seconds.add(second.get(0).operations());
  }

  /** Whether there comes a second of so many operations. */
  private boolean comes(LongPredicate operations) throws InterruptedException {
    for (int i = 0; i < SECONDS_MAX; i++) {
      Long done = seconds.poll(30, TimeUnit.SECONDS);
      assertThat(done).as("the load has ended").isNotNull();
      if (operations.test(done)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void clientsAboveTheAgreedNumberKeepToWhatThePortAdmits() throws Exception {
    WorkloadSpec spec =
        WorkloadSpec.parse(
            "t.yaml",
            """
            tenants:
              - {name: shop, records: 100, fields: 1, threads: 4, mix: {read: 1.0}}
            """);
    InMemory target = new InMemory();
    Map<String, AcknowledgedWrites> ledgers = new Loader(spec, target).load((done, of) -> {});
    ServiceWatch watch = watch();
    URI port = URI.create("http://127.0.0.1:" + watch.port() + "/report");
    Reporter reporter = new Reporter(port, Duration.ofSeconds(1), spec);
    try (WorkloadRun run =
        WorkloadRun.start(spec, target, ledgers, reporter.andThen(this::heard))) {
      try (watch) {
        reporter.admits(run::admit);
        assertThat(comes(operations -> operations > 200)).as("unbound").isTrue();
        assertThat(comes(operations -> operations > 0 && operations < 100)).as("bound").isTrue();
        assertThat(watch.clientsNow().get(0).clients()).isEqualTo(4);
        assertThat(watch.clientsNow().get(0).admittedMBps()).isEqualTo(0.002);
      }
      assertThat(comes(operations -> operations > 200)).as("nobody asks for less").isTrue();
    }
  }
}
