package io.trimtab.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.AddedModule;
import io.trimtab.cli.Main;
import io.trimtab.cli.MemoryModule;
import io.trimtab.cli.Run;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that nobody needs, of a provider that can't give back all of them. */
final class NodeSweepTest {
  private static final List<Machine> LEFT = new ArrayList<>();
  private static final List<String> ASKED = new ArrayList<>();

  /** Whether a node of the cluster can't be read. */
  private static boolean unread;

  @TempDir private Path folder;
  private AddedModule added;

  /** With machines whose nodes the cluster does not have. */
  private record Leaky(InMemoryCluster cluster) implements ClusterHandle {
    @Override
    public String label() {
      return "leaky";
    }

    @Override
    public Engine connect() {
      return cluster.engine();
    }

    @Override
    public Optional<NodeProvider> provider(Consumer<String> notices) {
      return Optional.of(
          (NodeProvider)
              Proxy.newProxyInstance(
                  NodeProvider.class.getClassLoader(),
                  new Class<?>[] {NodeProvider.class},
                  (proxy, verb, arguments) ->
                      switch (verb.getName()) {
                        case "machines" -> List.copyOf(LEFT);
                        case "release" -> released((Machine) arguments[0]);
                        default -> throw new UnsupportedOperationException(verb.getName());
                      }));
    }

    private static Object released(Machine machine) throws EngineException {
      ASKED.add(machine.name());
      if (machine.name().equals("stuck")) {
        throw new EngineException("it does not stop");
      }
      LEFT.remove(machine);
      return null;
    }
  }

  @BeforeEach
  void machines() throws Exception {
    added = new AddedModule(MemoryModule.class, folder);
    MemoryModule.answers(
        () -> {
          InMemoryCluster cluster = new InMemoryCluster(ClusterSpec.assigned(7, 2));
          if (unread) {
            cluster.faults().always(Verb.SNAPSHOT, cluster.truth().nodes().get(0).id(), Kind.GAP);
          }
          return new Leaky(cluster);
        });
    ASKED.clear();
    LEFT.clear();
    unread = false;
    Instant began = Instant.now().minus(Duration.ofDays(1));
    for (String name : List.of("first", "stuck", "last")) {
      LEFT.add(
          new Machine(
              name,
              Optional.of(new NodeId(name + ":16020")),
              "in-memory-7",
              "p/" + name,
              Optional.of(began.plus(Duration.ofMinutes(LEFT.size()))),
              Machine.State.RUNNING));
    }
  }

  @AfterEach
  void forgotten() {
    added.close();
  }

  /** A set of pods gives up its last one first, and one that fails does not keep the others. */
  @Test
  void theNewestGoesFirstAndAllAreTried() {
    Run run = Run.of("node", "sweep", "--in-memory", "--act", "--yes");

    assertThat(run.code()).as(run.out()).isEqualTo(Main.REFUSED);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .contains("not given back: stuck: it does not stop; the same command tries again");
    assertThat(run.out()).contains("given back: last", "given back: first");
    assertThat(ASKED).containsExactly("last", "stuck", "first");
    assertThat(LEFT).extracting(Machine::name).containsExactly("stuck");
  }

  /** It is the cluster's, whatever it says; machines that nobody needs cost money meanwhile. */
  @Test
  void aNodeThatCantBeReadDoesNotKeepThem() {
    unread = true;
    LEFT.removeIf(machine -> machine.name().equals("stuck"));
    Run run = Run.of("node", "sweep", "--in-memory", "--act", "--yes");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(LEFT).isEmpty();
  }
}
