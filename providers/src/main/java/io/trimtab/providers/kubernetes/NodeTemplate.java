package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.trimtab.engineapi.NodeId;
import io.trimtab.providers.NodeNames;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the name of a node comes from its pod: {@code {pod}.rs.hbase.svc.cluster.local:16020}. */
record NodeTemplate(String text) {
  private static final String POD = "{pod}";
  private static final String IP = "{ip}";

  /**
   * Checks a template of the settings.
   *
   * @throws IllegalArgumentException if it gives no node's name
   */
  static void check(String text) {
    if (text.contains(POD) == text.contains(IP)) {
      throw new IllegalArgumentException("node must have {pod} or {ip}, and not both");
    }
    try {
      NodeNames.parse(text.replace(POD, "a-0").replace(IP, "10.0.0.1"));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("node gives no host:port: " + e.getMessage(), e);
    }
  }

  /** The node of a pod; empty while the pod has no address, if that is its name. */
  Optional<NodeId> node(String name, Optional<Pod> pod) {
    if (text.contains(POD)) {
      return Optional.of(new NodeId(text.replace(POD, name)));
    }
    return pod.map(Pod::getStatus)
        .map(PodStatus::getPodIP)
        .filter(ip -> !ip.isBlank())
        .map(ip -> new NodeId(text.replace(IP, ip.contains(":") ? "[" + ip + "]" : ip)));
  }

  /** The pod that a node's name tells; empty if the name has an address, or is of another form. */
  Optional<String> pod(NodeId node) {
    int at = text.indexOf(POD);
    if (at < 0) {
      return Optional.empty();
    }
    String before = Pattern.quote(text.substring(0, at));
    String after = Pattern.quote(text.substring(at + POD.length()));
    Matcher name = Pattern.compile(before + "([a-z0-9.-]+)" + after).matcher(node.name());
    return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
  }
}
