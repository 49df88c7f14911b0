package io.trimtab.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.AddedModule;
import io.trimtab.cli.MemoryHandle;
import io.trimtab.cli.MemoryModule;
import io.trimtab.cli.Run;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.providers.ProviderFile;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.journal.SavedPlan;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.runtime.ports.Waiter;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.TestPlans;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whoever acts with a provider that is a program, and answers what a sane one would not: one line
 * says so, and the cluster stays as it was.
 */
@Timeout(60)
final class NonsenseProviderTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.TIRAMOLA)
          .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build());

  /** Of decisions to do nothing: without a plan the loop would go on for ever. */
  private static final int HOLDS_MAX = 20;

  @TempDir private Path folder;
  private InMemoryCluster cluster;

  @BeforeEach
  void begin() throws Exception {
    System.setProperty("trimtab.home", folder.resolve("home").toString());
    TableSpec table = TableSpec.of("orders", 6, 512L << 20, Access.reads(120_000));
    cluster =
        new InMemoryCluster(
            ClusterSpec.assigned(1, 3, table), new VirtualClock(Instant.now().minusSeconds(60)));
    // Its own balancing would change the placement as well.
    cluster.engine().setBalancer(BalancerState.PAUSED);
  }

  @AfterEach
  void end() {
    System.clearProperty("trimtab.home");
  }

  /** Time that passes when somebody waits. */
  private record Waits(VirtualClock clock) implements Waiter {
    @Override
    public boolean pause(Duration time, BooleanSupplier stop) {
      if (stop.getAsBoolean()) {
        return false;
      }
      clock.advance(time.isNegative() ? Duration.ZERO : time);
      return true;
    }

    @Override
    public boolean interrupted() {
      return Thread.currentThread().isInterrupted();
    }
  }

  private Ports ports() {
    VirtualClock clock = cluster.clock();
    return new Ports(
        clock,
        () -> Duration.between(Instant.EPOCH, clock.instant()).toNanos(),
        new Waits(clock),
        Workers.IN_TURN,
        Runnable::run,
        "test",
        "1",
        StateDir::of);
  }

  /** Ends a loop that finds nothing to do. */
  private static final class Held implements LoopListener {
    private final List<String> reasons = new ArrayList<>();
    private ControlLoop loop;

    @Override
    public void held(String by, String reason, String setting) {
      reasons.add(reason);
      if (reasons.size() > HOLDS_MAX) {
        loop.stop();
      }
    }
  }

  /** A provider's file, with a program that answers {@code add} so. */
  private Path answering(String add) throws IOException {
    return program(
        """
        #!/bin/sh
        cd "$(dirname "$0")" || exit 1
        echo "$1" >> asked
        request=$(sed 's/.*"request":"\\([^"]*\\)".*/\\1/')
        case $1 in
        capacity) echo '{"spare": 2}' ;;
        list) echo '{"machines": []}' ;;
        add) %s ;;
        esac
        """
            .formatted(add));
  }

  private Path program(String script) throws IOException {
    Path program = Files.writeString(folder.resolve("nodes.sh"), script);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return Files.writeString(
        folder.resolve("provider.yaml"), "provider: {exec: {program: nodes.sh}}\n");
  }

  private Executor.Outcome run(Path provider) throws Exception {
    ProvidedCluster provided =
        new ProvidedCluster(
            new MemoryHandle("the cluster in memory", cluster), ProviderFile.read(provider));
    Held held = new Held();
    try (Engine engine = provided.connect()) {
      Optional<NodeProvider> starts = provided.provider(line -> {});
      held.loop = new ControlLoop(engine, starts, SETTINGS, held, ports(), FaultPoints.NONE);
      return held.loop
          .run(true, 1, false)
          .orElseThrow(() -> new AssertionError("no plan: " + held.reasons));
    }
  }

  /** What came of a saved plan that adds a node. */
  private Run ordered(Path provider) throws Exception {
    ClusterSnapshot seen = cluster.truth();
    Path file = folder.resolve("plan.json");
    SavedPlan.of(
            SystemPorts.ports().version(),
            seen,
            TestPlans.of("p1", seen, new Action.AddNode(1, Profile.HOMOGENEOUS)))
        .write(file);
    try (AddedModule added = new AddedModule(MemoryModule.class, folder)) {
      MemoryModule.answers(() -> new MemoryHandle("the cluster in memory", cluster));
      return Run.of(
          "run",
          "--in-memory",
          "--provider",
          provider.toString(),
          "--plan",
          file.toString(),
          "--act");
    }
  }

  /** All that a plan could have changed. */
  private List<String> state() {
    ClusterSnapshot now = cluster.truth();
    List<String> state = new ArrayList<>(List.of(now.balancer().toString()));
    now.partitions().forEach(p -> state.add(p.id() + " " + p.node() + " " + p.range()));
    now.nodes()
        .forEach(n -> state.add(n.id() + " " + n.alive() + " " + n.draining() + " " + n.profile()));
    cluster.joining().forEach(node -> state.add("joining " + node));
    return state;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "echo \"{\\\"request\\\":\\\"$request\\\"} {\\\"request\\\":\\\"$request\\\"}\""
            + " | has answered twice",
        "echo done | its answer is not JSON: done",
        "echo '{\"request\":\"p/2\",\"node\":\"n9:1\"}' | it answers request p/2; asked was ",
        "echo \"{\\\"request\\\":\\\"$request\\\",\\\"node\\\":\\\"n9:1\\\"}\""
            + " | but its list has neither",
      })
  void whatItAnswersChangesNothing(String add, String says) throws Exception {
    Path provider = answering(add);
    List<String> before = state();

    Executor.Outcome outcome = run(provider);

    assertThat(outcome.how()).isEqualTo(PlanOutcome.REFUSED);
    assertThat(outcome.why())
        .contains("provider program nodes.sh add: ", says)
        .endsWith("; nothing was changed");
    assertThat(outcome.why().lines()).hasSize(1);
    assertThat(Files.readAllLines(folder.resolve("asked")))
        .contains("add")
        .doesNotContain("remove");
    assertThat(state()).isEqualTo(before);
    assertThat(cluster.control().holder()).isEmpty();
  }

  /** It takes as long as what was asked for might come late. */
  @Test
  void aCommandThatCarriesOutAPlanIsRefused() throws Exception {
    Path provider = answering("echo done");
    List<String> before = state();

    assertThat(ordered(provider).refusal().strip())
        .isEqualTo(
            "trimtab: provider program nodes.sh add: its answer is not JSON: done; nothing was"
                + " changed");
    assertThat(state()).isEqualTo(before);
    assertThat(cluster.control().holder()).isEmpty();
  }

  @Test
  void whatItAnswersInsteadOfItsCapacityIsTold() throws Exception {
    Path provider = program("#!/bin/sh\necho lots\n");
    List<String> before = state();

    assertThat(ordered(provider).refusal())
        .contains("only 0 are available: provider program nodes.sh capacity: ")
        .contains("its answer is not JSON: lots");
    assertThat(state()).isEqualTo(before);
  }
}
