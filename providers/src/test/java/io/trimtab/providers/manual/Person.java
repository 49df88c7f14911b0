package io.trimtab.providers.manual;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Does what it is told at once, unless it is away. */
final class Person {
  private static final Pattern STOP = Pattern.compile("stop node (\\S+) for good.*");
  private static final Pattern RESTART = Pattern.compile("restart node (\\S+).*");

  final SortedMap<NodeId, Long> alive = new ConcurrentSkipListMap<>();
  final List<String> told = Collections.synchronizedList(new ArrayList<>());
  final Set<NodeId> unread = new ConcurrentSkipListSet<>();
  volatile List<String> missing = List.of();
  volatile boolean away;
  private int number;
  private long incarnation;

  ProviderContext context(Path folder) {
    return new ProviderContext(this::seen, ProviderContext.Words.PLAIN, id -> folder, this::hears);
  }

  /** The cluster, with what of it can't be read. */
  ClusterSnapshot seen() {
    ClusterSnapshot seen = Snapshots.of(alive);
    List<String> gaps = new ArrayList<>(missing);
    List<NodeState> nodes = new ArrayList<>();
    for (NodeState node : seen.nodes()) {
      if (unread.contains(node.id())) {
        String gap = "node " + node.id() + ": no answer";
        gaps.add(gap);
        nodes.add(node.with(NodeRead.failed(gap)));
      } else {
        nodes.add(node);
      }
    }
    return seen.with(nodes, seen.partitions(), gaps);
  }

  NodeId starts() {
    NodeId node = new NodeId("m" + ++number + ":16020");
    alive.put(node, ++incarnation);
    return node;
  }

  void restarts(NodeId node) {
    alive.put(node, ++incarnation);
  }

  private void hears(String line) {
    told.add(line);
    if (away) {
      return;
    }
    Matcher stop = STOP.matcher(line);
    Matcher restart = RESTART.matcher(line);
    if (stop.matches()) {
      alive.remove(new NodeId(stop.group(1)));
    } else if (restart.matches()) {
      restarts(new NodeId(restart.group(1)));
    } else if (line.contains(": start one node")) {
      starts();
    }
  }
}
