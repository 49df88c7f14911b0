package io.trimtab.lab.process;

import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.Role;
import java.util.ArrayList;
import java.util.List;

/** The command line of a lab's process. */
public final class JavaCommand {
  /** What HBase and Hadoop touch by reflection; the same as in their own start scripts for 17. */
  private static final List<String> OPENED =
      List.of(
          "java.io",
          "java.lang",
          "java.lang.ref",
          "java.lang.reflect",
          "java.net",
          "java.nio",
          "java.util",
          "java.util.concurrent",
          "jdk.internal.ref",
          "sun.nio.ch");

  /** Direct memory of a process without a bucket cache there. */
  private static final long DIRECT_BYTES = 48L << 20;

  private JavaCommand() {}

  /** The class path that nodes get: this JVM's, unless {@code trimtab.classpath} says another. */
  public static String classPath() {
    return System.getProperty("trimtab.classpath", System.getProperty("java.class.path"));
  }

  /**
   * All arguments of {@code java}.
   *
   * @param folders class path entries that come first
   * @param address what {@link NodeSocketFactory} speaks from
   * @param heapBytes first and greatest heap
   * @param cacheBytes of a bucket cache in direct memory; 0 = none
   */
  public static List<String> arguments(
      LabDir dir,
      String process,
      Role role,
      List<String> folders,
      String address,
      long heapBytes,
      long cacheBytes) {
    List<String> args = new ArrayList<>();
    args.add("-Xms" + heapBytes);
    args.add("-Xmx" + heapBytes);
    args.add("-Xss512k");
    args.add("-XX:+UseSerialGC");
    // Many small JVMs share a machine, and each must stay in its node's memory limit: whatever can
    // grow is bounded.
    args.add("-XX:MaxMetaspaceSize=110m");
    args.add("-XX:ReservedCodeCacheSize=48m");
    args.add("-XX:MaxDirectMemorySize=" + (DIRECT_BYTES + cacheBytes));
    // The compiler's work space would stay with malloc for ever: 40 MB measured. Not every JDK 17
    // knows the option.
    args.add("-XX:+IgnoreUnrecognizedVMOptions");
    args.add("-XX:TrimNativeHeapInterval=10000");
    args.add("-XX:+ExitOnOutOfMemoryError");
    args.add("-XX:-UsePerfData");
    if (role == Role.REGIONSERVER) {
      // The heap must not take memory from the page cache little by little during an experiment.
      args.add("-XX:+AlwaysPreTouch");
      // Cache and memstores live long and take two thirds of the heap, the server itself 50 MB. The
      // rest of the old generation must be larger than the young one, all of which might survive;
      // otherwise every collection is a full one.
      args.add("-Xmn" + heapBytes / 12);
      // In a small code cache, what is not used for a minute is thrown out and compiled again.
      args.add("-XX:-UseCodeCacheFlushing");
      args.add("-Xlog:gc:file=" + dir.garbage(process) + ":uptime:filecount=1,filesize=4m");
    } else {
      args.add("-XX:TieredStopAtLevel=1");
    }
    // The quota may change while the process runs; pools must not follow it.
    args.add("-XX:-UseContainerSupport");
    for (String name : OPENED) {
      args.add("--add-opens=java.base/" + name + "=ALL-UNNAMED");
    }
    args.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    args.add("--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED");
    args.add("--add-modules=jdk.unsupported");
    args.add("-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true");
    args.add("-Dorg.apache.hbase.thirdparty.io.netty.eventLoopThreads=4");
    args.add("-Djava.net.preferIPv4Stack=true");
    // Killed processes would leave their web servers' folders elsewhere.
    args.add("-Djava.io.tmpdir=" + dir.tmp(process));
    args.add("-D" + NodeSocketFactory.ADDRESS + "=" + address);
    args.add("-cp");
    args.add(String.join(":", folders) + ":" + classPath());
    args.add(role.main);
    args.addAll(role.arguments);
    return args;
  }

  /** The text of an {@code @file}: one argument a line, quoted. */
  public static String argumentFile(List<String> arguments) {
    StringBuilder text = new StringBuilder();
    for (String argument : arguments) {
      text.append('"').append(argument.replace("\\", "\\\\").replace("\"", "\\\"")).append("\"\n");
    }
    return text.toString();
  }
}
