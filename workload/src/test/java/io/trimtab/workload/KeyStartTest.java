package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys that begin elsewhere than at 0, as YCSB's {@code insertstart} has it. */
@Timeout(60)
class KeyStartTest {
  @TempDir private Path folder;

  private Path file(String... lines) throws Exception {
    return Files.write(folder.resolve("workloadx"), List.of(lines));
  }

  private static String key(TenantSpec tenant, long number) {
    return new String(new Keys(tenant).key(number), StandardCharsets.US_ASCII);
  }

  @Test
  void insertStartIsTheFirstOfTheRecordsThatAreLeft() throws Exception {
    List<String> warnings = new ArrayList<>();
    Path file =
        file("recordcount=1000", "insertstart=400", "insertcount=600", "insertorder=ordered");

    TenantSpec tenant = YcsbProperties.read(file, warnings::add).tenants().get(0);

    assertThat(warnings).isEmpty();
    assertThat(tenant.records()).isEqualTo(600);
    assertThat(tenant.keyStart()).isEqualTo(400);
    assertThat(key(tenant, 0)).isEqualTo("user0000000000000000400");
    assertThat(key(tenant, 599)).isEqualTo("user0000000000000000999");
    Path none = file("recordcount=10", "insertstart=10");
    assertThatThrownBy(() -> WorkloadSpec.read(none))
        .isInstanceOf(UserError.class)
        .hasMessage(none + ": insertstart: must be less than recordcount, 10, not 10");
  }

  @Test
  void hashedKeysAreThoseOfAnotherClientThatLoadsAll() throws Exception {
    TenantSpec all = WorkloadSpec.read(file("recordcount=1000")).tenants().get(0);
    TenantSpec part =
        WorkloadSpec.read(file("recordcount=1000", "insertstart=400")).tenants().get(0);

    assertThat(key(part, 0)).isEqualTo(key(all, 400));
    assertThat(key(part, 599)).isEqualTo(key(all, 999));
  }

  @Test
  void partitionsBeginWhereTheKeysAre() {
    TenantSpec tenant =
        WorkloadSpec.parse(
                "w.yaml",
                "tenants:\n  - {name: a, records: 100, partitions: 2, keyStart: 5000,"
                    + " mix: {read: 1}}\n")
            .tenants()
            .get(0);

    assertThat(new String(new Keys(tenant).splits()[0], StandardCharsets.US_ASCII))
        .isEqualTo("user0000000000000005050");
    assertThatThrownBy(
            () ->
                WorkloadSpec.parse(
                    "w.yaml",
                    "tenants:\n  - {name: a, records: 1, keyStart: -1, mix: {read: 1}}\n"))
        .hasMessageContaining("keyStart: must be in [0, 1000000000000000], not -1");
  }

  /** Everything that is read during the run and at its end is compared with what was written. */
  @Test
  void whatIsWrittenIsFoundAgain() throws Exception {
    WorkloadSpec spec =
        WorkloadSpec.parse(
            "w.yaml",
            "tenants:\n  - {name: a, records: 200, keyStart: 5000, fields: 2, threads: 2,"
                + " operations: 2000, scanLength: 5,"
                + " mix: {read: 0.4, update: 0.3, insert: 0.2, scan: 0.1}}\n");
    try (MemoryTarget target = new MemoryTarget()) {
      Loader loader = new Loader(spec, target);
      loader.create(false);
      Map<String, AcknowledgedWrites> ledgers = loader.load((done, of) -> {});
      try (WorkloadRun run = WorkloadRun.start(spec, target, ledgers, samples -> {})) {
        run.await();
        Summary summary = run.summaries().get(0);
        assertThat(summary.operations()).isEqualTo(2_000);
        assertThat(summary.wrong() + summary.lost() + summary.errors()).isZero();
      }
      Verifier.Verification found = new Verifier(target).verify(spec, ledgers);
      assertThat(found.right()).as("%s", found).isTrue();
      assertThat(found.records()).isGreaterThan(200);
      assertThat(new Verifier(target).survey(spec.tenants().get(0)).floor(0)).isPositive();
    }
  }
}
