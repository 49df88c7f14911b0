package io.trimtab.hbase.security;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** The files that Hadoop's and HBase's own clients read. */
public final class SiteFolders {
  private static final String HBASE = "hbase-site.xml";
  private static final List<String> FILES = List.of("core-site.xml", "hdfs-site.xml", HBASE);

  private SiteFolders() {}

  /**
   * All properties of the files, with what they refer to put in.
   *
   * @param folders later ones go first
   * @throws IllegalArgumentException naming a folder or file that is missing or can't be read
   */
  public static Map<String, String> read(List<Path> folders) {
    Configuration files = new Configuration(false);
    boolean ofHBase = false;
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        throw new IllegalArgumentException(folder + ": no such folder");
      }
      for (String name : FILES) {
        Path file = folder.resolve(name);
        if (Files.exists(file)) {
          add(files, file);
          ofHBase |= name.equals(HBASE);
        }
      }
    }
    if (!ofHBase) {
      throw new IllegalArgumentException("no " + HBASE + " in " + folders);
    }
    Map<String, String> properties = new HashMap<>();
    for (Map.Entry<String, String> entry : files) {
      String value = files.get(entry.getKey());
      if (value != null) {
        properties.put(entry.getKey(), value);
      }
    }
    return properties;
  }

  /** Read at once, so that a bad file is named. */
  private static void add(Configuration files, Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException(file + ": this user can't read it");
    }
    files.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    try {
      files.size();
    } catch (RuntimeException e) {
      String text = String.valueOf(e.getMessage()).split("\n", 2)[0];
      throw new IllegalArgumentException(file + ": is no site file: " + text, e);
    }
  }
}
