package io.trimtab.providers.kubernetes;

import io.trimtab.config.Secret;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.Check;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Settings of nodes that are pods. Without {@code kubeconfig} and {@code server} the service
 * account of the pod is used in which the autopilot itself runs.
 *
 * @param kubeconfig file with the API server and how to log in, which only its owner may read
 * @param context of that file; null: its current one
 * @param server URL of the API server, instead of {@code kubeconfig}
 * @param ca file with the certificate that the server's is signed with; null: those of the JDK
 * @param token bearer token for {@code server}, by reference
 * @param namespace of all resources
 * @param pools the sets of nodes, at least one
 * @param node name of a pod's node as the database has it, with {@code {pod}} or {@code {ip}}
 * @param takeOver managers of fields that may lose the number of nodes to the autopilot; default
 *     none
 * @param placement for how long a pod may be without a place before the request for it fails, in [1
 *     s, 1 h]; default 2 min
 * @param poll time between two looks while something is waited for, in [100 ms, 1 min]; default 2 s
 * @param keep for how long the capacity is used again, in [0 s, 1 h]; default 30 s
 * @param price of a node per hour, ≥ 0; null: not known
 * @param boot usual time from a request until a node runs, in [0 s, 1 d]; null: not known
 */
public record KubernetesSettings(
    String kubeconfig,
    String context,
    String server,
    String ca,
    Secret token,
    String namespace,
    List<PoolSettings> pools,
    String node,
    List<String> takeOver,
    Duration placement,
    Duration poll,
    Duration keep,
    Double price,
    Duration boot)
    implements ProviderSettings {
  public KubernetesSettings {
    if (kubeconfig != null && (server != null || ca != null || token != null)) {
      throw new IllegalArgumentException(
          "kubeconfig must not be given with server, ca or token: it has its own");
    }
    if (context != null && kubeconfig == null) {
      throw new IllegalArgumentException("context needs kubeconfig");
    }
    if (server == null ? ca != null || token != null : token == null) {
      throw new IllegalArgumentException(
          server == null ? "ca and token need server" : "server needs token");
    }
    encrypted("server", server);
    Check.given("namespace", namespace);
    if (pools == null || pools.isEmpty()) {
      throw new IllegalArgumentException("pools is missing");
    }
    pools = List.copyOf(pools);
    if (pools.stream().map(PoolSettings::title).distinct().count() < pools.size()) {
      throw new IllegalArgumentException("pools must name each resource once");
    }
    NodeTemplate.check(Check.given("node", node));
    takeOver = takeOver == null ? List.of() : List.copyOf(takeOver);
    Duration hour = Duration.ofHours(1);
    Duration second = Duration.ofSeconds(1);
    Duration minute = Duration.ofMinutes(1);
    placement = Check.within("placement", placement, Duration.ofMinutes(2), second, hour);
    poll = Check.within("poll", poll, Duration.ofSeconds(2), Duration.ofMillis(100), minute);
    keep = Check.within("keep", keep, Duration.ofSeconds(30), Duration.ZERO, hour);
    price = Check.price("price", price);
    boot = Check.boot(boot, Duration.ofDays(1));
  }

  /** A token goes over no wire that others can read. */
  static void encrypted(String name, String server) {
    if (server == null) {
      return;
    }
    Check.withoutSecret(name, server);
    if (!Check.unreadable(URI.create(server))) {
      throw new IllegalArgumentException(name + " must be a URL with https://, not " + server);
    }
  }

  @Override
  public KubernetesSettings in(Path folder) {
    return new KubernetesSettings(
        resolved(folder, kubeconfig),
        context,
        server,
        resolved(folder, ca),
        token == null ? null : token.in(folder),
        namespace,
        pools,
        node,
        takeOver,
        placement,
        poll,
        keep,
        price,
        boot);
  }

  private static String resolved(Path folder, String file) {
    return file == null ? null : folder.resolve(file).normalize().toString();
  }

  @Override
  public NodeProvider provider(ProviderContext clusterContext) {
    Api api = new Api(Access.client(this), namespace, Access.authorities(this));
    return new KubernetesProvider(this, api, clusterContext);
  }
}
