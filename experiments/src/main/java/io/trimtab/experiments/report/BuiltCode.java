package io.trimtab.experiments.report;

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

/** Which build something is of: runs of another one can't be compared. */
public final class BuiltCode {
  private BuiltCode() {}

  /**
   * What tells the code of some jars from that of another build.
   *
   * @param classes a class of each jar, as {@code /io/trimtab/….class}
   */
  public static String digest(List<String> classes) throws IOException {
    List<JarFile> jars = new ArrayList<>();
    for (String name : classes) {
      URL its = BuiltCode.class.getResource(name);
      if (its == null || !(its.openConnection() instanceof JarURLConnection jar)) {
        return "not in jars";
      }
      jars.add(jar.getJarFile());
    }
    return of(jars);
  }

  /** The same for the same classes, whenever and in whatever order they were put into jars. */
  static String of(List<JarFile> jars) {
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
