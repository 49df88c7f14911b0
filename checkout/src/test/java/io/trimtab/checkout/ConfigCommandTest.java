package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.architecture.Sources;
import io.trimtab.cli.Main;
import io.trimtab.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input: one line with file, line and key, exit code 2. */
final class ConfigCommandTest {
  @TempDir private Path folder;

  private Run check(String kind, String text) throws IOException {
    Path file = folder.resolve("it.yaml");
    Files.writeString(file, text);
    return Run.of("config", "check", file.toString(), "--as", kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "autopilot | gard: {}; | 1: gard: unknown key; did you mean guard?",
        "autopilot | guard:;  minNode: 2; | 2: guard.minNode: unknown key; did you mean minN",
        "autopilot | guard:;  maxNodes: 2;  maxNodes: 3; | 3: guard.maxNodes: is given twice",
        "autopilot | observe:;  period: 30; | 2: observe.period: a duration needs a unit",
        "autopilot | observe:;  period: 30 parsecs; | 2: observe.period: a duration needs a",
        "autopilot | observe:;  samples: many; | 2: observe.samples: must be a whole number",
        "autopilot | observe:;  alpha: 2; | 2: observe.alpha: must be in (0, 1], not 2",
        "autopilot | guard:;  minNodes: 5;  maxNodes: 3; | 3: guard.maxNodes: must be at le",
        "autopilot | tiramola:;  addAbove: 0.2; | 2: tiramola.addAbove: unknown key; known keys: [",
        "autopilot | tiramola:;  add:;  - {metric: cpu, above: 2, nodes: any}; |"
            + " 3: tiramola.add[0].above: must be in [0, 1], not 2",
        "autopilot | tiramola:;  add:;  - {metric: heat, above: 2, nodes: any}; |"
            + " 3: tiramola.add[0].metric: must be one of cpu, usage, iowait, load5, heap, comp",
        "autopilot | tiramola:;  remove:;  - {metric: cpu, nodes: all}; |"
            + " 3: tiramola.remove[0]: needs either above or below",
        "autopilot | tiramola:;  remove:;  - {metric: load5, below: -1, nodes: all}; |"
            + " 3: tiramola.remove[0].below: must be ≥ 0, not -1",
        "autopilot | tiramola:;  remove:;  - {metric: cpu, below: 0.1}; |"
            + " 3: tiramola.remove[0]: nodes is missing: any, all",
        "autopilot | tiramola:;  add:;  - {metric: cpu, above: 0.1, nodes: any};  remove:;"
            + "  - {metric: cpu, below: 0.2, nodes: all}; | tiramola.remove: must be such that no",
        "autopilot | guard:;  blackouts: [noon]; | 2: guard.blackouts: must be HH:MM-HH:MM",
        "autopilot | policy: clever; | 1: policy: must be one of met-1, met, autopilot, tiramola",
        "autopilot | policy: usage; | usage.model is missing",
        "autopilot | slo:;  sla: shop.yaml; | slo.tables is missing",
        "autopilot | slo:;  also: [logs.yaml]; | slo.sla is missing",
        "autopilot | guard: []; | 1: guard: must be a group of keys",
        "autopilot | guard: {; | 2: guard: expected the node content",
        "autopilot | policy: met-1;;guard:;\t- a; | 4: found character",
        "connections | clusters:;  a:;    cassandra: {host: h}; | 3: clusters.a.cassandra.host: un",
        "connections | clusters:;  a:;    casandra: {}; | 3: clusters.a.casandra: unknown key",
        "lab | heap: 300; | 1: heap: a size needs a unit",
        "lab | nodes: 3;heep: 300m; | 2: heep: unknown key; did you mean heap?",
        "lab | nodes: 0; | 1: nodes: must be in [1, 50], not 0",
        "workload | tenants: []; | 1: tenants: is missing or empty",
        "workload | tenants:;  - name: a;    mixx: {}; | 3: tenants[0].mixx: unknown key",
      })
  void badInputNamesFileLineAndKey(String kind, String text, String says) throws IOException {
    Run run = check(kind.strip(), text.strip().replace(';', '\n'));
    assertThat(run.code()).isEqualTo(Main.REFUSED);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .contains("it.yaml")
        .contains(says.strip());
    assertThat(run.out()).isEmpty();
  }

  @Test
  void anEmptyFileIsRefused() throws IOException {
    Run run = check("autopilot", "");
    assertThat(run.code()).isEqualTo(Main.REFUSED);
    assertThat(run.err()).contains("is empty");
  }

  @Test
  void defaultsAreShown() throws IOException {
    Run run = check("autopilot", "policy: tiramola\n");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("policy: tiramola").contains("period: 30s");
  }

  @Test
  void anAgreementThatThePolicyDoesNotKeepIsTold() throws IOException {
    Path examples = Sources.root().resolve("examples");
    String slo =
        "slo: {sla: '%s', tables: ['%s']}\n"
            .formatted(examples.resolve("sla.yaml"), examples.resolve("provisioning.csv"));

    assertThat(check("autopilot", "policy: met\n" + slo).err())
        .contains(
            "it.yaml: slo.sla is set, but policy: met keeps no agreement; policy: autopilot and slo"
                + " do");
    assertThat(check("autopilot", "policy: met\n" + slo).code()).isZero();
    assertThat(check("autopilot", slo).err()).isEmpty();
    assertThat(check("autopilot", "policy: slo\n" + slo).err()).isEmpty();
  }

  @Test
  void agreementsAreChecked() throws IOException {
    Run good = check("agreement", Sources.text(Sources.root().resolve("examples/sla.yaml")));
    assertThat(good.code()).as(good.err()).isZero();
    assertThat(good.out()).contains("clients: 384");
    Run bad = check("agreement", "name: shop\nworkload: zipf\nclients: 0\n");
    assertThat(bad.code()).isEqualTo(Main.REFUSED);
    assertThat(bad.out()).isEmpty();
  }

  @Test
  void whatIsShownMeansTheSameAgain() throws IOException {
    Run first = check("autopilot", Sources.text(Sources.root().resolve("examples/trimtab.yaml")));
    assertThat(first.code()).as(first.err()).isZero();
    String shown = first.out().substring(first.out().indexOf('\n') + 1);
    Run second = check("autopilot", shown);
    assertThat(second.out()).isEqualTo(first.out());
  }

  @ParameterizedTest
  @CsvSource({"trimtab.yaml,autopilot", "tenants.yaml,workload", "lab.yaml,lab"})
  void theExamplesAreFine(String file, String kind) {
    String path = Sources.root().resolve("examples").resolve(file).toString();
    Run run = Run.of("config", "check", path, "--as", kind);
    assertThat(run.code()).as(run.err()).isZero();
  }
}
