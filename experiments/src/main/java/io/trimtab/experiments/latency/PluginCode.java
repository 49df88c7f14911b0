package io.trimtab.experiments.latency;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;

/** Which plug-in nodes of a lab load: runs of another one can't be compared. */
final class PluginCode {
  /** A class of each jar that the plug-in consists of. */
  private static final List<String> JARS =
      List.of(
          "/io/trimtab/cassandraplugin/TrimtabSnitch.class",
          "/io/trimtab/plugincore/ranking/ReplicaRanking.class");

  private PluginCode() {}

  /** What tells the plug-in that a lab's nodes load from another one. */
  static String digest() throws IOException {
    List<JarFile> jars = new ArrayList<>();
    for (String name : JARS) {
      URL its = PluginCode.class.getResource(name);
      if (its == null || !(its.openConnection() instanceof JarURLConnection jar)) {
        return "not in jars";
      }
      jars.add(jar.getJarFile());
    }
    return digest(jars);
  }

  /** The same for the same classes, whenever and in whatever order they were put into jars. */
  static String digest(List<JarFile> jars) {
    CRC32 all = new CRC32();
    for (JarFile jar : jars) {
      jar.stream()
          .filter(entry -> entry.getName().endsWith(".class"))
          .sorted(Comparator.comparing(JarEntry::getName))
          .forEach(entry -> all.update(ByteBuffer.allocate(Long.BYTES).putLong(0, entry.getCrc())));
    }
    return "%08x".formatted(all.getValue());
  }
}
