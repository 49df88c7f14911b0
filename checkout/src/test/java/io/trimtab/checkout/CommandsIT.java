package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Main;
import io.trimtab.cli.Run;
import io.trimtab.cli.control.Fleet;
import io.trimtab.cli.control.FleetFile;
import io.trimtab.cli.usage.UsageCommandTest;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.Bytes;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.cluster.Progress;
import io.trimtab.runtime.ports.StateDir;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a live cluster of one node; the order of the tests is a first session. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class CommandsIT {
  private static final String LAB = "it-cli";

  @TempDir private static Path home;
  private static HBaseLab lab;
  private static Path workload;

  @BeforeAll
  static void up() throws IOException {
    System.setProperty("trimtab.home", home.toString());
    LabConfig config =
        LabConfig.defaults().withName(LAB).withNodes(1).withHeap(new Bytes(192L << 20));
    lab = HBaseLab.up(config, Owner.PROCESS, Progress.NONE);
    workload = home.resolve("tenant.yaml");
    Files.writeString(
        workload,
        """
        tenants:
          - name: t
            partitions: 2
            records: 500
            mix: {read: 0.5, update: 0.3, insert: 0.1, scan: 0.1}
            threads: 2
            targetRate: 200
        """);
  }

  @AfterAll
  static void down() {
    Lab.down(LAB);
    System.clearProperty("trimtab.home");
  }

  private static Run fine(String... args) {
    Run run = Run.of(args);
    assertThat(run.code()).as(run.out() + run.err()).isZero();
    return run;
  }

  /** HBase shows the last requests of a load a second or more after they were served. */
  private static Run whenIdle(String... args) {
    for (int i = 0; i < 10; i++) {
      Run run = Run.of(args);
      if (run.code() == 0 && !run.out().contains("the block accesses of ")) {
        return run;
      }
    }
    return fine(args);
  }

  private static Run refused(String... args) {
    Run run = Run.of(args);
    assertThat(run.code()).as(run.out() + run.err()).isEqualTo(Main.REFUSED);
    assertThat(run.err().lines().filter(line -> line.startsWith("trimtab: "))).hasSize(1);
    assertThat(run.err()).doesNotContain("\tat ");
    return run;
  }

  @Test
  @Order(1)
  void theLabIsHealthyAndItsNameIsTaken() {
    assertThat(fine("lab", "status").out()).contains("lab it-cli: healthy", "1 of 1 nodes serve");
    assertThat(refused("lab", "up", "hbase", "--name", LAB).err()).contains("is up already");
  }

  @Test
  @Order(2)
  void thePluginWorksInALab() {
    assertThat(fine("plugin", "status", "hbase").out()).contains(lab.nodes().get(0).id().name());
    assertThat(fine("plugin", "install", "hbase", "--lab", LAB).out()).contains("nothing to do");
  }

  @Test
  @Order(3)
  void aLoadIsWrittenOnceAndRunAndVerified() throws IOException {
    assertThat(fine("workload", "load", workload.toString()).out()).contains("loaded 500 records");
    assertThat(refused("workload", "load", workload.toString()).err()).contains("--drop");

    Path out = home.resolve("results");
    Run run =
        fine(
            "workload",
            "run",
            workload.toString(),
            "--duration",
            "3s",
            "--verify",
            "--out",
            out.toString());
    assertThat(run.out()).contains("0 wrong, 0 lost");
    assertThat(Files.readAllLines(out.resolve("series.csv"))).hasSize(1 + 3);
    assertThat(out.resolve("series.json")).content().contains("\"p99Micros\"");
    assertThat(out.resolve("summary.json")).content().contains("\"tenant\" : \"t\"");
  }

  /** Nobody asks for anything now, so each node is predicted to be idle. */
  @Test
  @Order(4)
  void whatIfAsksTheLiveCluster() throws IOException {
    Path model = Files.writeString(home.resolve("model.json"), UsageCommandTest.MODEL);
    String node = lab.nodes().get(0).id().name();
    List<String> ask =
        List.of("whatif", "--lab", LAB, "--model", model.toString(), "--period", "1s");
    String[] plain = ask.toArray(String[]::new);
    assertThat(whenIdle(plain).out()).contains(node).containsPattern("2.0% +→ +2.0%");
    assertThat(fine(with(ask, "--scale-load", "t=3", "--cache", "50%", "--json")).out())
        .containsPattern("\"usageAfter\" : 0.02");
    assertThat(refused(with(ask, "--remove-node", node)).err()).contains("is the only node");
    assertThat(refused(with(ask, "--move", "t/none=" + node)).err())
        .contains("there is no partition t/none");

    String seen = home.resolve("seen.json").toString();
    assertThat(fine("snapshot", "--lab", LAB, "--period", "1s", "--out", seen).out())
        .contains(seen + ": 1 nodes");
    List<String> later = List.of("whatif", "--snapshot", seen, "--model", model.toString());
    assertThat(fine(with(later, "--scale-load", "t=3")).out()).containsPattern("2.0% +→ +2.0%");
    assertThat(refused(with(later, "--remove-node", node)).err())
        .contains(seen + ": " + node + " is the only node");
    assertThat(refused(with(later, "--lab", LAB)).err()).contains("leave out what names one");
  }

  @Test
  @Order(4)
  void theUsagePolicySaysWhatItPredicts() throws IOException {
    Path model = Files.writeString(home.resolve("model.json"), UsageCommandTest.MODEL);
    Path config =
        Files.writeString(
            home.resolve("usage.yaml"),
            "policy: usage\nusage:\n  model: " + model + "\nobserve: {period: 1s, samples: 2}\n");
    assertThat(whenIdle("plan", "--lab", LAB, "--config", config.toString()).out())
        .contains("no need to act: highest predicted usage of 1 node: 0.02");
    assertThat(fine("ledger", "--lab", LAB).out()).contains("no plan with a prediction");
    assertThat(fine("ledger", "--json").out()).contains("\"plans\" : [ ]");
    Files.delete(model);
    assertThat(refused("plan", "--lab", LAB, "--config", config.toString()).err())
        .contains("model.json: no such file");
  }

  private static String[] with(List<String> ask, String... more) {
    List<String> all = new ArrayList<>(ask);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  @Order(4)
  void partitionsAreAdvisedOnAndSplitOnlyWhenToldTo() throws EngineException, IOException {
    Run advice = fine("split", "advise", "--period", "1s");
    assertThat(advice.out()).contains("partition", "verdict", "t/", "gain: share of its node's");
    assertThat(fine("split", "advise", "--period", "1s", "--table", "none", "--json").out())
        .contains("\"partitions\" : [ ]");
    assertThat(refused("split", "apply", "t", "--period", "1s").err()).contains("TABLE/NAME");
    assertThat(refused("split", "apply", "t/xyz", "--period", "1s").err())
        .contains("has no partition t/xyz; see: trimtab split advise");
    try (HBaseEngine engine = HBaseEngine.connect(lab.clientProperties())) {
      PartitionState last =
          engine.snapshot().partitions().stream()
              .filter(p -> p.range().end().isEmpty())
              .findFirst()
              .orElseThrow();
      String name = last.id().toString();
      String key = last.range().start() + "5";
      assertThat(refused("split", "apply", name, "--key", "5z", "--hex").err())
          .contains("--key: not hexadecimal digits: 5z");
      assertThat(refused("split", "apply", name, "--key", "", "--period", "1s").err())
          .contains("requests have been seen; to split it anyway, give --key");
      String[] apply = {"split", "apply", name, "--key", key, "--period", "1s"};
      assertThat(fine(apply).out()).contains("split", "because", "nothing was changed");
      assertThat(engine.snapshot().partitions()).hasSize(2);

      String[] act = java.util.Arrays.copyOf(apply, apply.length + 1);
      act[apply.length] = "--act";
      Path deny = Files.writeString(home.resolve("deny.yaml"), "tables: {deny: [t]}\n");
      assertThat(refused(with(List.of(act), "--config", deny.toString())).err())
          .contains("tables.deny");
      assertThat(fine(act).out()).contains("done: every action has ended");
      assertThat(engine.snapshot().partitions()).hasSize(3);
    }
  }

  @Test
  @Order(5)
  void aPlanForAnIdleClusterIsNoneAndSaysWhy() {
    Run run = fine("plan", "--policy", "met-1", "--samples", "2", "--period", "1s");
    assertThat(run.out()).startsWith("no plan: ").contains("; setting: ");
    assertThat(fine("why").out()).contains("A dry run, or `trimtab plan`, would do nothing");
  }

  @Test
  @Order(6)
  void aSecondControllerIsRefusedAndNamesTheFirst() throws EngineException {
    try (HBaseEngine engine = HBaseEngine.connect(lab.clientProperties());
        ControlLock held = engine.takeControl("the first one")) {
      assertThat(held.held()).isTrue();
      assertThat(refused("run", "--act").err()).contains("the first one");
    }
  }

  /** One cluster that is away does not hold up another. */
  @Test
  @Order(6)
  void aFleetGoesOnWhereAClusterIsAway() throws Exception {
    Files.writeString(
        home.resolve("quick.yaml"), "policy: met-1\nobserve: {period: 1s, samples: 2}\n");
    Path file =
        Files.writeString(
            home.resolve("fleet.yaml"),
            """
            clusters:
              - {name: away, cassandra: "127.0.0.1:1"}
              - {name: here, lab: it-cli, config: quick.yaml}
            """);
    StringWriter out = new StringWriter();
    Terminal terminal = new Terminal(out, out, false, false, false);
    Fleet fleet = new Fleet(FleetFile.read(file), terminal, Duration.ofSeconds(1));
    CompletableFuture<Void> running =
        CompletableFuture.runAsync(
            () -> {
              try {
                fleet.run(true, 0, false, false);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    long tries = 0;
    for (int i = 0; i < 600 && (tries < 2 || !out.toString().contains("here: no plan")); i++) {
      TimeUnit.MILLISECONDS.sleep(100);
      tries = out.toString().lines().filter(l -> l.contains("away: Cassandra at")).count();
    }
    assertThat(out.toString())
        .contains("here: acting, policy met-1", "here: no plan: ", "127.0.0.1:1", "trying again");
    // The kill switch of one cluster ends that one's autopilot only.
    assertThat(fine("stop", "--lab", LAB).out()).contains("has ended");
    assertThat(running).isNotDone();
    fleet.stop();
    running.get(1, TimeUnit.MINUTES);
    assertThat(fleet.wentWrong()).isFalse();
  }

  @Test
  @Order(6)
  void aFleetsFileIsCheckedBeforeAnythingIsDone() throws IOException {
    Path file = home.resolve("bad.yaml");
    Files.writeString(
        home.resolve("no-sla.yaml"), "policy: slo\nslo: {sla: none.sla, tables: [none.csv]}\n");
    Files.writeString(home.resolve("no-model.yaml"), "policy: usage\nusage: {model: none.json}\n");
    for (String[] bad :
        new String[][] {
          {"clusters: []", "clusters: is missing"},
          {"clusters: [{name: a}]", "zookeeper or cassandra is missing"},
          {"clusters: [{name: a, lab: x}, {name: a, lab: y}]", "two have the name a"},
          {"clusters: [{name: a, lab: x, cassandra: y}]", "both name a cluster"},
          {"clusters: [{name: a, lab: x, config: none.yaml}]", "none.yaml"},
          {"clusters: [{name: a, lab: it-cli, config: no-sla.yaml}]", "a: none.sla: no such file"},
          {"clusters: [{name: a, lab: it-cli, config: no-model.yaml}]", "a: none.json: no such"},
          {"clusters: [{name: a, cluster: b, connections: none.con}]", "none.con: no such file"},
          {"clusters: [{name: a, cassandra: x, zookeeper: y}]", "a: zookeeper and cassandra both"},
          {"clusters: [{name: a, zookeeper: y, jmxPort: 1}]", "a: jmxPort goes with cassandra"},
          {"clusters: [{name: a, lab: x, colour: red}]", "colour"}
        }) {
      Files.writeString(file, bad[0]);
      assertThat(refused("run", "--fleet", file.toString()).err()).contains(bad[1]);
    }
    assertThat(refused("run", "--fleet", file.toString(), "--lab", LAB).err())
        .contains("--fleet names the clusters");
    for (String addition : List.of("--metrics", "--provider")) {
      assertThat(refused("run", "--fleet", file.toString(), addition, "more.yaml").err())
          .contains("set metrics and providers in connections.yaml");
    }
  }

  @Test
  @Order(7)
  void stopEndsAnActingAutopilot() throws Exception {
    CompletableFuture<Run> autopilot =
        CompletableFuture.supplyAsync(
            () -> Run.of("run", "--act", "--policy", "met-1", "--period", "1s"));
    while (StateDir.all().stream().allMatch(state -> state.runningControllers().isEmpty())) {
      assertThat(autopilot).isNotDone();
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertThat(fine("stop").out()).contains("has ended");
    assertThat(autopilot.get(1, TimeUnit.MINUTES).code()).isZero();
  }

  @Test
  @Order(8)
  void anUnreachableClusterIsNamed() throws Exception {
    String[] load = {"workload", "run", workload.toString(), "--zookeeper", "127.0.0.1:1"};
    // Each of them waits for an answer, one beside the other.
    CompletableFuture<Run> running = CompletableFuture.supplyAsync(() -> refused(load));
    assertThat(refused("plan", "--zookeeper", "127.0.0.1:1").err()).contains("127.0.0.1:1");
    assertThat(running.get(1, TimeUnit.MINUTES).err()).contains("127.0.0.1:1");
  }

  @Test
  @Order(9)
  void downTakesItDown() {
    assertThat(fine("lab", "down").out()).contains("lab it-cli is down");
    assertThat(fine("lab", "status").out()).contains("no lab is up");
  }
}
