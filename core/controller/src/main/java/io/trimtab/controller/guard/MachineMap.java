package io.trimtab.controller.guard;

import io.trimtab.engineapi.NodeId;
import io.trimtab.models.capacity.MachineBudget.Size;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which nodes of which clusters are on which machines, as an operator has written it down. Pure.
 *
 * @param types what nodes of all types need, for nodes of which nothing else is known
 */
public record MachineMap(List<Machine> machines, List<Size> types) {
  private static final Pattern PORT = Pattern.compile(":\\d+$");

  /** Of clusters that share nothing. */
  public static final MachineMap NONE = new MachineMap(List.of(), List.of());

  /**
   * A node that is on a machine, or will be.
   *
   * @param cluster its name for display
   * @param size what a node of its type needs
   */
  public record Listed(String cluster, NodeId node, Size size) {}

  /** A machine; no name twice. */
  public record Machine(String name, Size has, List<Listed> nodes) {
    public Machine {
      nodes = List.copyOf(nodes);
    }

    /** Whether a node is one of those that were written down. */
    public boolean lists(String cluster, NodeId node) {
      return listed(cluster, node).isPresent();
    }

    private Optional<Listed> listed(String cluster, NodeId node) {
      return nodes.stream()
          .filter(listed -> listed.cluster().equals(cluster) && listed.node().equals(node))
          .findFirst();
    }

    private boolean hasAddressOf(NodeId node) {
      String address = address(node);
      return name.equals(address)
          || nodes.stream().anyMatch(listed -> address(listed.node()).equals(address));
    }

    private static String address(NodeId node) {
      return PORT.matcher(node.name()).replaceFirst("");
    }
  }

  public MachineMap {
    machines = List.copyOf(machines);
    types = List.copyOf(types);
  }

  public boolean isEmpty() {
    return machines.isEmpty();
  }

  /**
   * The machine of a node: the one that lists it, or else the one that has its address, as name or
   * as that of another node. Empty if it is none of these, or several have the address, as in labs.
   */
  public Optional<Machine> machineOf(String cluster, NodeId node) {
    return machines.stream()
        .filter(machine -> machine.lists(cluster, node))
        .findFirst()
        .or(() -> addressed(node));
  }

  private Optional<Machine> addressed(NodeId node) {
    List<Machine> possible =
        machines.stream().filter(machine -> machine.hasAddressOf(node)).toList();
    return possible.size() == 1 ? Optional.of(possible.get(0)) : Optional.empty();
  }

  /**
   * What a node needs: what its type does; of one that is not listed as much as any that its
   * cluster has, or else as any type; where there are none, the whole machine.
   */
  public Size size(String cluster, NodeId node, Machine on) {
    return on.listed(cluster, node)
        .map(Listed::size)
        .or(
            () ->
                largest(
                    machines.stream()
                        .flatMap(machine -> machine.nodes().stream())
                        .filter(listed -> listed.cluster().equals(cluster))
                        .map(Listed::size)))
        .or(() -> largest(types.stream()))
        .orElse(on.has());
  }

  private static Optional<Size> largest(Stream<Size> sizes) {
    return sizes.reduce(
        (a, b) ->
            new Size(
                Math.max(a.cores(), b.cores()),
                Math.max(a.memoryBytes(), b.memoryBytes()),
                Math.max(a.diskBytes(), b.diskBytes())));
  }
}
