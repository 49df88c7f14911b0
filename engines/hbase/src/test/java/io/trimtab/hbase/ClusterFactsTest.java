package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.host.Clocks;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which versions are driven, as the engine and the check of a connection say it. */
class ClusterFactsTest {
  private static Cluster of(String version) {
    Admin admin =
        FakeAdmin.of(
            Admin.class,
            (proxy, called, a) ->
                ClusterMetricsBuilder.newBuilder()
                    .setClusterId("c")
                    .setHBaseVersion(version)
                    .build());
    HBaseContact contact = HBaseContact.of(Map.of("hbase.zookeeper.quorum", "zk"));
    return new Cluster(contact, Clocks.SYSTEM, null, admin, admin);
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.0.0-alpha-4", "3.0.0-beta-1", "2.3.7", "2.60.1", "1.7.2"})
  void anotherVersionIsRefusedInOneLineAndTheCheckSaysSo(String version) {
    String why = "HBase " + version + " is not supported; 2.4 to 2.6 are";
    assertThatThrownBy(() -> ClusterFacts.read(of(version)))
        .isInstanceOf(EngineException.class)
        .hasMessage("zk:2181: " + why);

    ConnectionStep step = HBaseCheck.version(version);
    assertThat(step.works()).isFalse();
    assertThat(step.text()).startsWith("FAILED  version: " + why + "; to mend it: ");
  }

  @ParameterizedTest
  @CsvSource({
    "hdfs://a:8020/hbase, '', true",
    "viewfs://all/hbase, '', true",
    "/hbase, hdfs://a, true",
    "/hbase, s3a://bucket, false",
    "file:/data/hbase, hdfs://a, false",
    "S3A://bucket/hbase, hdfs://a, false",
    "other://x/hbase, '', true"
  })
  void whatMayBeHdfsCountsAsThat(String root, String by, boolean onHdfs) {
    assertThat(ClusterFacts.onHdfs(Map.of("hbase.rootdir", root, "fs.defaultFS", by)))
        .isEqualTo(onHdfs);
  }

  @Test
  void whereTablesMayBeSplitIsTheMastersSetting() {
    Map<String, String> settings = Map.of("hbase.regionserver.region.split.policy", "own.Policy");
    assertThat(
            ClusterFacts.of("c", "2.6.4", Optional.empty(), Optional.of(settings))
                .splits()
                .policy())
        .isEqualTo("own.Policy");
  }

  @Test
  void withoutTheMastersSettingsHdfsIsAssumed() {
    assertThat(ClusterFacts.onHdfs(Map.of())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.4.17", "2.5.13-hadoop3", "2.6.4-hadoop3"})
  void whatIsSupportedIsDriven(String version) throws EngineException {
    assertThat(ClusterFacts.read(of(version)).version()).isEqualTo(version);
    assertThat(HBaseCheck.version(version).text()).isEqualTo("ok      version: HBase " + version);
  }
}
