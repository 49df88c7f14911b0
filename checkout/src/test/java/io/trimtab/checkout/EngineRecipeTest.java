package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Run;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.clikit.CommandModule;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Follows the recipe of CONTRIBUTING.md for an engine with the test kit's: a naming in a module of
 * commands, which {@code ServiceLoader} finds as it finds {@code ProductCommands}. That it passes
 * the engines' contract is tested in the test kit.
 */
final class EngineRecipeTest {
  @TempDir private Path folder;
  private ClassLoader before;

  /** In place of {@code ProductCommands}; public, as the recipe says. */
  public static final class ToyModule implements CommandModule {
    @Override
    public List<Added> commands() {
      return List.of();
    }

    @Override
    public List<ClusterNaming> namings() {
      return List.of(new ToyNaming());
    }
  }

  @Command
  static final class ToyNaming implements ClusterNaming {
    @Option(names = "--toy", paramLabel = "NODES", description = "A cluster in memory.")
    private Integer nodes;

    @Override
    public String option() {
      return "--toy";
    }

    @Override
    public boolean given() {
      return nodes != null;
    }

    @Override
    public ClusterHandle cluster() {
      return new Toy(nodes);
    }
  }

  /** As old as a minute, and in the time of the machine, because the commands are. */
  private static final class Toy implements ClusterHandle {
    private final int nodes;
    private final VirtualClock clock = new VirtualClock(Instant.now().minusSeconds(60));
    private final InMemoryCluster cluster;

    Toy(int nodes) {
      this.nodes = nodes;
      TableSpec table = TableSpec.of("orders", 2 * nodes, 512L << 20, Access.reads(40_000 * nodes));
      cluster = new InMemoryCluster(ClusterSpec.assigned(1, nodes, table), clock);
    }

    @Override
    public String label() {
      return "toy " + nodes;
    }

    @Override
    public Engine connect() {
      return (Engine)
          Proxy.newProxyInstance(
              Engine.class.getClassLoader(),
              new Class<?>[] {Engine.class},
              (proxy, verb, arguments) -> {
                clock.advanceTo(Instant.now());
                try {
                  return verb.invoke(cluster.engine(), arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    @Override
    public Optional<NodeProvider> provider() {
      return Optional.of(cluster.provider());
    }
  }

  @BeforeEach
  void registered() throws Exception {
    System.setProperty("trimtab.home", folder.resolve("home").toString());
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(CommandModule.class.getName()), ToyModule.class.getName() + "\n");
    before = Thread.currentThread().getContextClassLoader();
    // Seen by this test only: the other tests are about the databases that there are.
    Thread.currentThread()
        .setContextClassLoader(
            new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, EngineRecipeTest.class.getClassLoader()));
  }

  @AfterEach
  void forgotten() {
    Thread.currentThread().setContextClassLoader(before);
    System.clearProperty("trimtab.home");
  }

  @Test
  void commandsHaveItsOption() {
    assertThat(Run.of("plan", "--help").out()).contains("--toy=NODES", "--zookeeper=QUORUM");
    assertThat(Run.of("run", "--help").out()).contains("--toy=NODES");
    Run none = Run.of("plan");
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("--toy", "--zookeeper");
    Run both = Run.of("plan", "--toy", "3", "--zookeeper", "zk1:2181");
    assertThat(both.code()).isEqualTo(2);
    assertThat(both.err()).contains("both name a cluster");
  }

  @Test
  void theAutopilotDecidesForIt() {
    Run run =
        Run.of("plan", "--toy", "2", "--policy", "tiramola", "--samples", "2", "--period", "1s");

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains(", policy tiramola", "add-node     new-1", "nothing was changed");
  }

  /** What a person orders is held by the same settings file as the autopilot. */
  @Test
  void anOrderedSplitObeysTheSettingsFile() throws Exception {
    Path config = Files.writeString(folder.resolve("s.yaml"), "guard: {cooldown: 1s}\n");
    String id;
    try (Engine engine = ClusterChoice.of(List.of("--toy", "2")).connect()) {
      id = engine.snapshot().partitions().get(0).id().toString();
    }
    String[] order = {
      "split",
      "apply",
      id,
      "--key",
      "0",
      "--period",
      "1s",
      "--act",
      "--toy",
      "2",
      "--config",
      config.toString()
    };
    Run done = Run.of(order);
    assertThat(done.out()).as(done.err()).contains("done: every action has ended");

    Files.writeString(
        config, "guard: {cooldown: 1s, blackouts: [\"00:00-12:00\", \"12:00-00:00\"]}\n");
    Run held = Run.of(order);
    assertThat(held.err()).contains("blackout").contains("guard.blackouts");
    assertThat(held.code()).isEqualTo(2);

    Files.writeString(config, "guard: {cooldown: 1s}\ntables: {deny: [orders]}\n");
    assertThat(Run.of(order).err()).contains("tables.deny");
    assertThat(Run.of("split", "apply", "--help").out()).contains("--config=FILE");
  }

  @Test
  void itsNodesCanBeStarted() throws Exception {
    ClusterChoice choice = ClusterChoice.of(List.of("--toy", "3"));

    assertThat(choice.provider().orElseThrow().spare()).isPositive();
    try (Engine engine = choice.connect()) {
      assertThat(engine.snapshot().nodes()).hasSize(3);
    }
  }

  @Test
  void whatKnowsOnlySomeDatabasesSaysSo() {
    Run run = Run.of("plugin", "status", "hbase", "--toy", "2");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("toy 2 is not an HBase cluster");
  }

  @Test
  void withoutTheModuleThereIsNoSuchOption() {
    Thread.currentThread().setContextClassLoader(before);

    Run run = Run.of("plan", "--toy", "2");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--toy");
  }
}
