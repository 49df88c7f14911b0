package io.trimtab.sources;

import static io.trimtab.sources.MetricsConfig.that;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A metric source as it is written in settings. No value of it is a secret: secrets are in files
 * that it names. A key that does not go with the type is null.
 *
 * @param type what is asked
 * @param name in {@code metrics.order} and messages; default: the type
 * @param url of Prometheus, {@code https://prometheus:9090}; any path is kept before the API's
 * @param address of Ganglia's gmetad or gmond, {@code host:port}; port default 8651, gmetad's
 * @param port of Jolokia's agent on every node; default 8778
 * @param path of Jolokia on every node; default {@code /jolokia}
 * @param https whether Jolokia is asked by HTTPS; default false
 * @param mapping file with the queries of Prometheus; default: those for the database that are
 *     shipped
 * @param labels of Prometheus's series that are of this cluster; default: all are
 * @param mounts for Prometheus and Ganglia, mount points of the disks with nodes' data; {@code *}:
 *     all of a machine's disks; default: none, and disk space is not asked for
 * @param hosts what the source calls a node's host where that is neither its name nor its address
 * @param timeout of one request, in [100 ms, 60 s]; default 5 s
 * @param tokenFile file, mode 0600, with a bearer token
 * @param userFile file, mode 0600, with {@code user:password}
 * @param trust file with the certificates, PEM, that HTTPS trusts; default: those of the JDK
 */
public record SourceConfig(
    Type type,
    String name,
    String url,
    String address,
    Integer port,
    String path,
    Boolean https,
    String mapping,
    Map<String, String> labels,
    List<String> mounts,
    Map<String, String> hosts,
    Duration timeout,
    String tokenFile,
    String userFile,
    String trust) {
  private static final int PORT_MAX = 65_535;
  private static final Duration TIMEOUT_MIN = Duration.ofMillis(100);
  private static final Duration TIMEOUT_MAX = Duration.ofSeconds(60);

  /** What can be asked. */
  public enum Type {
    PROMETHEUS,
    JOLOKIA,
    GANGLIA;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public SourceConfig {
    that(type != null, "type", "one of prometheus, jolokia, ganglia", null);
    name = name == null ? type.key() : name;
    that(name.matches("[a-z0-9-]{1,30}"), "name", "1 to 30 of a–z 0–9 -", name);
    that(!name.equals(MetricsConfig.NATIVE), "name", "another than native", name);
    refuseOthers(type, of(url, address, port, path, https, mapping, labels, mounts));
    that(type != Type.PROMETHEUS || url != null, "url", "given for prometheus", null);
    that(
        url == null || isHttp(url),
        "url",
        "http://host[:port] or https://host[:port]",
        url == null ? null : shown(url));
    that(type != Type.GANGLIA || address != null, "address", "given for ganglia", null);
    that(
        address == null || address.matches("[^:\\s/]+(:\\d{1,5})?|\\[[0-9a-fA-F:]+](:\\d{1,5})?"),
        "address",
        "host[:port]",
        address);
    that(
        address == null || isPort(NodeNames.port(address, PORT_MAX)),
        "address",
        "host[:port] with a port in [1, 65535]",
        address);
    if (type == Type.JOLOKIA) {
      port = port == null ? 8778 : port;
      that(isPort(port), "port", "in [1, 65535]", port);
      path = path == null ? "/jolokia" : path;
      that(path.matches("/[\\w/.-]*"), "path", "a path that begins with /", path);
      https = https != null && https;
    } else {
      mounts = mounts == null ? List.of() : List.copyOf(mounts);
      mounts.forEach(
          mount -> that(mount.matches("\\*|/.*"), "mounts", "mount points, or \"*\"", mount));
    }
    if (type == Type.PROMETHEUS) {
      labels = labels == null ? Map.of() : Map.copyOf(labels);
      labels
          .keySet()
          .forEach(key -> that(key.matches("[a-zA-Z_]\\w*"), "labels", "names of labels", key));
    }
    hosts = hosts == null ? Map.of() : Map.copyOf(hosts);
    timeout = timeout == null ? Duration.ofSeconds(5) : timeout;
    that(
        timeout.compareTo(TIMEOUT_MIN) >= 0 && timeout.compareTo(TIMEOUT_MAX) <= 0,
        "timeout",
        "in [100ms, 60s]",
        timeout);
    that(
        tokenFile == null || userFile == null,
        "tokenFile",
        "given without userFile: one of them proves who asks",
        tokenFile);
    that(
        type != Type.GANGLIA || (tokenFile == null && userFile == null && trust == null),
        "type",
        "other than ganglia for tokenFile, userFile and trust: it has neither users nor TLS",
        type.key());
  }

  /** Which keys go with which types, where not with all. */
  private static final Map<String, List<Type>> TYPES =
      Map.of(
          "url", List.of(Type.PROMETHEUS),
          "mapping", List.of(Type.PROMETHEUS),
          "labels", List.of(Type.PROMETHEUS),
          "mounts", List.of(Type.PROMETHEUS, Type.GANGLIA),
          "address", List.of(Type.GANGLIA),
          "port", List.of(Type.JOLOKIA),
          "path", List.of(Type.JOLOKIA),
          "https", List.of(Type.JOLOKIA));

  private static void refuseOthers(Type type, Map<String, Object> given) {
    given.forEach(
        (key, value) -> {
          List<Type> types = TYPES.get(key);
          if (value != null && !types.contains(type)) {
            throw new IllegalArgumentException(
                "%s goes with type %s, not %s"
                    .formatted(
                        key,
                        types.stream().map(Type::key).collect(Collectors.joining(" or ")),
                        type.key()));
          }
        });
  }

  private static boolean isPort(int port) {
    return port >= 1 && port <= PORT_MAX;
  }

  /** Time limit of a whole reading: a question may need two requests, one after the other. */
  public Duration readingLimit() {
    return timeout.multipliedBy(2);
  }

  /** The same with paths resolved against the folder of the file that it was read from. */
  SourceConfig in(Path folder) {
    return new SourceConfig(
        type,
        name,
        url,
        address,
        port,
        path,
        https,
        resolved(folder, mapping),
        labels,
        mounts,
        hosts,
        timeout,
        resolved(folder, tokenFile),
        resolved(folder, userFile),
        resolved(folder, trust));
  }

  private static String resolved(Path folder, String file) {
    return file == null ? null : folder.resolve(file).normalize().toString();
  }

  private static Map<String, Object> of(
      String url,
      String address,
      Integer port,
      String path,
      Boolean https,
      String mapping,
      Map<String, String> labels,
      List<String> mounts) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("url", url);
    values.put("address", address);
    values.put("port", port);
    values.put("path", path);
    values.put("https", https);
    values.put("mapping", mapping);
    values.put("labels", labels);
    values.put("mounts", mounts);
    return values;
  }

  /** What comes before an at sign or after a question mark may be a secret. */
  private static String shown(String url) {
    return url.replaceAll("(?s)^([a-z]+://)?.*@", "$1…@").replaceAll("(?s)[?].*", "?…");
  }

  private static boolean isHttp(String url) {
    try {
      URI uri = URI.create(url);
      return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          // A secret in it would be in messages.
          && uri.getUserInfo() == null
          && uri.getQuery() == null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
