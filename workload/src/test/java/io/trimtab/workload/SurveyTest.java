package io.trimtab.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a run finds in its table before it begins. */
class SurveyTest {
  private static final TenantSpec TENANT =
      WorkloadSpec.parse(
              "test.yaml",
              """
              tenants:
                - {name: t, records: 10, fields: 2, fieldLength: 40, mix: {read: 1.0}}
              """)
          .tenants()
          .get(0);

  private final MemoryTarget target = new MemoryTarget();

  @BeforeEach
  void load() {
    for (int number = 0; number < 12; number++) {
      put(number, new Values(TENANT).of(number, 3));
    }
  }

  private void put(long number, byte[][] values) {
    target.load(TENANT, 3, List.of(new Target.Row(new Keys(TENANT).key(number), values)));
  }

  private AcknowledgedWrites survey() throws IOException {
    return new Verifier(target).survey(TENANT);
  }

  @Test
  void versionsAndInsertsOfEarlierRunsAreKnown() throws IOException {
    AcknowledgedWrites found = survey();
    assertThat(found.floor(9)).isEqualTo(3);
    assertThat(found.firstInsert()).isEqualTo(12);
  }

  /** As of a table that was loaded with fewer fields than its file has now. */
  @Test
  void aRowWithoutAFieldIsToldInWords() {
    put(4, new byte[][] {new Values(TENANT).of(4, 3)[0], null});
    assertStrange();
  }

  @Test
  void aBrokenInsertedRowIsTold() {
    byte[][] values = new Values(TENANT).of(11, 3);
    values[1][30] ^= 1;
    put(11, values);
    assertStrange();
  }

  @Test
  void somebodyElsesRowIsTold() {
    put(20, new byte[][] {"a value of an application's own".getBytes(UTF_8), new byte[40]});
    assertStrange();
  }

  private void assertStrange() {
    assertThatThrownBy(this::survey)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("table t holds what no load or run of tenant t has written")
        .hasMessageContaining("(rows: 1)");
  }
}
