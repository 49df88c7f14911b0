package io.trimtab.workload;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.config.UserError;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HBaseWorkloadTargetTest {
  @Test
  void aClusterWithKerberosIsRefusedInOneLine() {
    ClusterAddress.HBase open = new ClusterAddress.HBase(Map.of("hbase.zookeeper.quorum", "zk1"));
    assertThatCode(() -> HBaseWorkloadTarget.requireOpen(open)).doesNotThrowAnyException();

    ClusterAddress.HBase secure =
        new ClusterAddress.HBase(
            Map.of("hbase.zookeeper.quorum", "zk1", "hbase.security.authentication", "kerberos"));
    assertThatThrownBy(() -> HBaseWorkloadTarget.requireOpen(secure))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "HBase by zk1: hbase.security.authentication is kerberos, and workload can't log in;"
                + " load it with another client");
  }
}
