package io.trimtab.hbase.hdfs;

import java.util.Locale;
import java.util.Map;

/**
 * Where a file system is in which HBase keeps its data.
 *
 * @param scheme in lower case; {@code hdfs} where the settings do not tell
 * @param authority a nameservice, a mount table, or a server's {@code host} or {@code host:port};
 *     empty where the settings do not tell
 */
public record RootFolder(String scheme, String authority) {
  private static final String UNKNOWN = "hdfs:";

  /**
   * By the root folder, or by what that is relative to.
   *
   * @param settings the master's
   */
  public static RootFolder of(Map<String, String> settings) {
    RootFolder byDefault = parse(settings.getOrDefault("fs.defaultFS", UNKNOWN));
    String told = settings.getOrDefault("hbase.rootdir", UNKNOWN);
    if (!told.contains(":")) {
      return byDefault;
    }
    RootFolder root = parse(told);
    return root.authority().isEmpty() && root.scheme().equals(byDefault.scheme())
        ? byDefault
        : root;
  }

  private static RootFolder parse(String uri) {
    String[] parts = uri.split(":", 2);
    String rest = parts.length == 2 ? parts[1] : "";
    return new RootFolder(
        parts[0].toLowerCase(Locale.ROOT),
        rest.startsWith("//") ? rest.substring(2).split("/", 2)[0] : "");
  }
}
