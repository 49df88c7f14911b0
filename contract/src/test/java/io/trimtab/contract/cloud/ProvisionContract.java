package io.trimtab.contract.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.cli.Main;
import io.trimtab.clikit.Terminal;
import io.trimtab.contract.LiveCluster;
import io.trimtab.contract.OtherEngine;
import io.trimtab.contract.secure.Secrets;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.formats.SettingsFile;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.workload.Reporter;
import io.trimtab.workload.Sample;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From an agreement to a real cluster, out of nothing, and back (Chalkiadaki 2013, ch. 3): by the
 * commands that an operator types and the example of a provider's program, with a node on each of
 * its machines, which are loopback addresses.
 */
abstract class ProvisionContract extends LiveCluster {
  static final int NODES = 2;

  /** Rows that are written into the table that was created. */
  static final int ORDERS = 100;

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Of a process that a kill has ended. */
  private static final int KILLED = 128 + 9;

  private static final String AGREEMENT =
      """
      name: shop
      table: "%s"
      workload: w
      clients: 3
      objective:
        responseTime: 1s
      """;

  /** One node alone would be too slow. */
  private static final String TABLE =
      """
      workload,nodeType,clients,nodes,responseTimeMs,throughputMBps
      w,small,1,1,2000,1
      w,small,10,1,4000,1
      w,small,1,2,20,1
      w,small,10,2,40,1
      """;

  /** What is only in the environment, for the provider's program. */
  private static final Secrets SECRETS = new Secrets(List.of("pr0gramsPassw0rd"));

  @TempDir static Path home;
  @TempDir static Path folder;
  private static Lab lab;
  private static List<String> address;
  private static String table;
  private static ProgramMachines machines;

  /**
   * Makes the agreement, and machines for the nodes of a place.
   *
   * @param process kind of the one that is a node of the database
   * @param covered the agreement's table
   * @param options that name the cluster
   */
  static void prepare(Lab place, String process, String covered, List<String> options)
      throws IOException {
    lab = place;
    table = covered;
    address = options;
    lab.limitNodes(false);
    Files.writeString(folder.resolve("shop.yaml"), AGREEMENT.formatted(table));
    Files.writeString(folder.resolve("table.csv"), TABLE);
    machines =
        ProgramMachines.write(lab, process, home, folder, List.of(node(lab, 1), node(lab, 2)));
  }

  @AfterAll
  static void down() {
    if (lab != null) {
      lab.down();
      lab = null;
    }
    System.clearProperty("trimtab.home");
  }

  /** By the number of its machine, from 1. */
  static String node(Lab place, int number) {
    return Lab.id(place.state(), new LabState.Node(number, Profile.HOMOGENEOUS)).name();
  }

  /**
   * Connects with the cluster, has the orders taken by the table that the command has created,
   * works, and has the nodes store them.
   */
  abstract void connected(Work work) throws Exception;

  /** When no node is left, the orders are where their database keeps them. */
  abstract void assertOrdersAreKept() throws IOException;

  /** A command on the cluster and its provider. */
  private static List<String> words(String... first) {
    List<String> words = new ArrayList<>(List.of(first));
    words.addAll(address);
    words.addAll(List.of("--provider", machines.provider().toString()));
    return words;
  }

  private static List<String> provision() {
    return words(
        "slo",
        "provision",
        folder.resolve("shop.yaml").toString(),
        "--table",
        folder.resolve("table.csv").toString(),
        "--act");
  }

  /** What a command has printed, which has to do what it is told. */
  private static String run(List<String> words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(out, err, false, false, false);
    assertThat(new Main(terminal).run(words.toArray(String[]::new)))
        .as("%s%n%s%n%s", words, out, err)
        .isZero();
    return out.toString();
  }

  @Test
  void anAgreementGetsARealClusterThoughTheCommandIsKilledAndGivesItBack() throws Exception {
    killedAfterTheFirstNode();
    JsonNode kept =
        JsonMapper.builder()
            .build()
            .readTree(home.resolve("provisioned").resolve("shop.json").toFile());
    assertThat(kept.path("started").size()).isEqualTo(1);
    assertThat(kept.path("started").toString()).contains(node(lab, 1));

    String told = run(provision());
    assertThat(told)
        .contains("node " + node(lab, 2) + " serves, 2 of 2")
        .contains("table " + table + " is there")
        .contains("shop has its cluster: 2 nodes of type small");
    assertNoMachineTwice();

    connected(
        () -> {
          keptUnderLoad(settings(told));
          assertThat(whole(s -> s.liveNodes().size() == NODES).nodes()).hasSize(NODES);
        });

    List<String> release = words("slo", "release", "shop", "--act", "--yes");
    assertThat(run(release)).contains("shop: all machines are given back");
    assertThat(lab.state().nodes()).isEmpty();
    assertOrdersAreKept();
  }

  /** The program, and what it has begun, lives on. What it was given is nowhere else. */
  private static void killedAfterTheFirstNode() throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dtrimtab.home=" + home,
                // The product's; that of tests would go first.
                "-Dlogback.configurationFile=logback.xml",
                // It leaves there what it would have deleted.
                "-Djava.io.tmpdir=" + folder,
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                OtherEngine.ownClassPath(),
                Main.class.getName()));
    command.addAll(provision());
    Path said = folder.resolve("killed.out");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().put("NODES_PASSWORD", SECRETS.texts().get(0));
    try (Secrets.Watch watch = SECRETS.watchCommandLines()) {
      Process provision = builder.start();
      try {
        while (!Files.readString(said).contains("node " + node(lab, 1) + " serves, 1 of 2")) {
          assertThat(provision.isAlive()).as("%s", Files.readString(said)).isTrue();
          pause(50);
        }
      } finally {
        provision.destroyForcibly();
      }
      assertThat(provision.waitFor()).isEqualTo(KILLED);
    }
    assertThat(Files.readString(said)).doesNotContain("serves, 2 of 2");
    assertThat(SECRETS.assertNotBelow(home, Set.of(lab.dir().root())))
        .contains(home.resolve("logs").resolve("trimtab.log"));
    assertThat(SECRETS.assertNotBelow(folder, Set.of())).contains(said);
  }

  /** By the program's own state, by what was started, and by what runs. */
  private static void assertNoMachineTwice() throws IOException {
    String first = node(lab, 1);
    String second = node(lab, 2);
    assertThat(machines.used()).containsExactlyInAnyOrder(first, second);
    // The second start may have been cut short, and then comes again for the same node.
    assertThat(machines.starts()).containsOnlyOnce(first).containsOnly(first, second);
    LabState state = lab.state();
    assertThat(state.nodes()).extracting(LabState.Node::index).containsExactly(1, 2);
    assertThat(state.lastIndex()).isEqualTo(NODES);
  }

  /** Those that the command has written, with checks that come sooner. */
  private static Settings settings(String told) {
    Matcher config = Pattern.compile("trimtab run --config (\\S+) --act").matcher(told);
    assertThat(config.find()).as("%s", told).isTrue();
    Settings settings = SettingsFile.read(Path.of(config.group(1)));
    assertThat(settings.policy().name()).isEqualTo("slo");
    return settings
        .with(ObserveSettings.builder().period(SECOND).samples(2).build())
        .with(
            SloSettings.builder()
                .sla(settings.slo().sla())
                .tables(settings.slo().tables())
                .nodeType(settings.slo().nodeType())
                .checks(3)
                .listen("127.0.0.1:0")
                .build());
  }

  private void keptUnderLoad(Settings settings) throws Exception {
    WorkloadSpec spec =
        WorkloadSpec.parse(
            "shop",
            """
            tenants:
              - {name: shop, partitions: 4, records: 300, fields: 2, fieldLength: 200,
                 mix: {read: 0.7, update: 0.3}, distribution: {kind: uniform}, threads: 3,
                 targetRate: 300}
            """);
    AtomicReference<Consumer<List<Sample>>> reporter = new AtomicReference<>(samples -> {});
    underLoad(
        spec,
        samples -> reporter.get().accept(samples),
        () -> judged(settings, to -> reporter.set(new Reporter(to, SECOND, spec))));
  }

  /**
   * An autopilot acts by the settings until it has judged the agreement, and has nothing to do.
   *
   * @param reports hears where clients are to report
   */
  private void judged(Settings settings, Consumer<URI> reports) throws Exception {
    ControlLoop loop =
        new ControlLoop(
            engine(),
            Optional.empty(),
            settings,
            LoopListener.SILENT,
            SystemPorts.ports(),
            FaultPoints.NONE);
    CompletableFuture<Optional<Executor.Outcome>> autopilot =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return loop.run(true, 0, false);
              } catch (EngineException e) {
                throw new CompletionException(e);
              }
            });
    String status = "";
    try {
      while (loop.reportPort() < 0) {
        assertThat(autopilot).isNotDone();
        pause(20);
      }
      reports.accept(URI.create("http://127.0.0.1:" + loop.reportPort() + "/report"));
      for (int i = 0; i < 120 && !status.contains("kept"); i++) {
        assertThat(autopilot).isNotDone();
        pause(500);
        status = run(List.of("slo", "status"));
      }
    } finally {
      loop.stop();
    }
    assertThat(status).containsPattern("(?m)^shop .* kept .* 3 +3 ");
    assertThat(autopilot.get(1, TimeUnit.MINUTES)).as("a plan").isEmpty();
  }
}
