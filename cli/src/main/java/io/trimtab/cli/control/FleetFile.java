package io.trimtab.cli.control;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.controller.settings.Settings;
import io.trimtab.formats.SettingsFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Reads which clusters an autopilot has, and how it is to treat each. */
public final class FleetFile {
  private FleetFile() {}

  /**
   * One cluster; exactly one of {@code lab}, {@code zookeeper}, {@code cassandra} and {@code
   * cluster} says which.
   *
   * @param name for display: letters, digits, {@code _}, {@code -} and {@code .}
   * @param jmxPort of a Cassandra cluster's nodes
   * @param cqlUser of a Cassandra cluster; the password is in the environment
   * @param jmxUser of a Cassandra cluster; the password is in the environment
   * @param cluster its name in the file of connections
   * @param connections that file, relative to this one; missing: the user's
   * @param config its settings, a file relative to this one; missing: all defaults
   */
  record FleetCluster(
      String name,
      String lab,
      String zookeeper,
      String cassandra,
      Integer jmxPort,
      String cqlUser,
      String jmxUser,
      String cluster,
      String connections,
      String config) {
    FleetCluster {
      if (name == null || !name.matches("[A-Za-z0-9_.-]{1,60}")) {
        throw new IllegalArgumentException(
            "name must be 1 to 60 of A-Z a-z 0-9 _ . -, not " + name);
      }
      if (lab == null && zookeeper == null && cassandra == null && cluster == null) {
        throw new IllegalArgumentException(
            name
                + ": cluster, lab, zookeeper or cassandra is missing; one of them must name the"
                + " cluster");
      }
    }
  }

  record FleetContent(List<FleetCluster> clusters) {
    FleetContent {
      if (clusters == null || clusters.isEmpty()) {
        throw new IllegalArgumentException("clusters is missing");
      }
      Set<String> names = new HashSet<>();
      for (FleetCluster cluster : clusters) {
        if (!names.add(cluster.name())) {
          throw new IllegalArgumentException("clusters: two have the name " + cluster.name());
        }
      }
    }
  }

  /** A cluster, and how to treat it. */
  record FleetMember(String name, ClusterChoice choice, Settings settings) {}

  /**
   * With all the settings that it names, so that none turns out to be bad later.
   *
   * @throws UserError naming the file
   */
  public static List<FleetMember> read(Path file) {
    List<FleetMember> members = new ArrayList<>();
    for (FleetCluster c : StrictYaml.read(file, FleetContent.class).clusters()) {
      Settings settings =
          c.config() == null
              ? Settings.defaults()
              : SettingsFile.read(file.toAbsolutePath().resolveSibling(c.config()));
      try {
        ClusterChoice choice = ClusterChoice.of(arguments(c, file));
        members.add(new FleetMember(c.name(), choice, settings));
      } catch (UserError e) {
        throw new UserError(file + ": " + c.name() + ": " + e.getMessage().replace("--", ""), e);
      }
    }
    return members;
  }

  /** As one would type it; a key that is not given is no argument. */
  private static List<String> arguments(FleetCluster cluster, Path file) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("--lab", cluster.lab());
    options.put("--zookeeper", cluster.zookeeper());
    options.put("--cassandra", cluster.cassandra());
    options.put("--jmx-port", cluster.jmxPort());
    options.put("--cql-user", cluster.cqlUser());
    options.put("--jmx-user", cluster.jmxUser());
    options.put("--cluster", cluster.cluster());
    options.put(
        "--connections",
        cluster.connections() == null
            ? null
            : file.toAbsolutePath().resolveSibling(cluster.connections()));
    options.values().removeIf(Objects::isNull);
    return options.entrySet().stream()
        .flatMap(option -> Stream.of(option.getKey(), String.valueOf(option.getValue())))
        .toList();
  }
}
