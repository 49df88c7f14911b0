package io.trimtab.hbase.hdfs;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Where the NameNodes that have HBase's data are asked. The master's settings may name those of
 * other HDFSs as well, to which snapshots are exported or which are looked at: one of these must
 * not answer for them.
 */
public final class NameNodePages {
  private static final String HTTP = "dfs.namenode.http-address";
  private static final String HTTPS = "dfs.namenode.https-address";
  private static final String RPC = "dfs.namenode.rpc-address";

  private final Map<String, String> settings;

  /** With a name's end, a nameservice and one of its NameNodes, the setting of an address. */
  private final String key;

  private NameNodePages(Map<String, String> settings, String key) {
    this.settings = settings;
    this.key = key;
  }

  /**
   * Addresses of information pages, {@code host:port}, with {@code http://} or {@code https://}
   * where HBase's own are served otherwise; none where the settings do not tell which of several
   * HDFSs has the data.
   *
   * @param settings the master's
   */
  public static List<String> of(Map<String, String> settings) {
    boolean https = settings.getOrDefault("dfs.http.policy", "").equals("HTTPS_ONLY");
    // Said only where it differs from that of HBase's own pages, which is taken otherwise.
    boolean asHBase = https == Boolean.parseBoolean(settings.get("hbase.ssl.enabled"));
    String scheme = asHBase ? "" : https ? "https://" : "http://";
    return new NameNodePages(settings, https ? HTTPS : HTTP)
        .addresses().stream()
            // Every address of the machine: HDFS's default, which names no host.
            .filter(address -> !address.startsWith("0.0.0.0"))
            .map(address -> scheme + address)
            .sorted()
            .toList();
  }

  private List<String> addresses() {
    List<String> ends =
        settings.keySet().stream()
            .filter(name -> name.equals(key) || name.startsWith(key + "."))
            .map(name -> name.substring(key.length()))
            .toList();
    Set<String> services = new TreeSet<>();
    for (String service : settings.getOrDefault("dfs.nameservices", "").split(",")) {
      services.add(service.strip());
    }
    for (String end : ends) {
      services.add(end.isEmpty() ? "" : end.substring(1).split("\\.", 2)[0]);
    }
    services.remove("");
    return ends.stream().filter(ours(services)).map(end -> settings.get(key + end)).toList();
  }

  private Predicate<String> ours(Set<String> services) {
    RootFolder root = RootFolder.of(settings);
    String authority = root.authority();
    if (services.contains(authority)) {
      String named = "." + authority;
      return services.size() == 1
          ? end -> true
          : end -> end.equals(named) || end.startsWith(named + ".");
    }
    if (!services.isEmpty() && root.scheme().equals("hdfs") && !authority.isEmpty()) {
      return end -> serves(end, authority);
    }
    return end -> services.size() <= 1;
  }

  /** Whether a NameNode is the server to which HBase writes. */
  private boolean serves(String end, String server) {
    String told = settings.getOrDefault(RPC + end, "");
    // Where that is not set it is the file system's, and the page is served by the same host.
    return told.isEmpty()
        ? host(settings.get(key + end)).equalsIgnoreCase(host(server))
        : host(told).equalsIgnoreCase(host(server)) && samePort(told, server);
  }

  private static boolean samePort(String one, String other) {
    return !one.contains(":") || !other.contains(":") || port(one).equals(port(other));
  }

  private static String host(String server) {
    return server.split(":", 2)[0];
  }

  private static String port(String server) {
    return server.substring(server.lastIndexOf(':') + 1);
  }
}
