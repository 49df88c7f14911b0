package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The adapter is a client: a controller does not carry the servers along. */
class AdapterClassPathTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.hadoop.hbase.regionserver.HRegionServer",
        "org.apache.hadoop.hdfs.server.namenode.NameNode",
        "io.trimtab.hbaseplugin.ProfileEndpoint"
      })
  void noServerIsOnIt(String type) {
    assertThatThrownBy(() -> Class.forName(type, false, HBaseEngine.class.getClassLoader()))
        .isInstanceOf(ClassNotFoundException.class);
  }
}
