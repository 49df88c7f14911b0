package io.trimtab.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.models.usage.ScanShape;
import io.trimtab.workload.TenantSpec;
import org.junit.jupiter.api.Test;

class ScanKindTest {
  private static TenantSpec table(int fields, int bytes, int blockSize) {
    return ModelBuilder.tenant("t", 40_000, fields, bytes, blockSize, 4);
  }

  @Test
  void aScanIsWhatItsClientAsksFor() {
    // Rows of 1,051 bytes: 32 fill 32 KiB.
    ScanShape scan = new ScanKind("t", 159, 1).shape(table(1, 1_000, 32 << 10));
    assertThat(scan.calls()).isEqualTo(1);
    assertThat(scan.rows()).isEqualTo(80);
    assertThat(scan.columns()).isEqualTo(1);
    assertThat(scan.blocks()).isCloseTo(1 + 79 / 32.0, within(1e-12));

    // Eight of them fill 8 KiB.
    assertThat(new ScanKind("t", 39, 1).shape(table(1, 1_000, 8 << 10)).blocks())
        .isCloseTo(1 + 19 / 8.0, within(1e-12));

    // Cells of 151 bytes: 218 fill 32 KiB.
    ScanShape wide = new ScanKind("t", 39, 1).shape(table(10, 100, 32 << 10));
    assertThat(wide.columns()).isEqualTo(10);
    assertThat(wide.blocks()).isCloseTo(1 + 19 / 21.8, within(1e-12));
  }

  @Test
  void callsAreThoseThatFetchTheRows() {
    // Of 1 to 39 rows in fives: 1 to 8 calls.
    ScanKind kind = new ScanKind("t", 39, 0.9, 5);
    double calls = (5 * (1 + 2 + 3 + 4 + 5 + 6 + 7) + 4 * 8) / 39.0;
    assertThat(kind.shape(table(1, 1_000, 32 << 10)).calls()).isCloseTo(calls, within(1e-12));
    assertThat(kind.shape(table(1, 1_000, 32 << 10)).rows()).isEqualTo(20);
  }

  /** An interrupted build goes on with measurements by these names. */
  @Test
  void kindsHaveNamesOfTheirOwn() {
    assertThat(new ScanKind("m", 39, 0.9).name()).isEqualTo("scans of 39 in m, 0.90 of the cache");
    assertThat(new ScanKind("m", 39, 0.9, 5).name())
        .isEqualTo("scans of 39 in m, 0.90 of the cache, 5 rows a call");
  }
}
