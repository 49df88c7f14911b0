package io.trimtab.providers.ec2;

import io.trimtab.config.Secret;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.Check;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderSettings;
import io.trimtab.providers.cloud.CloudProvider;
import io.trimtab.providers.cloud.MachineSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Settings of machines of EC2.
 *
 * @param region whose name is also signed with where there is an endpoint
 * @param endpoint another address of the API than Amazon's; null: Amazon's of the region
 * @param accessKey null, with {@code secretKey}: as the AWS SDK finds them
 * @param ca certificates, as PEM, of who has signed the endpoint's; null: as the JDK knows them
 * @param image of the machines; its system starts the node at each boot
 * @param subnets a machine goes to one of them by its request, or to the next one where there is no
 *     room; none: the default one
 * @param securityGroups their ids; none: the default one
 * @param keyName of the key for logging in to machines; null: none
 * @param instanceProfile name of the role that machines have; null: none
 * @param placementGroup whose strategy keeps machines apart; null: none
 * @param tags that machines get as well
 * @param machines what kind of machines
 * @param limit time limit of one answer, in [1 s, 10 min]; default 20 s
 */
public record Ec2Settings(
    String region,
    String endpoint,
    Secret accessKey,
    Secret secretKey,
    String ca,
    String image,
    List<String> subnets,
    List<String> securityGroups,
    String keyName,
    String instanceProfile,
    String placementGroup,
    Map<String, String> tags,
    MachineSettings machines,
    Duration limit)
    implements ProviderSettings {
  static final String KIND = "ec2";

  /** The keys that EC2 takes where a machine reads its tags from the metadata service. */
  private static final Pattern TAG = Pattern.compile("[A-Za-z0-9+=.,_:@-]{1,128}");

  private static final Set<String> NO_TAGS = Set.of(".", "..", "_index");

  public Ec2Settings {
    Check.given("region", region);
    if (endpoint != null) {
      Check.address("endpoint", endpoint);
    }
    if ((accessKey == null) != (secretKey == null)) {
      throw new IllegalArgumentException(
          (accessKey == null ? "accessKey" : "secretKey") + " is missing: both or neither");
    }
    Check.given("image", image);
    subnets = subnets == null ? List.of() : List.copyOf(subnets);
    securityGroups = securityGroups == null ? List.of() : List.copyOf(securityGroups);
    tags = tags == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(tags));
    tags.keySet().forEach(Ec2Settings::checkTag);
    if (machines == null) {
      throw new IllegalArgumentException("machines is missing");
    }
    if (tags.containsKey("Name") && machines.host().contains("${NAME}")) {
      throw new IllegalArgumentException(
          "tags must not have Name where machines.host has ${NAME}: all would have the same");
    }
    limit =
        Check.within(
            "limit", limit, Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofMinutes(10));
  }

  private static void checkTag(String tag) {
    if (tag.startsWith("trimtab-")) {
      throw new IllegalArgumentException("tags must not begin with trimtab-, which are marks");
    }
    if (!TAG.matcher(tag).matches() || NO_TAGS.contains(tag)) {
      throw new IllegalArgumentException(
          "tags must not have '%s': EC2 refuses it, as machines read their tags from its metadata"
                  .formatted(tag)
              + " service; a key has letters, digits and + - = . , _ : @, up to 128, and is not ."
              + " or .. or _index");
    }
  }

  /** The address of the API; null: Amazon's of the region. */
  URI uri() {
    return endpoint == null ? null : URI.create(endpoint);
  }

  @Override
  public Ec2Settings in(Path folder) {
    return new Ec2Settings(
        region,
        endpoint,
        accessKey == null ? null : accessKey.in(folder),
        secretKey == null ? null : secretKey.in(folder),
        ca == null ? null : folder.resolve(ca).normalize().toString(),
        image,
        subnets,
        securityGroups,
        keyName,
        instanceProfile,
        placementGroup,
        tags,
        machines.in(folder),
        limit);
  }

  @Override
  public NodeProvider provider(ProviderContext context) {
    machines.requireFiles(KIND);
    if (accessKey != null) {
      // What is not there is told now, and not at the first plan.
      accessKey.read();
      secretKey.read();
    }
    return new CloudProvider(new Ec2Cloud(this, Ec2Calls.client(this)), machines, context);
  }
}
