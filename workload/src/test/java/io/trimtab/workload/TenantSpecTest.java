package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.workload.TenantSpec.Consistency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TenantSpecTest {
  private static TenantSpec tenant(Consistency consistency) {
    Mix reads = new Mix(1.0, null, null, null, null);
    return new TenantSpec(
        "t",
        null,
        null,
        100,
        null,
        null,
        null,
        null,
        null,
        reads,
        null,
        null,
        null,
        2,
        null,
        null,
        consistency);
  }

  @Test
  void scansFetchTheirRowsInCallsOfAsManyAsIsSaid() {
    assertThat(tenant(null).rowsPerCall()).isNull();
    assertThat(tenant(null).fetched(70)).isEqualTo(70);
    TenantSpec parts = tenant(null).scanning(100, 20);
    assertThat(parts.fetched(70)).isEqualTo(20);
    assertThat(parts.fetched(7)).isEqualTo(7);
    assertThat(parts.scaled(10, 2, null).rowsPerCall()).isEqualTo(20);
    assertThat(parts.loading().rowsPerCall()).isEqualTo(20);
    assertThatThrownBy(
            () ->
                WorkloadSpec.parse(
                    "w.yaml", "tenants: [{name: t, records: 9, mix: {scan: 1.0}, rowsPerCall: 0}]"))
        .hasMessageContaining("rowsPerCall: must be in [1, 100000], not 0");
  }

  /** What is read from one copy must be on every one before it is looked for. */
  @ParameterizedTest
  @EnumSource(Consistency.class)
  void fewCopiesToReadMeanAllCopiesToLoad(Consistency consistency) {
    TenantSpec asked = tenant(consistency);
    boolean majority = consistency == Consistency.QUORUM || consistency == Consistency.LOCAL_QUORUM;

    assertThat(asked.loading().consistency()).isEqualTo(majority ? consistency : Consistency.ALL);
    assertThat(asked.loading().records()).isEqualTo(asked.records());
    assertThat(asked.consistency()).isEqualTo(consistency);
  }
}
