package io.trimtab.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.models.capacity.Latency;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WsAgreementTest {
  private static final Sla SLA =
      StrictYaml.parse(
          "shop.yaml",
          """
          name: shop
          table: "orders: 'all'"
          workload: zipf
          dataSize: 10g
          rowSize: 1k
          locality: zipfian
          reads: 0.95
          clients: 384
          objective:
            {responseTime: 40ms, p95: 120ms, p99: 200ms, throughput: 9.5MB/s,
              reads: {p95: 90ms, p99: 150ms}, writes: {responseTime: 20ms}}
          maxNodes: 7
          clientPrice: 0.02
          """,
          Sla.class);

  private static final ProvisioningTable TABLE =
      new ProvisioningTable(
          List.of(
              new Cell("zipf", "small", 128, 2, 23.4, 5.5, Double.NaN, Double.NaN, 1),
              new Cell("zipf", "small", 512, 2, 102.2, 5.2, Double.NaN, Double.NaN, 1)));

  private static String offer() {
    return WsAgreement.write(SLA, WsAgreement.Form.OFFER);
  }

  private static void refused(String xml, String says) {
    assertThatThrownBy(() -> WsAgreement.read("o.xml", xml))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(says);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenIsReadAgain(WsAgreement.Form form) {
    String xml = WsAgreement.write(SLA, form);
    assertThat(WsAgreement.read("x.xml", xml)).isEqualTo(SLA);
    assertThat(StrictYaml.parse("y", SLA.yaml(), Sla.class)).isEqualTo(SLA);
  }

  @Test
  void lessIsEnough() {
    Sla little =
        StrictYaml.parse(
            "l", "{name: l, workload: w, clients: 1, objective: {p99: 1s}}", Sla.class);
    assertThat(WsAgreement.read("x", WsAgreement.write(little, WsAgreement.Form.OFFER)))
        .isEqualTo(little);
  }

  @Test
  void objectivesForReadsAndWritesApartAreChecked() {
    wrong("reads: {}", "objective.reads: needs at least one of responseTime, p95, p99");
    wrong("writes: {p99: 1ms, p95: 2ms}", "objective.writes.p99: must not be less than");
    wrong("writes: {p99: 0ms}", "objective.writes.p99: must be > 0");
    assertThat(SLA.toObjective().reads()).isEqualTo(new Latency(Double.NaN, 90, 150));
    assertThat(SLA.toObjective().writes()).isEqualTo(new Latency(20, Double.NaN, Double.NaN));
    assertThat(offer()).contains("reads.p99").contains("writes.responseTime");
  }

  private static void wrong(String objective, String says) {
    String yaml = "{name: l, workload: w, clients: 1, objective: {%s}}".formatted(objective);
    assertThatThrownBy(() -> StrictYaml.parse("l", yaml, Sla.class))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(says);
  }

  @Test
  void unknownTermsAreRefusedWithTheirPath() {
    refused(
        offer().replace("<wsag:GuaranteeTerm", "<wsag:Penalty/><wsag:GuaranteeTerm"),
        "o.xml: /AgreementOffer/Terms/All/Penalty[1]: is not known here");
    refused(
        offer().replace("</tt:Tenant>", "<tt:Color>red</tt:Color></tt:Tenant>"),
        "/AgreementOffer/Terms/All/ServiceDescriptionTerm/Tenant/Color: is not known here");
    refused(
        offer().replace(">p99<", ">availability<"),
        "/GuaranteeTerm[3]/ServiceLevelObjective/KPITarget/KPIName: must be one of p95, p99");
    refused(
        offer()
            .replace("<tt:Clients>", "<wsag:Clients>")
            .replace("</tt:Clients>", "</wsag:Clients>"),
        "/Tenant/Clients: is not known here");
    refused(
        offer().replace("AgreementResponder", "AgreementInitiator"),
        "/Context/ServiceProvider: must be AgreementResponder");
    refused(offer().replace("<wsag:Terms>", "<wsag:Terms>free"), "/Terms: must have no text");
  }

  @Test
  void badValuesAreRefusedWithTheirPath() {
    refused(offer().replace(">384<", ">many<"), "/Tenant/Clients: must be a number, not 'many'");
    refused(offer().replace(">40ms<", ">40<"), "/KPITarget/Target: a duration needs a unit");
    refused(offer().replace(">384<", ">0<"), "o.xml: clients must be in");
    refused(offer().replace(">p99<", ">responseTime<"), "responseTime is given twice");
    refused("<a", "o.xml:1: is not XML");
    refused("<a/>", "o.xml: /a: must be AgreementOffer or Agreement");
    refused("<a xmlns='urn:x'/>", "must be AgreementOffer or Agreement");
  }

  @Test
  void entitiesAreRefused() {
    String external =
        "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
            + offer().replace("zipf<", "&x;<");
    refused(external, "o.xml:1: a document type is refused");
    String growing =
        "<!DOCTYPE a [<!ENTITY x \"xxxxxxxxxx\"><!ENTITY y \"&x;&x;&x;\">]>"
            + offer().replace("zipf<", "&y;<");
    refused(growing, "a document type is refused");
    refused(offer().replace("zipf<", "&x;<"), "is not XML");
  }

  @Test
  void constraintsOfATemplateAreChecked() {
    String template = WsAgreement.template("small", List.of(TABLE));
    WsAgreement.check(SLA, "t.xml", template);

    assertThatThrownBy(
            () -> WsAgreement.check(SLA, "t.xml", template.replace("\"512\"", "\"256\"")))
        .isInstanceOf(UserError.class)
        .hasMessage("shop: Clients is 384, the template allows at least 128.0 and at most 256.0");
    assertThatThrownBy(
            () -> WsAgreement.check(SLA, "t.xml", template.replace("\"zipf\"", "\"uniform\"")))
        .hasMessage("shop: Workload is zipf, the template allows uniform");
    assertThatThrownBy(
            () -> WsAgreement.check(SLA, "t.xml", template.replace("//tt:Clients", "//tt:Shoes")))
        .hasMessageContaining("t.xml: /Template/CreationConstraints/Item[2]/Location: must be");
    assertThatThrownBy(
            () -> WsAgreement.check(SLA, "t.xml", template.replace("maxInclusive", "length")))
        .hasMessageContaining("/Item[2]/ItemConstraint/length: is not known here");
    assertThatThrownBy(() -> WsAgreement.check(SLA, "t.xml", offer()))
        .hasMessageContaining("/AgreementOffer: must be Template");
  }
}
