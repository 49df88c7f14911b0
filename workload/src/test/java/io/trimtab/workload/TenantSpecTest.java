package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.workload.TenantSpec.Consistency;
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
