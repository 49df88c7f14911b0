package io.trimtab.runtime.provision;

import io.trimtab.engineapi.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster that is made for an agreement, as far as it is. It is kept before each step that
 * follows, so that a command that was killed goes on where it stood. Immutable.
 *
 * @param name of the agreement
 * @param mark of the cluster's machines with their provider, as its id while it has none
 * @param agreement as YAML, so that another one of the same name is not taken for it
 * @param nodeType by its table
 * @param nodes that it is to have, ≥ 1
 * @param table that is created; empty if none is, or it was deleted
 * @param copies of its data in each data centre, ≥ 1
 * @param address of the cluster, for display
 * @param started its nodes in the order in which they were asked for, without those given back
 */
public record Provisioned(
    String name,
    String mark,
    String agreement,
    String nodeType,
    int nodes,
    String table,
    int copies,
    String address,
    List<NodeId> started,
    Step step) {

  /** What is done. */
  public enum Step {
    /** Nodes are started, one after the other, and then the table is created. */
    STARTING,
    /** All is there. */
    RUNNING,
    /** Its machines are given back; nothing is started any more. */
    RELEASING
  }

  public Provisioned {
    started = List.copyOf(started);
    if (nodes < 1 || copies < 1 || started.size() > nodes) {
      throw new IllegalArgumentException(
          "%d nodes with %d copies, %d started".formatted(nodes, copies, started.size()));
    }
  }

  /** The request for a node, from 1; the same for whoever asks again. */
  String request(int number) {
    return mark + "/new-" + number;
  }

  Provisioned with(NodeId node) {
    List<NodeId> more = new ArrayList<>(started);
    more.add(node);
    return new Provisioned(
        name, mark, agreement, nodeType, nodes, table, copies, address, more, step);
  }

  /** One of its nodes was given back. */
  Provisioned without(NodeId node) {
    List<NodeId> rest = started.stream().filter(other -> !other.equals(node)).toList();
    return new Provisioned(
        name, mark, agreement, nodeType, nodes, table, copies, address, rest, step);
  }

  /** Its table was deleted. */
  Provisioned withoutTable() {
    return new Provisioned(
        name, mark, agreement, nodeType, nodes, "", copies, address, started, step);
  }

  Provisioned at(Step next) {
    return new Provisioned(
        name, mark, agreement, nodeType, nodes, table, copies, address, started, next);
  }

  /** The nodes that were started, for messages. */
  String names() {
    return String.join(", ", started.stream().map(NodeId::name).toList());
  }
}
