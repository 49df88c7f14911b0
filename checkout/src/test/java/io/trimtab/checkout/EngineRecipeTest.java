package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.AddedModule;
import io.trimtab.cli.MemoryHandle;
import io.trimtab.cli.Run;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.clikit.CommandModule;
import io.trimtab.engineapi.Engine;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
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
  private AddedModule added;

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
      TableSpec table = TableSpec.of("orders", 2 * nodes, 512L << 20, Access.reads(40_000 * nodes));
      // As old as a minute.
      VirtualClock clock = new VirtualClock(Instant.now().minusSeconds(60));
      return new MemoryHandle(
          "toy " + nodes, new InMemoryCluster(ClusterSpec.assigned(1, nodes, table), clock));
    }
  }

  @BeforeEach
  void registered() throws Exception {
    added = new AddedModule(ToyModule.class, folder);
  }

  @AfterEach
  void forgotten() {
    added.close();
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

    assertThat(choice.provider(line -> {}).orElseThrow().spare()).isPositive();
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
    added.hide();

    Run run = Run.of("plan", "--toy", "2");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--toy");
  }
}
