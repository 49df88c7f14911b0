package io.trimtab.cassandra.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator's file of the driver's options; nothing is connected. */
class DriverOptionsTest {
  @TempDir private Path folder;

  private DriverExecutionProfile of(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("application.conf"), text);
    return DriverOptions.of(file).getInitialConfig().getDefaultProfile();
  }

  private static String policy(DriverExecutionProfile options) {
    return options.getString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS);
  }

  @Test
  void aFileIsTakenButForTheControllersOwnOptions() throws IOException {
    DriverExecutionProfile options =
        of("datastax-java-driver.basic.request {timeout = 7 seconds, consistency = ONE}");
    assertThat(options.getDuration(DefaultDriverOption.REQUEST_TIMEOUT)).hasSeconds(7);
    assertThat(options.getString(DefaultDriverOption.REQUEST_CONSISTENCY)).isEqualTo("QUORUM");
    assertThat(options.getBoolean(DefaultDriverOption.NETTY_DAEMON)).isTrue();
  }

  /** The driver refuses one without a data centre. */
  @Test
  void aFileThatNamesNoDataCentreGetsThatOfTheContactPoints() throws IOException {
    String balancing = "datastax-java-driver.basic.load-balancing-policy.";
    assertThat(policy(of(""))).isEqualTo("DcInferringLoadBalancingPolicy");
    assertThat(policy(of(balancing + "local-datacenter = dc7")))
        .isEqualTo("DefaultLoadBalancingPolicy");
    assertThat(policy(of(balancing + "class = own.Policy"))).isEqualTo("own.Policy");
  }

  @Test
  void aFileThatCanNotBeReadIsNamedAndNotQuoted() {
    assertThatThrownBy(() -> DriverOptions.of(folder.resolve("none.conf")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none.conf: no such file");
    assertThatThrownBy(() -> of("password = { \"hunter2\""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("application.conf: can't be read as options")
        .message()
        .doesNotContain("hunter2");
  }
}
