package io.trimtab.lab.setup;

import io.trimtab.config.FileProblem;
import io.trimtab.config.PrivateFiles;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.cluster.LabBoot;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.process.NodeSocketFactory;
import io.trimtab.lab.slot.LabSlot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes the configuration folder of every process; each has its own, so that nodes may differ. */
public final class SiteFiles {
  /** Buckets are whole multiples of 256 bytes. */
  private static final int BEYOND_BLOCK = 2 << 10;

  public static final String PLUGIN = "io.trimtab.hbaseplugin.ProfileEndpoint";
  private static final String OBSERVER = "io.trimtab.hbaseplugin.RequestObserver";

  /** For each block size of the standard profiles: a block and the row that it ends with. */
  private static final String BUCKET_SIZES =
      Profile.STANDARD.stream()
          .map(Profile::blockSizeBytes)
          .distinct()
          .sorted()
          .map(block -> Integer.toString(block + BEYOND_BLOCK))
          .collect(Collectors.joining(","));

  private final LabDir dir;
  private final LabState state;
  private final LabSlot slot;

  /** Empty in a lab that is not secure. */
  private final Optional<HBaseKeys> keys;

  public SiteFiles(LabDir dir, LabState state) {
    this.dir = dir;
    this.state = state;
    this.slot = state.addresses();
    this.keys = state.config().secure() ? Optional.of(new HBaseKeys(dir, state)) : Optional.empty();
  }

  /** Zookeeper, NameNode, master. */
  public void writeService(String process) {
    write(process, hdfs(), hbase(process));
    if (process.equals(LabBoot.NAMENODE)) {
      writePages(process);
    }
  }

  public void writeDataNode(LabState.Node node) {
    writeDataNode(node.dataNode(), slot.node(node.index()));
  }

  /** Of a DataNode at an address that has no other. */
  public void writeDataNode(String process, String ip) {
    Map<String, String> hdfs = hdfs();
    hdfs.put("dfs.datanode.data.dir", dir.data(process).toString());
    hdfs.put("dfs.datanode.hostname", ip);
    hdfs.put("dfs.datanode.address", ip + ":" + slot.dataNodePort());
    String page = ip + ":" + slot.dataNodeHttpPort();
    hdfs.put("dfs.datanode.http.address", page);
    hdfs.put("dfs.datanode.https.address", page);
    hdfs.put("dfs.datanode.ipc.address", ip + ":" + slot.dataNodeIpcPort());
    write(process, hdfs, hbase(process));
    writePages(process);
  }

  /** Of HDFS's processes only: HBase's would take it before their own file. */
  private void writePages(String process) {
    if (!state.config().tls()) {
      return;
    }
    Path file = dir.conf(process).resolve("ssl-server.xml");
    try {
      PrivateFiles.replace(
          file, xml(keys.orElseThrow().hdfsPages()).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UserError(file + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  public void writeRegionServer(LabState.Node node) {
    Map<String, String> hbase = hbase(node.regionServer());
    String ip = slot.node(node.index());
    hbase.put("hbase.unsafe.regionserver.hostname", ip);
    hbase.put("hbase.regionserver.ipc.address", ip);
    hbase.put("hbase.regionserver.port", Integer.toString(slot.regionServerPort()));
    hbase.put("hbase.regionserver.info.port", Integer.toString(slot.regionServerInfoPort()));
    hbase.put("hbase.regionserver.info.bindAddress", ip);
    Profile profile = node.profile();
    hbase.put("hfile.block.cache.size", Double.toString(profile.cacheFraction()));
    hbase.put(
        "hbase.regionserver.global.memstore.size", Double.toString(profile.memstoreFraction()));
    if (state.config().bucketCache() != null) {
      Path file = state.memory().resolve(node.regionServer());
      hbase.put("hbase.bucketcache.ioengine", state.config().bucketCacheEngine().setting(file));
    }
    if (state.config().plugin() && pluginPresent()) {
      if (state.config().secure()) {
        hbase.merge(
            "hbase.coprocessor.regionserver.classes", PLUGIN, (all, own) -> all + "," + own);
      }
      // The lab's own file may say otherwise.
      hbase.putIfAbsent("hbase.coprocessor.regionserver.classes", PLUGIN);
      hbase.putIfAbsent("hbase.coprocessor.user.region.classes", OBSERVER);
    }
    write(node.regionServer(), hdfs(), hbase);
  }

  private static boolean pluginPresent() {
    String resource = PLUGIN.replace('.', '/') + ".class";
    return SiteFiles.class.getClassLoader().getResource(resource) != null;
  }

  private Map<String, String> core(String process) {
    Map<String, String> core = new TreeMap<>();
    core.put("fs.defaultFS", "hdfs://" + slot.coordinator() + ":" + slot.nameNodePort());
    core.put("hadoop.tmp.dir", dir.tmp(process).toString());
    core.put("hadoop.rpc.socket.factory.class.default", NodeSocketFactory.class.getName());
    // All processes start at once; the early ones wait for the late ones. A DataNode tries again by
    // itself, and must not wait longer than Hadoop's 10 s for a dead one: until then, the log of a
    // dead RegionServer, and its regions, can't be opened.
    core.put("ipc.client.connect.max.retries", process.endsWith("datanode") ? "40" : "240");
    core.put("ipc.client.connect.retry.interval", "250");
    keys.ifPresent(k -> core.putAll(k.core()));
    return core;
  }

  private Map<String, String> hdfs() {
    Map<String, String> hdfs = new TreeMap<>();
    hdfs.put("dfs.replication", "2");
    hdfs.put("dfs.permissions.enabled", "false");
    hdfs.put("dfs.namenode.name.dir", dir.data("namenode").toString());
    // One of them is served: dfs.http.policy says which.
    String page = slot.coordinator() + ":" + slot.nameNodeHttpPort();
    hdfs.put("dfs.namenode.http-address", page);
    hdfs.put("dfs.namenode.https-address", page);
    hdfs.put("dfs.namenode.handler.count", "8");
    hdfs.put("dfs.datanode.handler.count", "4");
    hdfs.put("dfs.datanode.max.transfer.threads", "512");
    hdfs.put("dfs.namenode.safemode.extension", "0");
    hdfs.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    hdfs.put("dfs.namenode.redundancy.considerLoad", "false");
    hdfs.put("dfs.hosts.exclude", dir.excludes().toString());
    // A lab's DataNodes die and leave for good within a minute, not eleven.
    hdfs.put("dfs.heartbeat.interval", "1");
    hdfs.put("dfs.namenode.heartbeat.recheck-interval", "10000");
    hdfs.put("dfs.namenode.stale.datanode.interval", "10000");
    hdfs.put("dfs.namenode.avoid.read.stale.datanode", "true");
    hdfs.put("dfs.namenode.avoid.write.stale.datanode", "true");
    hdfs.put("dfs.namenode.decommission.interval", "2");
    hdfs.put("dfs.namenode.redundancy.interval.seconds", "1");
    hdfs.put("dfs.namenode.reconstruction.pending.timeout-sec", "10");
    hdfs.put("dfs.namenode.replication.work.multiplier.per.iteration", "10");
    // Free space is the machine's, not a node's; 0 lets a nearly full disk still serve.
    hdfs.put("dfs.datanode.du.reserved", "0");
    keys.ifPresent(k -> hdfs.putAll(k.hdfs()));
    return hdfs;
  }

  private Map<String, String> hbase(String process) {
    Map<String, String> hbase = new TreeMap<>();
    hbase.put(
        "hbase.rootdir", "hdfs://" + slot.coordinator() + ":" + slot.nameNodePort() + "/hbase");
    hbase.put("hbase.cluster.distributed", "true");
    hbase.put("hbase.tmp.dir", dir.tmp(process).toString());
    hbase.put("hbase.zookeeper.quorum", slot.zookeeper());
    hbase.put("hbase.zookeeper.property.clientPort", Integer.toString(slot.zookeeperPort()));
    hbase.put("hbase.zookeeper.property.clientPortAddress", slot.zookeeper());
    hbase.put("hbase.zookeeper.property.dataDir", dir.data("zookeeper").toString());
    hbase.put("hbase.zookeeper.property.admin.enableServer", "false");
    hbase.put("hbase.zookeeper.property.maxClientCnxns", "0");
    hbase.put("hbase.master.hostname", slot.coordinator());
    hbase.put("hbase.master.ipc.address", slot.coordinator());
    hbase.put("hbase.master.port", Integer.toString(slot.masterPort()));
    hbase.put("hbase.master.info.port", Integer.toString(slot.masterInfoPort()));
    hbase.put("hbase.master.info.bindAddress", slot.coordinator());
    hbase.put("hbase.wal.provider", "filesystem");
    hbase.put("hbase.regionserver.handler.count", "24");
    hbase.put("hbase.regionserver.metahandler.count", "6");
    hbase.put("hbase.regionserver.replication.handler.count", "1");
    // At the default the reservoir of read buffers could outgrow the direct memory.
    hbase.put("hbase.server.allocator.max.buffer.count", "192");
    // Logs that are no longer needed would be copied when a node is removed.
    hbase.put("hbase.master.logcleaner.ttl", "60000");
    // A killed node is noticed by its ZooKeeper session.
    hbase.put("zookeeper.session.timeout", "20000");
    hbase.put("hbase.master.wait.on.regionservers.mintostart", "1");
    // It goes on as soon as all are there, instead of waiting for more to come.
    hbase.put("hbase.master.wait.on.regionservers.maxtostart", state.config().nodes().toString());
    hbase.put("hbase.master.wait.on.regionservers.interval", "500");
    if (state.config().bucketCache() != null) {
      bucketCache(hbase, process);
    }
    keys.ifPresent(k -> hbase.putAll(k.hbase()));
    hbase.putAll(state.config().site());
    return hbase;
  }

  /** Also for the master, whose balancer looks whether bucket caches persist. */
  private void bucketCache(Map<String, String> hbase, String process) {
    hbase.put("hbase.bucketcache.size", Long.toString(state.config().bucketCache().value() >> 20));
    if (state.config().cachesInFiles()) {
      hbase.put(
          "hbase.bucketcache.persistent.path", dir.tmp(process).resolve("bucket-cache").toString());
    }
    // Each second at the default, and each time another process is started to measure the file.
    hbase.put("hbase.bucketcache.persist.intervalinmillis", "60000");
    // Those that blocks have here. Each size keeps four buckets' worth of the largest, used or not:
    // with the fourteen default sizes a fifth of a cache of 100 MiB would stay empty.
    hbase.put("hbase.bucketcache.bucket.sizes", BUCKET_SIZES);
  }

  private void write(String process, Map<String, String> hdfs, Map<String, String> hbase) {
    Path conf = dir.conf(process);
    Map<String, String> both = new TreeMap<>(hdfs);
    both.putAll(hbase);
    keys.ifPresent(k -> both.putAll(k.core()));
    try {
      Files.createDirectories(conf);
      Files.createDirectories(dir.tmp(process));
      Files.writeString(conf.resolve("core-site.xml"), xml(core(process)));
      Files.writeString(conf.resolve("hdfs-site.xml"), xml(hdfs));
      // It may have the password of a key store.
      PrivateFiles.replace(
          conf.resolve("hbase-site.xml"), xml(both).getBytes(StandardCharsets.UTF_8));
      Files.writeString(conf.resolve("logback.xml"), logback(dir.log(process)));
    } catch (IOException e) {
      throw new UserError(conf + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  static String xml(Map<String, String> properties) {
    StringBuilder text = new StringBuilder("<configuration>\n");
    properties.forEach(
        (key, value) ->
            text.append("  <property><name>")
                .append(escape(key))
                .append("</name><value>")
                .append(escape(value))
                .append("</value></property>\n"));
    return text.append("</configuration>\n").toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  static String logback(Path log) {
    return """
        <configuration>
          <statusListener class="ch.qos.logback.core.status.NopStatusListener"/>
          <appender name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
            <file>%1$s</file>
            <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
              <fileNamePattern>%1$s.%%i</fileNamePattern>
              <minIndex>1</minIndex>
              <maxIndex>2</maxIndex>
            </rollingPolicy>
            <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
              <maxFileSize>8MB</maxFileSize>
            </triggeringPolicy>
            <encoder>
              <pattern>%%d %%-5level [%%t] %%logger{30}: %%msg%%n</pattern>
            </encoder>
          </appender>
          <logger name="org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit" level="OFF"/>
          <logger name="org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace" level="OFF"/>
          <logger name="BlockStateChange" level="WARN"/>
          <logger name="org.apache.hadoop.hdfs.StateChange" level="WARN"/>
          <root level="INFO"><appender-ref ref="FILE"/></root>
        </configuration>
        """
        .formatted(escape(log.toString()));
  }
}
