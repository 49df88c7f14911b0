package io.trimtab.cli.slo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trimtab.cli.Run;
import io.trimtab.controller.agreement.Compliance.Verdict;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import io.trimtab.runtime.ports.StateDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A further agreement, while those that were made before are kept or missed. */
final class SloAdmissionTest {
  private static final String TABLE =
      """
      workload,nodeType,clients,nodes,responseTimeMs,throughputMBps
      zipf,small,256,3,32.3,8.5
      zipf,small,512,3,35,8
      """;

  private static final String SLA =
      """
      name: shop
      workload: zipf
      clients: 384
      objective:
        responseTime: 40ms
      """;

  /** Nothing listens there, and that is known at once. */
  private static final String FLEET =
      """
      clusters:
        - {name: one, cassandra: "127.0.0.1:1", config: one.yaml}
      nodeTypes:
        small: {cores: 2, memory: 8g, disk: 100g}
      machines:
        m1: {cores: 8, memory: 64g, disk: 1t, nodes: [{cluster: one, node: "n1:9042", type: small}]}
        m2: {cores: 8, memory: 64g, disk: 1t, nodes: [{cluster: one, node: "n2:9042", type: small}]}
        m3: {cores: 3, memory: 64g, disk: 1t, nodes: [{cluster: one, node: "n3:9042", type: small}]}
      """;

  private final Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;
  private String table;
  private String shop;
  private String other;

  @BeforeEach
  void files() throws IOException {
    System.setProperty("trimtab.home", folder.resolve("home").toString());
    table = file("zipf.csv", TABLE);
    shop = file("shop.yaml", SLA);
    other = file("new.yaml", SLA.replace("shop", "new"));
    file(
        "one.yaml",
        """
        policy: slo
        slo: {sla: "%s", tables: ["%s"]}
        """
            .formatted(shop, table));
  }

  @AfterEach
  void noHome() {
    System.clearProperty("trimtab.home");
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  /** As an autopilot of this host has told. */
  private void told(Verdict verdict, Instant at) {
    try (Journal journal = StateDir.of("c-1").journal(at.getEpochSecond(), new JournalState())) {
      journal.append(
          new Entry.AgreementSeen(
              at,
              "shop",
              verdict,
              at,
              192,
              384,
              "mean response time ≤ 40.0 ms",
              "mean response time 61.0 ms > 40.0"));
    }
  }

  private Run admit() {
    return Run.of(
        "slo",
        "admit",
        "--table",
        table,
        "--sla",
        other,
        "--committed",
        shop,
        "--nodes",
        "small=6");
  }

  private Run admitTo(String fleet) {
    return Run.of("slo", "admit", "--table", table, "--sla", other, "--fleet", fleet);
  }

  @Test
  void nothingIsAcceptedWhileACommitmentIsMissed() {
    assertThat(admit().code()).isZero();
    assertThat(admit().out()).contains("nobody tells whether shop is kept");

    told(Verdict.MISSED, now);
    Run missed = admit();
    assertThat(missed.code()).as(missed.err()).isEqualTo(1);
    assertThat(missed.out())
        .contains("new: rejected")
        .contains(
            "shop is missed since 2026-01-01T00:00:00Z: mean response time 61.0 ms > 40.0; nothing"
                + " further is accepted until it is kept");

    told(Verdict.KEPT, Instant.now());
    Run kept = admit();
    assertThat(kept.code()).as(kept.out()).isZero();
    assertThat(kept.out()).contains("new: accepted").doesNotContain("nobody tells");
  }

  /** Its autopilot may have ended, and the agreement be missed since. */
  @Test
  void whatWasKeptLongAgoIsNotKnownToBeSo() {
    told(Verdict.KEPT, Instant.now().minus(Duration.ofMinutes(31)));

    assertThat(admit().out()).contains("nobody tells whether shop is kept");
    assertThat(new Commitments().lately("shop")).isEmpty();
    told(Verdict.KEPT, Instant.now().minus(Duration.ofMinutes(20)));
    assertThat(admit().out()).doesNotContain("nobody tells");
  }

  /** By a clock that was ahead, and was set back since. */
  @Test
  void whatWillBeToldIsNotKnownYet() {
    told(Verdict.KEPT, Instant.now().plus(Duration.ofHours(5)));

    assertThat(admit().out()).contains("nobody tells whether shop is kept");
  }

  /** A cluster keeps since when an agreement is missed, and not that anybody has judged it. */
  @Test
  void aClusterThatNamesNoMissDoesNotTellThatAnAgreementIsKept() {
    assertThat(new Commitments().of("shop", Map.of()).verdict()).isEqualTo(Verdict.UNKNOWN);

    told(Verdict.KEPT, Instant.now());
    assertThat(new Commitments().of("shop", Map.of()).verdict()).isEqualTo(Verdict.KEPT);
    assertThat(new Commitments().of("shop", Map.of("shop", now)).verdict())
        .isEqualTo(Verdict.MISSED);
    assertThat(new Commitments().of("shop", Map.of("logs", now)).verdict()).isEqualTo(Verdict.KEPT);
  }

  @Test
  void nodesNeedRoomOnTheMachinesThatClustersShare() throws IOException {
    Run full = admitTo(file("fleet.yaml", FLEET));
    assertThat(full.code()).as(full.err()).isEqualTo(1);
    assertThat(full.out())
        .contains("new: rejected")
        .contains("new needs 3 of type small, 2 are left")
        .contains("m3 lacks 1.0 cores")
        .contains("one does not tell how it is used, and counts as fully used: ");

    Run room = admitTo(file("fleet.yaml", FLEET.replace("cores: 3", "cores: 4")));
    assertThat(room.code()).as(room.out()).isZero();
    assertThat(room.out()).contains("new needs 3 of type small, 3 are left");
  }

  @Test
  void aFleetsAgreementsAreCommitments() throws IOException {
    String fleet = file("fleet.yaml", FLEET.replace("cores: 3", "cores: 4"));
    assertThat(admitTo(fleet).code()).isZero();

    told(Verdict.MISSED, now);
    Run missed = admitTo(fleet);
    assertThat(missed.code()).as(missed.err()).isEqualTo(1);
    assertThat(missed.out()).contains("shop is missed since ");
  }

  @Test
  void badFleetsAreOneLine() throws IOException {
    assertThat(admitTo(file("a.yaml", FLEET.replace("cluster: one", "cluster: two"))).refusal())
        .contains("a.yaml:6: machines.m1.nodes[0].cluster: no cluster of the file is named two");
    assertThat(admitTo(file("b.yaml", FLEET.replace("type: small", "type: huge"))).refusal())
        .contains("b.yaml:6: machines.m1.nodes[0].type: nodeTypes has no huge");
    assertThat(admitTo(file("c.yaml", FLEET.replace("n2:9042", "n1:9042"))).refusal())
        .contains("c.yaml:7: machines.m2.nodes[0].node: node n1:9042 of one is there twice");
    assertThat(admitTo(file("d.yaml", FLEET.replace("cores: 2,", "cores: 0,"))).refusal())
        .contains("d.yaml:4: nodeTypes.small.cores: must be > 0, not 0.0");
    assertThat(admitTo(file("g.yaml", FLEET.replace(", disk: 100g", ""))).refusal())
        .contains("g.yaml:4: nodeTypes.small: disk is missing");
    assertThat(admitTo(file("h.yaml", FLEET.replace("cores: 3", "cores: -3"))).refusal())
        .contains("h.yaml:8: machines.m3.cores: must be > 0, not -3.0");
    assertThat(admitTo(file("e.yaml", FLEET.substring(0, FLEET.indexOf("nodeTypes")))).refusal())
        .contains("e.yaml: machines is missing");
    assertThat(Run.of("slo", "admit", "--table", table, "--sla", other).refusal())
        .contains("--nodes is missing");
    assertThat(
            Run.of(
                    "slo", "admit", "--table", table, "--sla", other, "--fleet", "f.yaml",
                    "--nodes", "small=3")
                .refusal())
        .contains("leave out --committed and --nodes");
  }

  @Test
  void statusShowsHowLongWhichAgreementIsMissed() throws IOException {
    assertThat(Run.of("slo", "status").out()).contains("has judged an agreement yet");

    told(Verdict.MISSED, Instant.now().minus(Duration.ofMinutes(90)));
    Run run = Run.of("slo", "status");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out().lines().skip(1))
        .singleElement()
        .asString()
        .contains("shop", "c-1", "missed", "90 min", "192", "384")
        .contains("mean response time ≤ 40.0 ms", "mean response time 61.0 ms > 40.0");

    JsonNode json = new ObjectMapper().readTree(Run.of("slo", "status", "--json").out());
    assertThat(json.at("/0/agreement").asText()).isEqualTo("shop");
    assertThat(json.at("/0/state").asText()).isEqualTo("missed");
    assertThat(json.at("/0/minutes").asInt()).isGreaterThanOrEqualTo(90);
    assertThat(json.at("/0/clients").asInt()).isEqualTo(192);
    assertThat(json.at("/0/agreed").asInt()).isEqualTo(384);
  }
}
