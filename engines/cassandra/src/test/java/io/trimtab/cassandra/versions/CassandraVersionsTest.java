package io.trimtab.cassandra.versions;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.Version;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CassandraVersionsTest {
  private static CassandraVersions of(String... versions) {
    return new CassandraVersions(Arrays.stream(versions).map(Version::parse).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.0.19", "4.1.10", "5.0.0", "5.0-rc1", "5.0.9", "6.0-alpha2"})
  void whatIsSupportedIsDriven(String version) {
    assertThat(of(version).refusal()).isEmpty();
    assertThat(of(version).hindrance()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.0.32", "3.11.19", "4.0.0.6816", "5.1.0", "6.1.0", "7.0.0"})
  void anotherVersionIsRefusedInOneLine(String version) {
    assertThat(of(version).refusal())
        .contains("Cassandra " + version + " is not supported; 4.0, 4.1, 5.0 and 6.0 are");
    assertThat(of("5.0.9", version).refusal()).isEqualTo(of(version).refusal());
  }

  @Test
  void allVersionsOfARingAreToldInTheirOrder() {
    assertThat(of("5.0.10", "5.0.9", "5.0.9").text()).isEqualTo("5.0.9 and 5.0.10");
    assertThat(of("5.0.10", "5.0.8", "5.0.9").text()).isEqualTo("5.0.8, 5.0.9 and 5.0.10");
    assertThat(of().text()).isEqualTo("unknown");
    assertThat(of().refusal()).isEmpty();
  }

  @Test
  void patchesGoTogetherAndReleasesDoNot() {
    assertThat(of("5.0.8", "5.0.9").hindrance()).isEmpty();
    assertThat(of("5.0.9", "4.1.10").hindrance())
        .contains(
            "nodes run Cassandra 4.1.10 and 5.0.9: nothing is changed until all have the same"
                + " release");
  }
}
