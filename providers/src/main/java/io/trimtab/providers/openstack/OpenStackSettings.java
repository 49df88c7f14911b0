package io.trimtab.providers.openstack;

import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.Check;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderSettings;
import io.trimtab.providers.cloud.CloudProvider;
import io.trimtab.providers.cloud.MachineSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Settings of servers of OpenStack.
 *
 * @param auth address of Keystone, with its version: {@code https://keystone:5000/v3}
 * @param login who asks
 * @param region of the catalogue; null: whatever region is first
 * @param catalog which of Nova's addresses: public, internal or admin; default public
 * @param ca certificates, as PEM, of who has signed Keystone's and Nova's; null: as the JDK knows
 *     them
 * @param image id of the image; its system starts the node at each boot
 * @param networks their ids, the first tells the address; or {@code auto} or {@code none} alone;
 *     default {@code auto}
 * @param securityGroups their names; none: the default one
 * @param keyName of the key for logging in to servers; null: none
 * @param zone of availability; null: Nova chooses
 * @param antiAffinity default {@link AntiAffinity#SOFT}
 * @param machines what kind of servers; their types are names of flavours
 * @param limit time limit of one answer, in [1 s, 10 min]; default 20 s
 */
public record OpenStackSettings(
    String auth,
    Login login,
    String region,
    String catalog,
    String ca,
    String image,
    List<String> networks,
    List<String> securityGroups,
    String keyName,
    String zone,
    AntiAffinity antiAffinity,
    MachineSettings machines,
    Duration limit)
    implements ProviderSettings {
  static final String KIND = "openstack";
  private static final List<String> WORDS = List.of("auto", "none");

  public OpenStackSettings {
    Check.address("auth", auth);
    if (login == null) {
      throw new IllegalArgumentException("login is missing");
    }
    catalog = catalog == null ? "public" : catalog;
    if (!List.of("public", "internal", "admin").contains(catalog)) {
      throw new IllegalArgumentException(
          "catalog must be public, internal or admin, not '" + catalog + "'");
    }
    Check.given("image", image);
    networks = networks == null || networks.isEmpty() ? List.of("auto") : List.copyOf(networks);
    if (networks.size() > 1 && networks.stream().anyMatch(WORDS::contains)) {
      throw new IllegalArgumentException("networks: auto and none stand alone");
    }
    securityGroups = securityGroups == null ? List.of() : List.copyOf(securityGroups);
    antiAffinity = antiAffinity == null ? AntiAffinity.SOFT : antiAffinity;
    if (machines == null) {
      throw new IllegalArgumentException("machines is missing");
    }
    limit =
        Check.within(
            "limit", limit, Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofMinutes(10));
  }

  /** Whether Nova is to choose, or to give no network at all. */
  boolean networksByWord() {
    return WORDS.contains(networks.get(0));
  }

  @Override
  public OpenStackSettings in(Path folder) {
    return new OpenStackSettings(
        auth,
        login.in(folder),
        region,
        catalog,
        ca == null ? null : folder.resolve(ca).normalize().toString(),
        image,
        networks,
        securityGroups,
        keyName,
        zone,
        antiAffinity,
        machines.in(folder),
        limit);
  }

  @Override
  public NodeProvider provider(ProviderContext context) {
    machines.requireFiles(KIND);
    // What is not there is told now, and not at the first plan.
    login.secret().read();
    return new CloudProvider(new Nova(this, new Keystone(this, new Http(this))), machines, context);
  }
}
