package io.trimtab.cassandra.ranking;

import io.trimtab.cassandra.ranking.RankingNodes.Bean;
import io.trimtab.cassandra.ranking.RankingNodes.RingNode;
import io.trimtab.cassandra.versions.CassandraVersions;
import io.trimtab.engineapi.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;

/** Tells where the plug-in that ranks replicas is loaded and what it does, and sets it. */
public final class RankingPlugin {
  /** The plug-in's name over JMX. */
  public static final String BEAN = "io.trimtab:type=ReplicaRanking";

  /** What cassandra.yaml must name. */
  public static final String SNITCH = "io.trimtab.cassandraplugin.TrimtabSnitch";

  /** The Cassandras that it is made for. */
  private static final List<String> CASSANDRAS = List.of("4.1", "5.0");

  private static final String RANKING = "Ranking";

  /** Nodes that are asked at a time: each that is frozen takes until the end of its time limit. */
  private static final int AT_ONCE = 32;

  private final RankingNodes nodes;

  public RankingPlugin(RankingNodes nodes) {
    this.nodes = nodes;
  }

  /**
   * Asks all members of the ring, also those that do not answer.
   *
   * @return by name
   */
  public List<NodePlugin> nodes() throws EngineException {
    return each(
        nodes.members(),
        node -> {
          try {
            return nodes.ask(
                node.id(),
                bean ->
                    bean.isThere()
                        ? NodePlugin.read(node.id(), bean, unfit(node))
                        : NodePlugin.absent(node.id(), unfit(node)));
          } catch (IOException e) {
            return NodePlugin.silent(node.id(), e.getMessage());
          }
        });
  }

  /** Why the plug-in is not for a node; empty if it is, or its version is not known. */
  private static String unfit(RingNode node) {
    String version = node.version();
    return version.isEmpty()
            || CASSANDRAS.stream().anyMatch(its -> CassandraVersions.isOf(version, its))
        ? ""
        : "it runs Cassandra " + version + ", the plug-in is for " + cassandras();
  }

  private static String cassandras() {
    return String.join(" and ", CASSANDRAS);
  }

  /** Whether a node can be set, or the rankings that it knows instead of the one that it can't. */
  private record Checked(RingNode node, String problem, List<String> known) {}

  /**
   * What {@link #set} would do now; changes nothing.
   *
   * @throws EngineException if no node can be set, and there is one whose plug-in does not know the
   *     ranking
   */
  public RankingChange check(Map<String, Object> values) throws EngineException {
    return new RankingChange(
        checked(values).stream()
            .map(
                it ->
                    it.problem().isEmpty()
                        ? RankingChange.Node.taken(it.node().id())
                        : RankingChange.Node.skipped(it.node().id(), it.problem()))
            .toList());
  }

  private List<Checked> checked(Map<String, Object> values) throws EngineException {
    List<Checked> all = each(nodes.members(), node -> check(node, values));
    List<String> known = all.stream().flatMap(it -> it.known().stream()).distinct().toList();
    if (!known.isEmpty() && all.stream().noneMatch(it -> it.problem().isEmpty())) {
      throw new EngineException(
          "no node that answers knows a ranking "
              + values.get(RANKING)
              + "; there are "
              + String.join(", ", known)
              + "; nothing was changed");
    }
    return all;
  }

  private Checked check(RingNode node, Map<String, Object> values) {
    try {
      return nodes.ask(node.id(), bean -> check(node, bean, values));
    } catch (IOException e) {
      return new Checked(node, e.getMessage(), List.of());
    }
  }

  private static Checked check(RingNode node, Bean bean, Map<String, Object> values)
      throws IOException {
    if (!bean.isThere()) {
      String unfit = unfit(node);
      return new Checked(
          node,
          "it has no plug-in: " + (unfit.isEmpty() ? "trimtab plugin install cassandra" : unfit),
          List.of());
    }
    Object ranking = values.get(RANKING);
    List<String> known = List.of((String[]) bean.get("Rankings"));
    if (ranking != null && !known.contains(ranking)) {
      return new Checked(
          node,
          "its plug-in knows no ranking " + ranking + ", but " + String.join(", ", known),
          known);
    }
    for (String attribute : values.keySet()) {
      // An older plug-in may lack one.
      bean.get(attribute);
    }
    return new Checked(node, "", List.of());
  }

  /**
   * Sets attributes of the plug-in on every node that answers and has it; they last until its next
   * start. Nothing is set before all nodes have been asked.
   *
   * @param values by attribute, for example {@code Ranking} → {@code c3}
   * @throws EngineException as {@link #check}, and then nothing is set
   */
  public RankingChange set(Map<String, Object> values) throws EngineException {
    return new RankingChange(each(checked(values), node -> set(node, values)));
  }

  private RankingChange.Node set(Checked checked, Map<String, Object> values) {
    if (!checked.problem().isEmpty()) {
      return RankingChange.Node.skipped(checked.node().id(), checked.problem());
    }
    try {
      return nodes.ask(
          checked.node().id(),
          bean -> {
            for (Map.Entry<String, Object> value : values.entrySet()) {
              bean.set(value.getKey(), value.getValue());
            }
            return RankingChange.Node.taken(checked.node().id());
          });
    } catch (IOException e) {
      return RankingChange.Node.failed(checked.node().id(), e.getMessage());
    }
  }

  private static <N, T> List<T> each(List<N> all, Function<N, T> what) throws EngineException {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.max(1, Math.min(AT_ONCE, all.size())),
            work -> {
              Thread thread = new Thread(work, "ranking");
              thread.setDaemon(true);
              return thread;
            });
    try {
      Stream<Callable<T>> calls = all.stream().map(one -> () -> what.apply(one));
      List<T> answers = new ArrayList<>();
      for (Future<T> answer : threads.invokeAll(calls.toList())) {
        answers.add(answer.get());
      }
      return answers;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted while nodes were asked", e);
    } catch (ExecutionException e) {
      throw new EngineException("a node can't be asked: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * What an operator must do, on each node without the plug-in.
   *
   * @param jar the plug-in's jar, as it is called on the operator's machine
   */
  public static String steps(String jar) {
    return """
        On each node that lacks the plug-in (Cassandra %s):
          1. Copy %s into Cassandra's lib folder.
          2. In its cassandra.yaml, note the snitch and replace it, and switch the dynamic one off:
               endpoint_snitch: %s
               dynamic_snitch: false
          3. In its jvm-server.options, add the snitch that was there before, for example:
               -Dtrimtab.snitch=GossipingPropertyFileSnitch
          4. nodetool drain, and restart it; one node after another. Nodes with and without the
             plug-in work together.
        Then run this command again: it asks every node.
        """
        .formatted(cassandras(), jar, SNITCH);
  }
}
