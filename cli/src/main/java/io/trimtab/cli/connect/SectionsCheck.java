package io.trimtab.cli.connect;

import io.trimtab.cli.node.NodeList;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.snapshot.NodeState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Tries what a cluster has beside its database: who starts its nodes, and who tells of them. Each
 * is asked one question, and nothing is changed.
 */
final class SectionsCheck {
  private static final String PROVIDER = "provider";
  private static final String METRICS = "metrics";

  private final ClusterHandle cluster;
  private final Supplier<List<MetricSource>> metrics;
  private final Consumer<ConnectionStep> steps;

  /**
   * @param cluster whose database was checked, and works
   * @param metrics its sources; fails with a {@link UserError} if there can be none
   * @param steps hears each step as it ends
   */
  SectionsCheck(
      ClusterHandle cluster, Supplier<List<MetricSource>> metrics, Consumer<ConnectionStep> steps) {
    this.cluster = cluster;
    this.metrics = metrics;
    this.steps = steps;
  }

  void run() {
    Optional<NodeProvider> provider = provider();
    List<MetricSource> sources = sources();
    if (provider.isEmpty() && sources.isEmpty()) {
      return;
    }
    // A provider looks at the cluster, and a source is asked for its nodes.
    try (Engine engine = cluster.connect()) {
      List<NodeId> nodes = engine.snapshot().liveNodes().stream().map(NodeState::id).toList();
      provider.ifPresent(this::ask);
      sources.forEach(source -> ask(source, nodes, steps));
    } catch (EngineException e) {
      steps.accept(
          ConnectionStep.fails(
              "a look at the cluster", e.getMessage(), "mend what the message names, and again"));
    } finally {
      sources.forEach(MetricSource::close);
    }
  }

  private Optional<NodeProvider> provider() {
    try {
      return cluster.provider(notice -> {});
    } catch (UserError e) {
      steps.accept(ConnectionStep.fails(PROVIDER, e.getMessage(), "correct the section provider"));
      return Optional.empty();
    }
  }

  private List<MetricSource> sources() {
    try {
      return metrics.get();
    } catch (UserError e) {
      steps.accept(ConnectionStep.fails(METRICS, e.getMessage(), "correct the section metrics"));
      return List.of();
    }
  }

  /** One that can add nothing now works all the same: it says why. */
  private void ask(NodeProvider provider) {
    try {
      NodeCapacity now = provider.capacity();
      steps.accept(
          ConnectionStep.works(PROVIDER, now.hindrance().orElseGet(() -> NodeList.text(now))));
    } catch (EngineException | UserError e) {
      steps.accept(
          ConnectionStep.fails(
              PROVIDER,
              e.getMessage(),
              "correct the section provider, or start what it names and give its user the rights"
                  + " that docs/providers.md lists"));
    }
  }

  /**
   * @param nodes that the database knows, alive
   */
  static void ask(MetricSource source, List<NodeId> nodes, Consumer<ConnectionStep> steps) {
    String what = METRICS + " of " + source.name();
    Map<NodeId, NodeReadings> told;
    try {
      told = source.read(nodes);
    } catch (IOException e) {
      steps.accept(
          ConnectionStep.fails(
              what,
              String.valueOf(e.getMessage()),
              "correct what metrics.sources says of it, or start it"));
      return;
    }
    String unknown =
        nodes.stream()
            .filter(node -> told.getOrDefault(node, NodeReadings.NONE).values().isEmpty())
            .map(NodeId::name)
            .collect(Collectors.joining(", "));
    steps.accept(
        unknown.isEmpty()
            ? ConnectionStep.works(what, "it knows all " + nodes.size() + " nodes")
            : ConnectionStep.fails(
                what,
                "it knows nothing of " + unknown,
                "let it watch them, or say in its hosts what it calls them"));
  }
}
