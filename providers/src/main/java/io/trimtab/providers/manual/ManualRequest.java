package io.trimtab.providers.manual;

import io.trimtab.engineapi.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * A node that a person was asked to start; kept until the node is given back.
 *
 * @param what is asked for, whoever asks: {@code add}, {@code replace node7:7000}
 * @param text what is to be done, in one line
 * @param since when it was asked for, in milliseconds since 1970
 * @param before all nodes of the cluster at that time, the dead ones included
 * @param node the node that was started; null while nobody has
 * @param expired whether the plan that asked for it has given it up; the next one that asks for the
 *     same takes it over, so that nobody is asked for two nodes instead of one
 */
record ManualRequest(
    String id,
    String what,
    String text,
    long since,
    List<String> before,
    String node,
    boolean expired) {
  ManualRequest {
    before = List.copyOf(before);
  }

  Optional<NodeId> answer() {
    return Optional.ofNullable(node).map(NodeId::new);
  }

  ManualRequest answered(NodeId by) {
    return new ManualRequest(id, what, text, since, before, by.name(), false);
  }

  ManualRequest givenUp() {
    return new ManualRequest(id, what, text, since, before, node, true);
  }

  /** The same, asked for by another plan, in its words. */
  ManualRequest of(String otherId, String otherText) {
    return new ManualRequest(otherId, what, otherText, since, before, node, false);
  }
}
