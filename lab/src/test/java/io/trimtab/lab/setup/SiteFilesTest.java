package io.trimtab.lab.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.config.Bytes;
import io.trimtab.config.PrivateFiles;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.cluster.CacheEngine;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.cluster.Role;
import io.trimtab.lab.process.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteFilesTest {
  @TempDir Path folder;

  @Test
  void everyNodeHasItsOwnAddressAndMemorySplit() {
    LabDir dir = new LabDir(folder);
    LabState state = state(Map.of());
    SiteFiles files = new SiteFiles(dir, state);
    state.nodes().forEach(files::writeRegionServer);

    Configuration first = hbase(dir, state.nodes().get(0));
    Configuration second = hbase(dir, state.nodes().get(1));

    assertThat(first.get("hbase.unsafe.regionserver.hostname")).isEqualTo("127.77.3.11");
    assertThat(second.get("hbase.unsafe.regionserver.hostname")).isEqualTo("127.77.3.12");
    assertThat(first.getDouble("hfile.block.cache.size", 0)).isEqualTo(0.55);
    assertThat(second.getDouble("hfile.block.cache.size", 0)).isEqualTo(0.10);
    assertThat(second.getDouble("hbase.regionserver.global.memstore.size", 0)).isEqualTo(0.55);
    assertThat(first.get("dfs.replication")).isEqualTo("2");
  }

  @Test
  void extraSettingsWinOverTheLabsOwnAndMayHoldMarkup() {
    LabDir dir = new LabDir(folder);
    LabState state = state(Map.of("hbase.regionserver.handler.count", "11", "x.y", "<a> & \"b\""));
    new SiteFiles(dir, state).writeRegionServer(state.nodes().get(0));

    Configuration conf = hbase(dir, state.nodes().get(0));

    assertThat(conf.getInt("hbase.regionserver.handler.count", 0)).isEqualTo(11);
    assertThat(conf.get("x.y")).isEqualTo("<a> & \"b\"");
  }

  @Test
  void bucketCachesAreInMemoryAndTheMasterKnowsThatTheyPersist() {
    LabDir dir = new LabDir(folder);
    LabState state =
        state(LabConfig.defaults().withName("e1").withBucketCache(Bytes.parse("117m")));
    SiteFiles files = new SiteFiles(dir, state);
    state.nodes().forEach(files::writeRegionServer);
    files.writeService("master");

    Configuration first = hbase(dir, state.nodes().get(0));
    Configuration master = hbase(dir, "master");

    assertThat(first.get("hbase.bucketcache.ioengine"))
        .isEqualTo("file:/dev/shm/trimtab-e1-s3/n1-regionserver")
        .isNotEqualTo(hbase(dir, state.nodes().get(1)).get("hbase.bucketcache.ioengine"));
    assertThat(first.getInt("hbase.bucketcache.size", 0)).isEqualTo(117);
    assertThat(first.get("hbase.bucketcache.bucket.sizes")).isEqualTo("34816,67584,133120");
    assertThat(master.get("hbase.bucketcache.persistent.path"))
        .isNotNull()
        .isNotEqualTo(first.get("hbase.bucketcache.persistent.path"));
    assertThat(master.get("hbase.bucketcache.ioengine")).isNull();
  }

  @Test
  void aBucketCacheOffTheHeapIsNoFileAndGetsDirectMemory() {
    LabDir dir = new LabDir(folder);
    LabConfig config = LabConfig.defaults().withName("e1");
    Bytes size = Bytes.parse("12m");
    LabState offHeap = state(config.withBucketCache(size, CacheEngine.OFFHEAP));
    new SiteFiles(dir, offHeap).writeRegionServer(offHeap.nodes().get(0));

    Configuration conf = hbase(dir, offHeap.nodes().get(0));
    assertThat(conf.get("hbase.bucketcache.ioengine")).isEqualTo("offheap");
    assertThat(conf.getInt("hbase.bucketcache.size", 0)).isEqualTo(12);
    assertThat(conf.get("hbase.bucketcache.persistent.path")).isNull();
    assertThat(arguments(dir, offHeap.config().cacheOffHeapBytes()))
        .contains("-XX:MaxDirectMemorySize=" + (60L << 20));

    LabState mapped = state(config.withBucketCache(size, CacheEngine.MMAP));
    new SiteFiles(dir, mapped).writeRegionServer(mapped.nodes().get(0));
    conf = hbase(dir, mapped.nodes().get(0));
    assertThat(conf.get("hbase.bucketcache.ioengine"))
        .isEqualTo("mmap:/dev/shm/trimtab-e1-s3/n1-regionserver");
    assertThat(conf.get("hbase.bucketcache.persistent.path")).isNotNull();
    assertThat(arguments(dir, mapped.config().cacheOffHeapBytes()))
        .contains("-XX:MaxDirectMemorySize=" + (48L << 20));
  }

  private static List<String> arguments(LabDir dir, long cacheBytes) {
    return JavaCommand.arguments(
        dir, "n1-regionserver", Role.REGIONSERVER, List.of("conf"), "127.77.3.11", 1, cacheBytes);
  }

  @Test
  void withoutABucketCacheNothingIsSaidOfOne() {
    LabDir dir = new LabDir(folder);
    LabState state = state(Map.of());
    new SiteFiles(dir, state).writeRegionServer(state.nodes().get(0));

    assertThat(hbase(dir, state.nodes().get(0)).getValByRegex("hbase\\.bucketcache.*")).isEmpty();
  }

  /** The password is where its user alone reads it; HBase's servers have another certificate. */
  @Test
  void withTlsHdfsServesItsPagesByHttpsOnly() throws IOException {
    LabDir dir = new LabDir(folder);
    SecretFiles secret = new SecretFiles(dir.secure());
    secret.create();
    secret.password(KeyStores.PASSWORD);
    LabState state = state(LabConfig.defaults().withSecure(true).withTls(true));
    SiteFiles files = new SiteFiles(dir, state);
    files.writeService("namenode");
    files.writeDataNode(state.nodes().get(0));
    files.writeService("master");

    String nameNode = "127.77.3.1:" + state.addresses().nameNodeHttpPort();
    Configuration master = hbase(dir, "master");
    assertThat(dir.conf("master").resolve("ssl-server.xml")).doesNotExist();
    assertThat(master.get("dfs.http.policy")).isEqualTo("HTTPS_ONLY");
    assertThat(master.get("dfs.namenode.https-address")).isEqualTo(nameNode);
    for (String process : List.of("namenode", state.nodes().get(0).dataNode())) {
      Configuration shown = read(dir, process, "ssl-server.xml");
      assertThat(shown.get("ssl.server.keystore.location"))
          .isEqualTo(dir.secure().resolve("hdfs.p12").toString());
      assertThat(shown.get("ssl.server.keystore.password"))
          .isEqualTo(secret.read(KeyStores.PASSWORD));
      assertThat(Files.getPosixFilePermissions(dir.conf(process).resolve("ssl-server.xml")))
          .isEqualTo(PrivateFiles.PERMISSIONS);
      assertThat(read(dir, process, "hdfs-site.xml").get("dfs.http.policy"))
          .isEqualTo("HTTPS_ONLY");
    }
    assertThat(
            read(dir, state.nodes().get(0).dataNode(), "hdfs-site.xml")
                .get("dfs.datanode.https.address"))
        .isEqualTo("127.77.3.11:" + state.addresses().dataNodeHttpPort());
  }

  @Test
  void argumentFilesQuoteBlanksQuotesAndBackslashes() {
    assertThat(JavaCommand.argumentFile(List.of("-Xmx1g", "-cp", "/a b:c\\d\"e")))
        .isEqualTo("\"-Xmx1g\"\n\"-cp\"\n\"/a b:c\\\\d\\\"e\"\n");
  }

  private static LabState state(Map<String, String> site) {
    return state(LabConfig.defaults().withSite(site));
  }

  private static LabState state(LabConfig config) {
    return new LabState(
        config,
        3,
        Owner.NONE,
        true,
        false,
        "none",
        false,
        2,
        List.of(new LabState.Node(1, Profile.READ), new LabState.Node(2, Profile.WRITE)));
  }

  private static Configuration hbase(LabDir dir, LabState.Node node) {
    return hbase(dir, node.regionServer());
  }

  private static Configuration hbase(LabDir dir, String process) {
    return read(dir, process, "hbase-site.xml");
  }

  private static Configuration read(LabDir dir, String process, String name) {
    Configuration conf = new Configuration(false);
    Path file = dir.conf(process).resolve(name);
    conf.addResource(new org.apache.hadoop.fs.Path(file.toString()));
    return conf;
  }
}
