package io.trimtab.providers.cloud;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.Check;
import io.trimtab.providers.NodeNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What kind of machines nodes run on, and how nodes are named after them.
 *
 * @param host of the names of nodes, with {@code ${IP}}, {@code ${DNS}}, {@code ${NAME}} or {@code
 *     ${ID}} of the machine; default {@code ${IP}}
 * @param port of the names of nodes
 * @param type of machine, in the cloud's words, for profiles that have no other
 * @param types by the name of a profile
 * @param prices per hour, by type: of all types or of none
 * @param userData template of what a machine runs at its first start; null: nothing
 * @param max machines with nodes that may run at the same time by request, in [0, 10,000]
 * @param end what becomes of a machine whose node is given back; default {@link End#STOP}
 * @param boot usual time from a request until a node is in the cluster, in [0 s, 1 d], until one is
 *     measured; null: not known
 * @param poll time between two questions while something is waited for, in [100 ms, 5 min]; default
 *     5 s
 * @param keep for how long what can be added is used again, in [0 s, 1 h]; default 1 min
 */
public record MachineSettings(
    String host,
    Integer port,
    String type,
    Map<String, String> types,
    Map<String, Double> prices,
    String userData,
    Integer max,
    End end,
    Duration boot,
    Duration poll,
    Duration keep) {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(IP|DNS|NAME|ID)}");

  public MachineSettings {
    host = host == null ? "${IP}" : host;
    if (port == null) {
      throw new IllegalArgumentException("port is missing");
    }
    Check.within("port", port, 0, 1, 65_535);
    checkHost(host, port);
    Check.given("type", type);
    types = sorted(types);
    prices = sorted(prices);
    checkTypes(type, types, prices);
    if (max == null) {
      throw new IllegalArgumentException("max is missing");
    }
    Check.within("max", max, 0, 0, 10_000);
    end = end == null ? End.STOP : end;
    boot = Check.boot(boot, Duration.ofDays(1));
    poll =
        Check.within(
            "poll", poll, Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ofMinutes(5));
    keep = Check.within("keep", keep, Duration.ofMinutes(1), Duration.ZERO, Duration.ofHours(1));
  }

  private static void checkHost(String host, int port) {
    Matcher variable = VARIABLE.matcher(host);
    if (!variable.find()) {
      throw new IllegalArgumentException(
          "host must have ${IP}, ${DNS}, ${NAME} or ${ID}, so that each machine has its own name");
    }
    try {
      NodeNames.parse(variable.replaceAll("h") + ":" + port);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("host '" + host + "' makes no host's name", e);
    }
  }

  private static void checkTypes(
      String type, Map<String, String> types, Map<String, Double> prices) {
    for (String profile : types.keySet()) {
      if (Profile.STANDARD.stream().noneMatch(known -> known.name().equals(profile))) {
        throw new IllegalArgumentException(
            "types has '%s', which is no profile; profiles: %s"
                .formatted(
                    profile,
                    String.join(", ", Profile.STANDARD.stream().map(Profile::name).toList())));
      }
    }
    prices.forEach(
        (priced, price) -> {
          if (!priced.equals(type) && !types.containsValue(priced)) {
            throw new IllegalArgumentException(
                "prices has '" + priced + "', which is no type of these machines");
          }
          Check.price("prices", price);
        });
    // One without would count as one of the usual price, whatever it costs.
    Stream.concat(Stream.of(type), types.values().stream())
        .filter(used -> !prices.isEmpty() && !prices.containsKey(used))
        .findFirst()
        .ifPresent(
            used -> {
              throw new IllegalArgumentException(
                  "prices has no '" + used + "': all types of these machines need one, or none");
            });
  }

  private static <T> Map<String, T> sorted(Map<String, T> map) {
    return map == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(map));
  }

  /** The same with paths resolved against the folder of the settings file. */
  public MachineSettings in(Path folder) {
    return new MachineSettings(
        host,
        port,
        type,
        types,
        prices,
        userData == null ? null : folder.resolve(userData).normalize().toString(),
        max,
        end,
        boot,
        poll,
        keep);
  }

  /**
   * That the files are there.
   *
   * @param kind of provider, for errors
   */
  public void requireFiles(String kind) {
    if (userData != null) {
      Check.readable("provider.%s.machines.userData".formatted(kind), userData);
    }
  }

  /** The type of machine for a profile. */
  String type(Profile profile) {
    return types.getOrDefault(profile.name(), type);
  }

  /** Per hour; empty if not known. */
  OptionalDouble price(String ofType) {
    Double price = prices.get(ofType);
    return price == null ? OptionalDouble.empty() : OptionalDouble.of(price);
  }

  /** The node that runs, or will run, on a machine; empty while what names it is not known. */
  Optional<NodeId> node(CloudMachine machine) {
    StringBuilder name = new StringBuilder();
    Matcher variable = VARIABLE.matcher(host);
    while (variable.find()) {
      String value = value(machine, variable.group(1));
      if (value.isEmpty()) {
        return Optional.empty();
      }
      variable.appendReplacement(name, Matcher.quoteReplacement(value));
    }
    variable.appendTail(name);
    return Optional.of(new NodeId(name + ":" + port));
  }

  private static String value(CloudMachine machine, String variable) {
    return switch (variable) {
      // An address with colons is in brackets in the names of nodes.
      case "IP" -> machine.ip().contains(":") ? "[" + machine.ip() + "]" : machine.ip();
      case "DNS" -> machine.dns();
      case "NAME" -> machine.name();
      default -> machine.id();
    };
  }
}
