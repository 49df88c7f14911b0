package io.trimtab.providers.hosts;

import io.trimtab.config.PrivateFiles;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.Check;
import io.trimtab.providers.NodeNames;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settings of a pool of machines.
 *
 * @param hosts in the order in which they are taken
 * @param nodePort port in the names of nodes, which are {@code host:port}
 * @param user for SSH; null: as the system's ssh has it
 * @param sshPort default 22
 * @param key private key, which only its owner may read; null: as the system's ssh has it
 * @param knownHosts file of the hosts' keys
 * @param ssh the program; default {@code ssh}
 * @param start command that starts the node's service on its host
 * @param stop command that stops it
 * @param running command that succeeds while it runs
 * @param retire command after the stop of a node for good, which puts its data where no later node
 *     finds them; null: the host is not used again until its mark is removed by hand
 * @param folder for marks, on each host; default {@code /var/lib/trimtab}
 * @param files templates that are installed before a start, by their paths on the host
 * @param peerFiles the same, also on the present nodes' hosts whenever a node comes or goes
 * @param reload command on those after {@code peerFiles} were installed; null: none
 * @param limit time limit of one look at a host, in [1 s, 10 min]; default 20 s
 * @param keep for how long the number of free hosts is used again, in [0 s, 1 h]; default 1 min
 * @param price of a node per hour, ≥ 0; null: not known
 * @param boot usual time from a request until a node runs, in [0 s, 1 d]; null: not known
 */
public record HostsSettings(
    List<String> hosts,
    Integer nodePort,
    String user,
    Integer sshPort,
    String key,
    String knownHosts,
    String ssh,
    String start,
    String stop,
    String running,
    String retire,
    String folder,
    Map<String, String> files,
    Map<String, String> peerFiles,
    String reload,
    Duration limit,
    Duration keep,
    Double price,
    Duration boot)
    implements ProviderSettings {
  private static final String PATH = "/[A-Za-z0-9._/-]+";

  public HostsSettings {
    if (hosts == null || hosts.isEmpty()) {
      throw new IllegalArgumentException("hosts is missing");
    }
    hosts = List.copyOf(hosts);
    if (new HashSet<>(hosts).size() < hosts.size()) {
      throw new IllegalArgumentException("hosts must name each host once");
    }
    if (nodePort == null) {
      throw new IllegalArgumentException("nodePort is missing");
    }
    Check.within("nodePort", nodePort, 0, 1, 65_535);
    for (String host : hosts) {
      try {
        NodeNames.parse(host + ":" + nodePort);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("hosts has '" + host + "', which is no host", e);
      }
    }
    if (user != null && !user.matches("[A-Za-z0-9_][A-Za-z0-9._-]*")) {
      throw new IllegalArgumentException("user must be a user's name, not '" + user + "'");
    }
    sshPort = Check.within("sshPort", sshPort, 22, 1, 65_535);
    Check.given("knownHosts", knownHosts);
    ssh = ssh == null ? "ssh" : ssh;
    Check.given("start", start);
    Check.given("stop", stop);
    Check.given("running", running);
    folder = folder == null ? "/var/lib/trimtab" : folder;
    path("folder", folder);
    files = sorted(files);
    peerFiles = sorted(peerFiles);
    files.keySet().forEach(file -> path("files", file));
    peerFiles.keySet().forEach(file -> path("peerFiles", file));
    Duration second = Duration.ofSeconds(1);
    limit = Check.within("limit", limit, Duration.ofSeconds(20), second, Duration.ofMinutes(10));
    keep = Check.within("keep", keep, Duration.ofMinutes(1), Duration.ZERO, Duration.ofHours(1));
    price = Check.price("price", price);
    boot = Check.boot(boot, Duration.ofDays(1));
  }

  private static void path(String key, String path) {
    if (!path.matches(PATH)) {
      throw new IllegalArgumentException(
          key + " must have absolute paths without blanks, not '" + path + "'");
    }
  }

  private static Map<String, String> sorted(Map<String, String> files) {
    return files == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(files));
  }

  NodeId node(String host) {
    return new NodeId(host + ":" + nodePort);
  }

  @Override
  public HostsSettings in(Path base) {
    return new HostsSettings(
        hosts,
        nodePort,
        user,
        sshPort,
        key == null ? null : base.resolve(key).toString(),
        base.resolve(knownHosts).toString(),
        ssh,
        start,
        stop,
        running,
        retire,
        folder,
        resolved(base, files),
        resolved(base, peerFiles),
        reload,
        limit,
        keep,
        price,
        boot);
  }

  private static Map<String, String> resolved(Path base, Map<String, String> files) {
    Map<String, String> resolved = new TreeMap<>();
    files.forEach((remote, local) -> resolved.put(remote, base.resolve(local).toString()));
    return resolved;
  }

  @Override
  public NodeProvider provider(ProviderContext context) {
    if (key != null) {
      PrivateFiles.requireOwnersOnly("provider.hosts.key", Path.of(key));
    }
    Check.readable("provider.hosts.knownHosts", knownHosts);
    files.values().forEach(file -> Check.readable("provider.hosts.files", file));
    peerFiles.values().forEach(file -> Check.readable("provider.hosts.peerFiles", file));
    return new HostsProvider(this, new Ssh(this), context);
  }
}
