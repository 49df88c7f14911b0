package io.trimtab.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.MemoryHandle;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.sources.MetricSources;
import io.trimtab.sources.MetricsConfig;
import io.trimtab.sources.SourceConfig;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Of a cluster with two nodes: what is beside its database is asked, and nothing else. */
final class SectionsCheckTest {
  private final InMemoryCluster cluster =
      new InMemoryCluster(ClusterSpec.assigned(5, 2), new VirtualClock(Instant.now()));

  /** With a provider as a test needs it. */
  private record Handle(MemoryHandle database, Supplier<Optional<NodeProvider>> provider)
      implements ClusterHandle {
    @Override
    public String label() {
      return database.label();
    }

    @Override
    public Engine connect() {
      return database.connect();
    }

    @Override
    public Optional<NodeProvider> provider(Consumer<String> notices) {
      return provider.get();
    }
  }

  private List<String> told(
      Supplier<Optional<NodeProvider>> provider, Supplier<List<MetricSource>> metrics) {
    return told(new Handle(new MemoryHandle("toy", cluster), provider), metrics);
  }

  private static List<String> told(ClusterHandle handle, Supplier<List<MetricSource>> metrics) {
    List<ConnectionStep> steps = new ArrayList<>();
    new SectionsCheck(handle, metrics, steps::add).run();
    return steps.stream().map(ConnectionStep::text).toList();
  }

  @Test
  void withoutSectionsNothingIsAsked() {
    assertThat(told(Optional::empty, List::of)).isEmpty();
  }

  @Test
  void aProviderSaysWhatItCanAdd() throws EngineException {
    int before = cluster.engine().snapshot().nodes().size();
    assertThat(told(new MemoryHandle("toy", cluster), List::of))
        .singleElement()
        .asString()
        .startsWith("ok      provider: 10 can be added");
    assertThat(cluster.engine().snapshot().nodes()).hasSize(before);
  }

  @Test
  void aProviderThatDoesNotAnswerIsTold() {
    NodeProvider silent =
        (NodeProvider)
            Proxy.newProxyInstance(
                NodeProvider.class.getClassLoader(),
                new Class<?>[] {NodeProvider.class},
                (proxy, verb, arguments) -> {
                  throw new EngineException("cloud.example: no answer to " + verb.getName());
                });
    assertThat(told(() -> Optional.of(silent), List::of))
        .singleElement()
        .asString()
        .startsWith("FAILED  provider: cloud.example: no answer to capacity; to mend it: ");
  }

  /** Two things that mend it would be one too many, and the second one wrong. */
  @Test
  void whatALineSaysItselfToMendItCounts() {
    NodeProvider strange =
        (NodeProvider)
            Proxy.newProxyInstance(
                NodeProvider.class.getClassLoader(),
                new Class<?>[] {NodeProvider.class},
                (proxy, verb, arguments) -> {
                  throw new EngineException("cloud.example: is strange; to mend it: trust it");
                });
    assertThat(told(() -> Optional.of(strange), List::of))
        .containsExactly("FAILED  provider: cloud.example: is strange; to mend it: trust it");
  }

  @Test
  void aProviderWhoseFilesAreMissingIsTold() {
    Supplier<Optional<NodeProvider>> without =
        () -> {
          throw new UserError("nodes.py: no such file");
        };
    assertThat(told(without, List::of))
        .containsExactly(
            "FAILED  provider: nodes.py: no such file; to mend it: correct the section provider");
  }

  @Test
  void aSourceThatDoesNotAnswerIsTold() {
    SourceConfig prometheus =
        new SourceConfig(
            SourceConfig.Type.PROMETHEUS,
            "watcher",
            "http://127.0.0.1:1",
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    MetricsConfig metrics = new MetricsConfig(List.of(prometheus), null, null, null, null);
    assertThat(told(Optional::empty, () -> MetricSources.of(metrics, "hbase")))
        .singleElement()
        .asString()
        .startsWith("FAILED  metrics of watcher: ")
        .contains("127.0.0.1:1")
        .endsWith("; to mend it: correct what metrics.sources says of it, or start it");
  }

  /** Of the nodes that are asked for, those that are told. */
  private static String asked(NodeId... told) {
    MetricSource source =
        new MetricSource() {
          @Override
          public String name() {
            return "ganglia";
          }

          @Override
          public Map<NodeId, NodeReadings> read(Collection<NodeId> nodes) {
            Map<NodeId, NodeReadings> all = new HashMap<>();
            for (NodeId node : told) {
              all.put(node, NodeReadings.NONE.with(Metric.CPU_USER, 0.5, Instant.EPOCH));
            }
            return all;
          }
        };
    List<ConnectionStep> steps = new ArrayList<>();
    List<NodeId> nodes = List.of(new NodeId("n1:1"), new NodeId("n2:1"), new NodeId("n3:1"));
    SectionsCheck.ask(source, nodes, steps::add);
    assertThat(steps).hasSize(1);
    return steps.get(0).text();
  }

  @Test
  void nodesThatASourceDoesNotKnowAreNamed() {
    assertThat(asked(new NodeId("n1:1"), new NodeId("n2:1"), new NodeId("n3:1")))
        .isEqualTo("ok      metrics of ganglia: it knows all 3 nodes");
    assertThat(asked(new NodeId("n2:1")))
        .isEqualTo(
            "FAILED  metrics of ganglia: it knows nothing of n1:1, n3:1; to mend it: let it watch"
                + " them, or say in its hosts what it calls them");
  }
}
