package io.trimtab.contract.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.cli.Main;
import io.trimtab.clikit.Terminal;
import io.trimtab.contract.CassandraCluster;
import io.trimtab.contract.LiveCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.formats.SettingsFile;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.slot.LabSlot;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.workload.CassandraTarget;
import io.trimtab.workload.Reporter;
import io.trimtab.workload.Sample;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From an agreement to a real ring, out of nothing, and back (Chalkiadaki 2013, ch. 3): by the
 * commands that an operator types and the example of a provider's program, with a Cassandra node on
 * each of its machines, which are loopback addresses.
 */
@Tag("beside-others")
class ProvisionIT extends LiveCluster {
  private static final String LAB = "it-provision";
  private static final int NODES = 2;
  private static final int ORDERS = 100;
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Of a process that a kill has ended. */
  private static final int KILLED = 128 + 9;

  private static final String AGREEMENT =
      """
      name: shop
      table: shop.orders
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

  @TempDir static Path home;
  @TempDir static Path folder;
  private static CassandraLab lab;
  private static ProgramMachines machines;
  private CassandraCluster ring;

  @BeforeAll
  static void place() throws IOException {
    System.setProperty("trimtab.home", home.toString());
    lab =
        CassandraLab.place(
            CassandraCluster.config(LAB, 1, CassandraSettings.DEFAULTS), Owner.PROCESS);
    lab.limitNodes(false);
    Files.writeString(folder.resolve("shop.yaml"), AGREEMENT);
    Files.writeString(folder.resolve("table.csv"), TABLE);
    machines = ProgramMachines.write(lab, home, folder, List.of(node(1), node(2)));
  }

  @AfterAll
  static void down() {
    if (lab != null) {
      Lab.down(LAB);
    }
    System.clearProperty("trimtab.home");
  }

  @Override
  protected TestCluster cluster() {
    return ring;
  }

  /** By the number of its machine, from 1. */
  private static String node(int number) {
    LabSlot addresses = lab.state().addresses();
    return addresses.node(number) + ":" + addresses.cqlPort();
  }

  /** A command on the cluster and its provider. */
  private static List<String> words(String... first) {
    List<String> words = new ArrayList<>(List.of(first));
    words.addAll(List.of("--cassandra", node(1)));
    words.addAll(List.of("--jmx-port", Integer.toString(lab.state().addresses().jmxPort())));
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
  void anAgreementGetsARealRingThoughTheCommandIsKilledAndGivesItBack() throws Exception {
    killedAfterTheFirstNode();
    JsonNode kept =
        JsonMapper.builder()
            .build()
            .readTree(home.resolve("provisioned").resolve("shop.json").toFile());
    assertThat(kept.path("started").size()).isEqualTo(1);
    assertThat(kept.path("started").toString()).contains(node(1));

    String told = run(provision());
    assertThat(told)
        .contains("node " + node(2) + " serves, 2 of 2")
        .contains("table shop.orders is there")
        .contains("shop has its cluster: 2 nodes of type small");
    assertNoMachineTwice();

    try (CassandraEngine engine = lab.engine();
        CassandraTarget target = CassandraTarget.connect(lab.points(), NODES)) {
      ring = new CassandraCluster(lab, engine, target);
      ordersAreTaken(target.session());
      keptUnderLoad(settings(told));
      for (NodeState node : whole(s -> s.liveNodes().size() == NODES).liveNodes()) {
        engine.flush(node.id(), "shop", LIMIT);
      }
    }

    List<String> release = words("slo", "release", "shop", "--act", "--yes");
    assertThat(run(release)).contains("shop: all machines are given back");
    assertThat(lab.state().nodes()).isEmpty();
    for (int number = 1; number <= NODES; number++) {
      Path data = lab.dir().retired("n" + number + "-cassandra");
      assertThat(ordersIn(data)).as("files of the table in %s", data).isNotEmpty();
    }
  }

  /** The program, and what it has begun, lives on. */
  private static void killedAfterTheFirstNode() throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dtrimtab.home=" + home,
                // It leaves there what it would have deleted.
                "-Djava.io.tmpdir=" + folder,
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName()));
    command.addAll(provision());
    Path said = folder.resolve("killed.out");
    Process provision =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      while (!Files.readString(said).contains("node " + node(1) + " serves, 1 of 2")) {
        assertThat(provision.isAlive()).as("%s", Files.readString(said)).isTrue();
        pause(50);
      }
    } finally {
      provision.destroyForcibly();
    }
    assertThat(provision.waitFor()).isEqualTo(KILLED);
    assertThat(Files.readString(said)).doesNotContain("serves, 2 of 2");
  }

  /** By the program's own state, by what was started, and by what runs. */
  private static void assertNoMachineTwice() throws IOException {
    assertThat(machines.used()).containsExactlyInAnyOrder(node(1), node(2));
    // The second start may have been cut short, and then comes again for the same node.
    assertThat(machines.starts()).containsOnlyOnce(node(1)).containsOnly(node(1), node(2));
    LabState state = lab.state();
    assertThat(state.nodes()).extracting(LabState.Node::index).containsExactly(1, 2);
    assertThat(state.lastIndex()).isEqualTo(NODES);
  }

  /** In the table that the command has created, with as many copies as it has said. */
  private static void ordersAreTaken(CqlSession session) {
    KeyspaceMetadata shop = session.getMetadata().getKeyspace("shop").orElseThrow();
    assertThat(shop.getReplication()).containsEntry("datacenter1", Integer.toString(NODES));
    assertThat(shop.getTable("orders")).isPresent();
    PreparedStatement insert =
        session.prepare("INSERT INTO shop.orders (key, value) VALUES (?, ?)");
    for (int i = 0; i < ORDERS; i++) {
      ByteBuffer order = ByteBuffer.wrap(("order-" + i).getBytes(StandardCharsets.UTF_8));
      session.execute(insert.bind(order, order).setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    assertThat(session.execute("SELECT key FROM shop.orders").all()).hasSize(ORDERS);
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

  private static List<Path> ordersIn(Path data) throws IOException {
    try (Stream<Path> all = Files.walk(data)) {
      return all.filter(file -> file.toString().contains("/shop/orders-"))
          .filter(file -> file.toString().endsWith("-Data.db"))
          .toList();
    }
  }
}
