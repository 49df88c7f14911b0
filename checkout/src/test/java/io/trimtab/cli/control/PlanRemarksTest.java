package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trimtab.cli.AddedModule;
import io.trimtab.cli.MemoryHandle;
import io.trimtab.cli.MemoryModule;
import io.trimtab.cli.Run;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code plan} and {@code status} tell beside what is done: on a cluster in memory. */
final class PlanRemarksTest {
  private static InMemoryCluster cluster;

  @TempDir private Path folder;
  private AddedModule added;

  @BeforeEach
  void begin() throws Exception {
    added = new AddedModule(MemoryModule.class, folder);
    MemoryModule.answers(() -> new MemoryHandle("the cluster in memory", cluster));
    TableSpec table = TableSpec.of("orders", 6, 512L << 20, Access.reads(1_000));
    cluster =
        new InMemoryCluster(
            ClusterSpec.assigned(1, 4, table), new VirtualClock(Instant.now().minusSeconds(60)));
  }

  @AfterEach
  void end() {
    added.close();
  }

  private static NodeId first() {
    return cluster.truth().nodes().stream().map(NodeState::id).findFirst().orElseThrow();
  }

  /** An agreement that needs four nodes by its table, where three are allowed. */
  private String agreement() throws IOException {
    Path table =
        Files.writeString(
            folder.resolve("zipf.csv"),
            """
            workload,nodeType,clients,nodes,responseTimeMs,throughputMBps
            zipf,small,8,3,90,2
            zipf,small,8,4,20,5
            """);
    Path sla =
        Files.writeString(
            folder.resolve("shop.yaml"),
            """
            name: shop
            workload: zipf
            clients: 8
            objective: {responseTime: 40ms}
            """);
    return Files.writeString(
            folder.resolve("slo.yaml"),
            """
            policy: slo
            slo: {sla: "%s", tables: ["%s"], nodeType: small, listen: "127.0.0.1:0"}
            guard: {minNodes: 1, maxNodes: 3}
            observe: {period: 1s, samples: 2}
            """
                .formatted(sla, table))
        .toString();
  }

  @Test
  void anAgreementThatNeedsMoreNodesThanThereMayBeIsTold() throws Exception {
    String config = agreement();
    String warning =
        "agreement shop: by its table the agreed clients need 4 nodes, and there may be at most 3:"
            + " raise guard.maxNodes, or agree on less";
    Run text = Run.of("plan", "--in-memory", "--config", config);
    assertThat(text.code()).as(text.err()).isZero();
    assertThat(text.out()).startsWith("no plan: ").contains("warning: " + warning);

    JsonNode json = json(Run.of("plan", "--in-memory", "--config", config, "--json").out());
    assertThat(json.at("/remarks/0").asText()).isEqualTo("warning: " + warning);

    Run checked = Run.of("config", "check", config);
    assertThat(checked.code()).as(checked.err()).isZero();
    assertThat(checked.err()).contains(config + ": " + warning);
    Files.delete(folder.resolve("zipf.csv"));
    assertThat(Run.of("config", "check", config).refusal()).contains("zipf.csv: no such file");
  }

  @Test
  void aNodeThatCanNotBeReadIsToldEachTime() {
    cluster.faults().always(Faults.Verb.SNAPSHOT, first(), Faults.Kind.GAP);
    for (int i = 0; i < 2; i++) {
      Run plan = Run.of("plan", "--in-memory", "--samples", "2", "--period", "1s", "--json");
      assertThat(plan.code()).as(plan.err()).isZero();
      assertThat(json(plan.out()).at("/remarks"))
          .extracting(JsonNode::asText)
          .filteredOn(remark -> remark.contains(first().name()))
          .hasSize(1);
    }
    JsonNode status = status();
    assertThat(status.at("/unreadable/0").asText()).isEqualTo(first().name());
    assertThat(status.at("/inCharge").isNull()).isTrue();
    assertThat(status.at("/openPlan").isNull()).isTrue();
    assertThat(status.at("/told/0/about").asText()).isEqualTo("autopilot");
  }

  private static JsonNode status() {
    Run run = Run.of("status", "--in-memory", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    return json(run.out());
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  @Test
  void whoIsInChargeIsInTheStatus() throws Exception {
    cluster.control().seenAliveAfter(Duration.ZERO);
    try (ControlLock held = cluster.engine().takeControl("the first one")) {
      assertThat(held.held()).isTrue();
      assertThat(status().at("/inCharge").asText()).contains("the first one");
    }
  }

  @Test
  void withoutAPlanNoFileIsWritten() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("four.yaml"),
            "policy: tiramola\nguard: {minNodes: 4, maxNodes: 4}\n"
                + "observe: {period: 1s, samples: 2}\n");
    Path file = folder.resolve("plan.json");
    Run run =
        Run.of("plan", "--in-memory", "--config", config.toString(), "--save", file.toString());

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("no plan: ").contains(file + " was not written");
    assertThat(file).doesNotExist();
  }

  @Test
  void aNumberOfPlansMustBeOne() {
    assertThat(Run.of("run", "--in-memory", "--plans", "-3").refusal())
        .contains("--plans must be at least 1, not -3");
    assertThat(Run.of("run", "--in-memory", "--plans", "0").refusal()).contains("not 0");
  }
}
