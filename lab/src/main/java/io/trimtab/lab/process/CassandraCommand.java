package io.trimtab.lab.process;

import io.trimtab.clikit.ClassFiles;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.setup.CassandraKeys;
import io.trimtab.plugincore.ranking.ReplicaRanking;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The command line of a Cassandra node. Its jars are its own: they differ from HBase's. */
public final class CassandraCommand {
  private static final String MAIN = "org.apache.cassandra.service.CassandraDaemon";
  private static final String RANKING = ReplicaRanking.class.getName();

  private static final String SERVER = "cassandra-all-";

  private static final int RING_DELAY_MS = 4000;

  /** As in the options for 17 that Cassandra's own scripts read. */
  private static final List<String> EXPORTED =
      List.of(
          "java.base/java.lang.ref",
          "java.base/jdk.internal.misc",
          "java.base/jdk.internal.ref",
          "java.base/sun.nio.ch",
          "java.management.rmi/com.sun.jmx.remote.internal.rmi",
          "java.rmi/sun.rmi.registry",
          "java.rmi/sun.rmi.server",
          "java.rmi/sun.rmi.transport.tcp",
          "java.sql/java.sql",
          "jdk.unsupported/sun.misc");

  private static final List<String> OPENED =
      List.of(
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.module",
          "java.base/java.lang.reflect",
          "java.base/java.net",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/jdk.internal.loader",
          "java.base/jdk.internal.math",
          "java.base/jdk.internal.module",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.reflect",
          "java.base/jdk.internal.util.jar",
          "java.base/sun.nio.ch",
          "jdk.management.jfr/jdk.management.jfr",
          "jdk.management/com.sun.management.internal");

  private CassandraCommand() {}

  /**
   * The {@code java} of the nodes: this JVM's, unless {@code trimtab.cassandra.java} is the home of
   * another one.
   */
  public static Path java() {
    String home = System.getProperty("trimtab.cassandra.java", System.getProperty("java.home"));
    return Path.of(home, "bin", "java");
  }

  /**
   * The server's jars, from what the build wrote down, unless {@code trimtab.cassandra.classpath}
   * says others.
   */
  public static String classPath() {
    String others = System.getProperty("trimtab.cassandra.classpath");
    return others == null ? recorded() : others;
  }

  private static String recorded() {
    try (InputStream in =
        CassandraCommand.class.getResourceAsStream("/io/trimtab/cassandraserver/classpath")) {
      if (in == null) {
        throw new IllegalStateException("the build does not record where Cassandra's jars are");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new IllegalStateException("where Cassandra's jars are can't be read", e);
    }
  }

  /** The server's version, by the name of its jar. */
  public static String version() {
    String jar = jar(classPath(), SERVER);
    return jar.substring(jar.lastIndexOf(SERVER) + SERVER.length(), jar.lastIndexOf(".jar"));
  }

  /** All arguments of {@code java}. */
  public static List<String> arguments(LabDir dir, LabState state, LabState.Node node) {
    String process = node.cassandra();
    String ip = state.addresses().node(node.index());
    long heap = state.config().heap().value();
    String jars = classPath();
    List<String> args = new ArrayList<>();
    args.add("-javaagent:" + jar(jars, "jamm-"));
    args.add("-Xms" + heap);
    args.add("-Xmx" + heap);
    args.add("-Xmn" + heap / 4);
    args.add("-Xss512k");
    args.add("-XX:+UseSerialGC");
    // As for HBase's nodes: whatever can grow is bounded, and the heap is there from the start.
    args.add("-XX:MaxMetaspaceSize=160m");
    args.add("-XX:ReservedCodeCacheSize=64m");
    args.add("-XX:-UseCodeCacheFlushing");
    args.add("-XX:MaxDirectMemorySize=96m");
    args.add("-XX:+IgnoreUnrecognizedVMOptions");
    args.add("-XX:TrimNativeHeapInterval=10000");
    args.add("-XX:+ExitOnOutOfMemoryError");
    args.add("-XX:+AlwaysPreTouch");
    args.add("-XX:-UseContainerSupport");
    args.add("-Xlog:gc:file=" + dir.garbage(process) + ":uptime:filecount=1,filesize=4m");
    EXPORTED.forEach(name -> args.add("--add-exports=" + name + "=ALL-UNNAMED"));
    OPENED.forEach(name -> args.add("--add-opens=" + name + "=ALL-UNNAMED"));
    args.add("-Djava.io.tmpdir=" + dir.tmp(process));
    args.add("-Djava.net.preferIPv4Stack=true");
    args.add("-Dcassandra.config=file://" + dir.conf(process).resolve("cassandra.yaml"));
    args.add("-Dlogback.configurationFile=" + dir.conf(process).resolve("logback.xml"));
    args.add("-Dcassandra.storagedir=" + dir.data(process));
    args.add("-Dcassandra-foreground=yes");
    // A lab's nodes hear of each other within a second.
    args.add("-Dcassandra.ring_delay_ms=" + RING_DELAY_MS);
    // A node that replaces another first waits until a live one would have told its load, a minute
    // by default; and for twice the ring's delay at least.
    args.add("-Dcassandra.broadcast_interval_ms=" + 2 * RING_DELAY_MS);
    if (!state.ready()) {
      // The nodes of a new cluster have nothing to hear of. Later, one that serves before it knows
      // all others would read from, and write to, the wrong ones.
      args.add("-Dcassandra.skip_wait_for_gossip_to_settle=0");
    }
    if (node.replaces() > 0) {
      String dead = state.addresses().node(node.replaces());
      args.add("-Dcassandra.replace_address_first_boot=" + dead);
    }
    // Where there are users, making the first one is tried at this pace until enough of the other
    // nodes are there to keep it.
    args.add("-Dcassandra.superuser_setup_delay_ms=" + (state.config().secure() ? 1000 : 0));
    args.addAll(jmx(dir, state, ip));
    String path = dir.conf(process) + ":" + jars;
    String ranking = state.config().cassandra().ranking();
    if (ranking != null) {
      args.add("-Dtrimtab.snitch=" + state.config().snitch());
      args.add("-Dtrimtab.ranking=" + ranking);
      path += ":" + ClassFiles.of(CassandraSettings.RANKING_SNITCH) + ":" + ClassFiles.of(RANKING);
    }
    args.add("-cp");
    args.add(path);
    args.add(MAIN);
    return args;
  }

  /** The JDK's own agent, because Cassandra's listens either on 127.0.0.1 only or everywhere. */
  private static List<String> jmx(LabDir dir, LabState state, String ip) {
    List<String> args = new ArrayList<>();
    args.add("-Dcom.sun.management.jmxremote.host=" + ip);
    args.add("-Dcom.sun.management.jmxremote.port=" + state.addresses().jmxPort());
    args.add("-Dcom.sun.management.jmxremote.rmi.port=" + state.addresses().jmxPort());
    if (state.config().secure()) {
      args.addAll(new CassandraKeys(dir, state).jvmOptions());
    } else {
      args.add("-Dcom.sun.management.jmxremote.authenticate=false");
      args.add("-Dcom.sun.management.jmxremote.ssl=false");
    }
    args.add("-Djava.rmi.server.hostname=" + ip);
    return args;
  }

  private static String jar(String jars, String name) {
    return Arrays.stream(jars.split(":"))
        .filter(jar -> jar.substring(jar.lastIndexOf('/') + 1).startsWith(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + name + "*.jar in " + jars));
  }
}
