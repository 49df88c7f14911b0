package io.trimtab.providers.manual;

import io.trimtab.engineapi.NodeId;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.Snapshots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Does what it is told at once, unless it is away. */
final class Person {
  private static final Pattern STOP = Pattern.compile("stop node (\\S+) for good.*");
  private static final Pattern RESTART = Pattern.compile("restart node (\\S+).*");

  final SortedMap<NodeId, Long> alive = new ConcurrentSkipListMap<>();
  final List<String> told = Collections.synchronizedList(new ArrayList<>());
  volatile boolean away;
  private int number;
  private long incarnation;

  ProviderContext context(Path folder) {
    return new ProviderContext(
        () -> Snapshots.of(alive), ProviderContext.Words.PLAIN, id -> folder, this::hears);
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
