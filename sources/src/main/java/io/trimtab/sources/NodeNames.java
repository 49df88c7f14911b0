package io.trimtab.sources;

import io.trimtab.engineapi.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which nodes a source means by what it calls a host. A machine's values are those of all nodes on
 * it. Names are not looked up: what a source calls otherwise is in its {@code hosts}.
 */
public final class NodeNames {
  private final Map<String, List<NodeId>> byName = new HashMap<>();
  private final Map<String, List<NodeId>> byHost = new HashMap<>();
  private final Map<String, List<NodeId>> byShortHost = new HashMap<>();

  /**
   * @param hosts what the source calls nodes' hosts, by the nodes' names for them
   */
  public NodeNames(Collection<NodeId> nodes, Map<String, String> hosts) {
    for (NodeId node : nodes) {
      String own = host(node.name());
      String host = hosts.getOrDefault(own, own);
      add(byName, node.name(), node);
      add(byHost, host, node);
      add(byShortHost, shortened(host), node);
    }
  }

  private static void add(Map<String, List<NodeId>> index, String key, NodeId node) {
    index.computeIfAbsent(lower(key), k -> new ArrayList<>()).add(node);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** The host of {@code host}, {@code host:port}, {@code [address]:port} or a bare address. */
  public static String host(String name) {
    if (name.startsWith("[")) {
      int end = name.indexOf(']');
      return end < 0 ? name : name.substring(1, end);
    }
    int colon = name.lastIndexOf(':');
    return colon < 0 || name.indexOf(':') < colon ? name : name.substring(0, colon);
  }

  /**
   * The port of a name of these forms.
   *
   * @param missing where it has none
   */
  public static int port(String name, int missing) {
    String rest = name.substring(name.lastIndexOf(']') + 1);
    int colon = rest.lastIndexOf(':');
    return colon < 0 ? missing : Integer.parseInt(rest.substring(colon + 1));
  }

  /** Addresses have no short form. */
  private static String shortened(String host) {
    int dot = host.indexOf('.');
    return dot < 0 || host.matches("[0-9.]+") ? host : host.substring(0, dot);
  }

  /**
   * The nodes that are meant; none if there is no such host, or the short form of the name could
   * mean several.
   *
   * @param told a host's name or address, with or without a port
   */
  public List<NodeId> of(String told) {
    List<NodeId> exact = byName.get(lower(told));
    if (exact != null) {
      return exact;
    }
    String host = lower(host(told));
    List<NodeId> there = byHost.get(host);
    if (there != null) {
      return there;
    }
    List<NodeId> alike = byShortHost.getOrDefault(shortened(host), List.of());
    // Of two names with a domain each, both must be the same.
    boolean same =
        alike.stream()
            .map(node -> host(node.name()))
            .allMatch(own -> !own.contains(".") || !host.contains("."));
    return same && alike.stream().map(n -> host(n.name())).distinct().count() == 1
        ? alike
        : List.of();
  }
}
