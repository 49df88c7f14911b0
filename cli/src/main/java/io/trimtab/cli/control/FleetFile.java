package io.trimtab.cli.control;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.config.Bytes;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.controller.guard.MachineMap;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.formats.SettingsFile;
import io.trimtab.models.capacity.MachineBudget.Size;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which clusters an autopilot has, how it is to treat each, and what they share. */
public final class FleetFile {
  private static final Pattern OPTION = Pattern.compile("--([a-z]+)(?:-([a-z]))?");

  private final Path file;
  private final FleetContent content;

  private FleetFile(Path file, FleetContent content) {
    this.file = file;
    this.content = content;
  }

  /**
   * Reads a file, and none of those that it names.
   *
   * @throws UserError naming file, line and key
   */
  public static FleetFile read(Path file) {
    return new FleetFile(file, StrictYaml.read(file, FleetContent.class));
  }

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

  /**
   * What a machine has, or a node of a type needs.
   *
   * @param cores &gt; 0
   */
  record FleetSize(Double cores, Bytes memory, Bytes disk) {
    FleetSize {
      more("cores", cores, cores != null && cores > 0);
      more("memory", memory, memory != null && memory.value() > 0);
      more("disk", disk, disk != null && disk.value() > 0);
    }

    private static void more(String key, Object value, boolean holds) {
      given(key, value);
      if (!holds) {
        throw new IllegalArgumentException(key + " must be > 0, not " + value);
      }
    }

    Size size() {
      return new Size(cores, memory.value(), disk.value());
    }
  }

  /**
   * A node on a machine.
   *
   * @param cluster its name in this file
   * @param node as its database names it: {@code host:port}
   * @param type of the node, one of {@code nodeTypes}
   */
  public record FleetNode(String cluster, String node, String type) {
    public FleetNode {
      given("cluster", cluster);
      given("node", node == null || node.isBlank() ? null : node);
      given("type", type);
    }
  }

  /**
   * A machine on which nodes of several clusters may be.
   *
   * @param nodes missing: none
   */
  public record FleetMachine(Double cores, Bytes memory, Bytes disk, List<FleetNode> nodes) {
    public FleetMachine {
      nodes = nodes == null ? List.of() : List.copyOf(nodes);
      // Here its line is known.
      size(cores, memory, disk);
    }

    /** What it has. */
    public Size has() {
      return size(cores, memory, disk);
    }

    private static Size size(Double cores, Bytes memory, Bytes disk) {
      return new FleetSize(cores, memory, disk).size();
    }
  }

  private static void given(String key, Object value) {
    if (value == null) {
      throw new IllegalArgumentException(key + " is missing");
    }
  }

  /**
   * The machines that clusters share.
   *
   * @param nodeTypes what a node of each type needs, by the name that tables have for it
   * @param machines by name
   */
  public record Shared(Map<String, Size> nodeTypes, Map<String, FleetMachine> machines) {
    /** Which nodes are on which machines. */
    public MachineMap map() {
      return new MachineMap(
          machines.entrySet().stream()
              .map(machine -> machine(machine.getKey(), machine.getValue()))
              .toList(),
          List.copyOf(nodeTypes.values()));
    }

    private MachineMap.Machine machine(String name, FleetMachine machine) {
      return new MachineMap.Machine(
          name,
          machine.has(),
          machine.nodes().stream()
              .map(
                  node ->
                      new MachineMap.Listed(
                          node.cluster(), new NodeId(node.node()), nodeTypes.get(node.type())))
              .toList());
    }
  }

  record FleetContent(
      List<FleetCluster> clusters,
      Map<String, FleetSize> nodeTypes,
      Map<String, FleetMachine> machines) {
    FleetContent {
      nodeTypes = nodeTypes == null ? Map.of() : new TreeMap<>(nodeTypes);
      machines = machines == null ? Map.of() : new TreeMap<>(machines);
      if (clusters == null || clusters.isEmpty()) {
        throw new IllegalArgumentException("clusters is missing");
      }
      Set<String> names = new HashSet<>();
      for (FleetCluster cluster : clusters) {
        if (!names.add(cluster.name())) {
          throw new IllegalArgumentException("clusters: two have the name " + cluster.name());
        }
      }
      Set<String> placed = new HashSet<>();
      for (Map.Entry<String, FleetMachine> machine : machines.entrySet()) {
        List<FleetNode> nodes = machine.getValue().nodes();
        for (int i = 0; i < nodes.size(); i++) {
          String key = "machines.%s.nodes.%d".formatted(machine.getKey(), i);
          check(key, nodes.get(i), names, nodeTypes.keySet(), placed);
        }
      }
    }

    private static void check(
        String key, FleetNode node, Set<String> clusters, Set<String> types, Set<String> placed) {
      if (!clusters.contains(node.cluster())) {
        throw new IllegalArgumentException(
            key + ".cluster: no cluster of the file is named " + node.cluster());
      }
      if (!types.contains(node.type())) {
        throw new IllegalArgumentException(key + ".type: nodeTypes has no " + node.type());
      }
      if (!placed.add(node.cluster() + "/" + node.node())) {
        throw new IllegalArgumentException(
            key + ".node: node %s of %s is there twice".formatted(node.node(), node.cluster()));
      }
    }
  }

  /** A cluster, and how to treat it. */
  public record FleetMember(String name, ClusterChoice choice, Settings settings) {}

  /**
   * The machines that its clusters share; none where the file names none.
   *
   * @throws UserError naming file, line and key
   */
  public Shared shared() {
    Map<String, Size> types = new TreeMap<>();
    content.nodeTypes().forEach((name, size) -> types.put(name, size.size()));
    return new Shared(types, content.machines());
  }

  /**
   * As {@link #members}, after all files were read that they are connected and controlled with, so
   * that none turns out to be bad later. A lab that is not up is a cluster that is away.
   *
   * @throws UserError naming this file, the cluster and the bad file
   */
  public List<FleetMember> checked() {
    List<FleetMember> members = members();
    for (int i = 0; i < members.size(); i++) {
      FleetMember member = members.get(i);
      try {
        if (content.clusters().get(i).lab() == null) {
          member.choice().cluster();
        }
        ConfigOption.checkFiles(member.settings());
      } catch (UserError e) {
        throw new UserError(file + ": " + member.name() + ": " + e.getMessage(), e);
      }
    }
    return members;
  }

  /**
   * Its clusters, with their settings.
   *
   * @throws UserError naming the file
   */
  public List<FleetMember> members() {
    List<FleetMember> members = new ArrayList<>();
    for (FleetCluster c : content.clusters()) {
      Settings settings =
          c.config() == null
              ? Settings.defaults()
              : SettingsFile.read(file.toAbsolutePath().resolveSibling(c.config()));
      try {
        ClusterChoice choice = ClusterChoice.of(arguments(c));
        members.add(new FleetMember(c.name(), choice, settings));
      } catch (UserError e) {
        throw new UserError(file + ": " + c.name() + ": " + asKeys(e.getMessage()), e);
      }
    }
    return members;
  }

  /** Options have words and hyphens where keys are in camel case. */
  private static String asKeys(String message) {
    return OPTION
        .matcher(message)
        .replaceAll(
            found ->
                found.group(2) == null
                    ? found.group(1)
                    : found.group(1) + found.group(2).toUpperCase(Locale.ROOT));
  }

  /** As one would type it; a key that is not given is no argument. */
  private List<String> arguments(FleetCluster cluster) {
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
