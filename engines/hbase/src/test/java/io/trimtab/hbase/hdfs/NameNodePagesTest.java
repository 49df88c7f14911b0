package io.trimtab.hbase.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two HDFSs are in the master's settings: prod, which has HBase's data, and dr. */
class NameNodePagesTest {
  private final Map<String, String> settings = new HashMap<>();

  private List<String> pages(String root) {
    settings.put("hbase.rootdir", root);
    return NameNodePages.of(settings);
  }

  private void both(String key, int port) {
    settings.put(key + ".prod.nn1", "p1:" + port);
    settings.put(key + ".prod.nn2", "p2:" + port);
    settings.put(key + ".dr.nn1", "d1:" + port);
    settings.put(key + ".dr.nn2", "d2:" + port);
  }

  @Test
  void onlyThoseOfTheDatasNameserviceAreAsked() {
    both("dfs.namenode.http-address", 9870);
    assertThat(pages("hdfs://prod/hbase")).containsExactly("p1:9870", "p2:9870");
    assertThat(pages("hdfs://dr/hbase")).containsExactly("d1:9870", "d2:9870");

    settings.put("fs.defaultFS", "hdfs://prod");
    assertThat(pages("/hbase")).containsExactly("p1:9870", "p2:9870");
    assertThat(pages("hdfs:///hbase")).containsExactly("p1:9870", "p2:9870");
  }

  @Test
  void byHttpsAsWell() {
    both("dfs.namenode.https-address", 9871);
    settings.put("dfs.http.policy", "HTTPS_ONLY");
    assertThat(pages("hdfs://prod/hbase")).containsExactly("https://p1:9871", "https://p2:9871");
  }

  /** A name may begin with another one. */
  @Test
  void aNameserviceIsMoreThanTheBeginningOfItsName() {
    settings.put("dfs.namenode.http-address.prod", "p1:9870");
    settings.put("dfs.namenode.http-address.prod2", "p2:9870");
    assertThat(pages("hdfs://prod/hbase")).containsExactly("p1:9870");
  }

  @Test
  void aServersPageIsThatOfTheNameNodeWithItsAddress() {
    both("dfs.namenode.http-address", 9870);
    both("dfs.namenode.rpc-address", 8020);
    assertThat(pages("hdfs://P2:8020/hbase")).containsExactly("p2:9870");
    assertThat(pages("hdfs://p2/hbase")).containsExactly("p2:9870");
    assertThat(pages("hdfs://p2:8021/hbase")).as("another one of that host").isEmpty();
    assertThat(pages("hdfs://other:8020/hbase")).isEmpty();
  }

  /** One HDFS has a name and is elsewhere; the cluster's own has none. */
  @Test
  void theOnlyNameserviceNeedNotHaveTheData() {
    settings.put("dfs.nameservices", "dr");
    settings.put("dfs.namenode.http-address.dr.nn1", "d1:9870");
    settings.put("dfs.namenode.rpc-address.dr.nn1", "d1:8020");
    settings.put("dfs.namenode.http-address", "p1:9870");
    assertThat(pages("hdfs://p1:8020/hbase")).containsExactly("p1:9870");
  }

  @Test
  void behindAMountTableItIsNotKnownWhichOfSeveral() {
    both("dfs.namenode.http-address", 9870);
    assertThat(pages("viewfs://all/hbase")).isEmpty();

    settings.keySet().removeIf(name -> name.contains(".dr."));
    assertThat(pages("viewfs://all/hbase")).containsExactly("p1:9870", "p2:9870");
  }

  @Test
  void aFileSystemWithoutNameservicesHasOneNameNode() {
    settings.put("dfs.namenode.http-address", "p1:9870");
    assertThat(pages("hdfs://p1:8020/hbase")).containsExactly("p1:9870");
    settings.put("dfs.nameservices", "prod");
    assertThat(pages("hdfs://prod/hbase")).containsExactly("p1:9870");
    settings.put("dfs.namenode.http-address", "0.0.0.0:9870");
    assertThat(pages("hdfs://prod/hbase")).as("HDFS's default").isEmpty();
  }
}
