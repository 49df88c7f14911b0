package io.trimtab.cli.slo;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Run;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.formats.SettingsFile;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** From an agreement to a cluster in memory and back. */
final class ProvisionCommandTest extends ProvisionCommands {
  @Test
  void withoutActNothingIsStartedAndTheStepsAreShown() throws Exception {
    Run run = provision();

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("shop: workload zipf by 384 clients")
        .contains("chosen: 5 nodes of type small: mean 38.2 ms")
        .contains("1. start 5 of 5 through the provider, one node after the other (10 can be")
        .contains("2. create table shop.orders, with 3 copies")
        .contains("nothing was changed; to do it: add --act");
    assertThat(machines()).isZero();
    assertThat(folder.resolve("home/provisioned")).doesNotExist();
  }

  @Test
  void anAgreementGetsItsClusterAndGivesItBack() throws Exception {
    Run run = provision("--act");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("serves, 5 of 5")
        .contains("shop has its cluster: 5 nodes of type small at toy")
        .contains("trimtab slo release shop");
    assertThat(live()).isEqualTo(5);
    assertThat(place.created()).containsExactly("shop.orders x 3");

    // What it tells to go on with are settings that the autopilot takes.
    Matcher config = Pattern.compile("trimtab run --config (\\S+) --act").matcher(run.out());
    assertThat(config.find()).isTrue();
    Settings settings = SettingsFile.read(Path.of(config.group(1)));
    assertThat(settings.policy()).isEqualTo(Policies.SLO);
    assertThat(settings.slo().sla()).isEqualTo(sla);
    assertThat(settings.slo().tables()).containsExactly(table);
    assertThat(settings.slo().nodeType()).isEqualTo("small");

    Run again = provision("--act");
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.out()).contains("shop has its cluster: 5 nodes");
    assertThat(machines()).isEqualTo(5);
    assertThat(place.created()).hasSize(1);

    Run shown = release();
    assertThat(shown.code()).as(shown.err()).isZero();
    assertThat(shown.out()).contains("data are kept", "nothing was changed; to do it: add --act");
    assertThat(live()).isEqualTo(5);
    assertThat(answering("", "--act").refusal()).contains("without a terminal, --act needs --yes");
    assertThat(answering("n\n", "--act").out())
        .contains("give back 5 machines? (y/n)", "nothing was");
    assertThat(live()).isEqualTo(5);

    Run released = release("--act", "--yes");
    assertThat(released.code()).as(released.err()).isZero();
    assertThat(released.out()).contains("shop: all machines are given back");
    assertThat(machines()).isZero();
    assertThat(place.created()).hasSize(1);
    assertThat(release().refusal()).contains("no cluster was made for an agreement shop");
  }

  @Test
  void withoutAProviderAPersonIsToldTheSteps() throws Exception {
    at(ClusterSpec.assigned(7, 0), false);
    Run unaddressed = Run.of("slo", "provision", sla, "--table", table);
    for (Run run : List.of(provision(), provision("--act"), unaddressed)) {
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out())
          .contains("no provider is named (--provider), so a person does the steps:")
          .contains("1. start 5 nodes of type small")
          .contains("2. create table shop.orders, with 3 copies of its data")
          .contains("policy: slo")
          .contains("4. trimtab run --config FILE --act");
    }
    assertThat(machines()).isZero();
  }

  @Test
  void aStartThatFailsIsOneLineAndTheSameCommandGoesOn() throws Exception {
    place.cluster().faults().on(Verb.ADD, 3, Kind.FAIL);

    assertThat(provision("--act").refusal())
        .contains("shop: 2 of 5 nodes were started and are kept (node001:16020, node002:16020): ")
        .contains("scripted fault")
        .contains("trimtab slo release shop");
    assertThat(machines()).isEqualTo(2);
    assertThat(provision().out()).contains("1. start 3 of 5 through the provider");

    Run run = provision("--act");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(machines()).isEqualTo(5);
  }

  @Test
  void whatWasBegunIsGivenBackAndNoTableDeletedThatWasNotCreated() throws Exception {
    place.cluster().faults().on(Verb.ADD, 3, Kind.FAIL);
    provision("--act").refusal();

    assertThat(release("--drop-table").out())
        .contains("table shop.orders is deleted with its data");
    Run released = release("--drop-table", "--act", "--yes");
    assertThat(released.code()).as(released.err()).isZero();
    assertThat(machines()).isZero();
    assertThat(released.out()).contains("table shop.orders was not created yet");
    assertThat(place.created()).isEmpty();
  }

  @Test
  void theTableIsDeletedWhereThatIsTold() throws Exception {
    assertThat(provision("--act").code()).isZero();

    Run released = release("--drop-table", "--act", "--yes");
    assertThat(released.code()).as(released.err()).isZero();
    assertThat(machines()).isZero();
    assertThat(place.created()).containsExactly("shop.orders x 3", "dropped shop.orders");
  }

  @Test
  void aClusterThatDoesNotAnswerIsGivenBackOnlyWhereThatIsTold() throws Exception {
    assertThat(provision("--act").code()).isZero();
    place.cluster().truth().liveNodes().forEach(node -> place.cluster().kill(node.id()));

    assertThat(release("--act", "--yes").refusal()).contains("if none is, add --unreachable");
    Run released = release("--act", "--yes", "--unreachable");
    assertThat(released.code()).as(released.err()).isZero();
    assertThat(machines()).isZero();
  }

  @Test
  void tooFewMachinesAreToldBeforeTheFirstIsStarted() throws Exception {
    at(ClusterSpec.assigned(7, 0).withSpare(4), true);

    for (Run run : List.of(provision(), provision("--act"))) {
      assertThat(run.refusal())
          .contains("shop: 5 nodes of type small are needed, and the provider has too few: ")
          .contains("4 can be added");
    }
    assertThat(machines()).isZero();
  }

  @Test
  void anAgreementThatNoTableCoversIsOneLine() throws Exception {
    String other = file("other.yaml", SLA.replace("zipf", "scans"));
    assertThat(provisionOf(other, "--act").refusal()).contains("workload scans was not measured");

    String hard = file("hard.yaml", SLA.replace("40ms", "4ms"));
    assertThat(provisionOf(hard, "--act").refusal())
        .contains("hard.yaml: no measured cluster meets it; nearest: 5 nodes of type small");
    assertThat(provision("--node-type", "large", "--act").refusal())
        .contains("no measured cluster of large nodes meets it");
    assertThat(machines()).isZero();
  }

  @Test
  void aNameThatIsTakenIsRefused() throws Exception {
    assertThat(provision("--act").code()).isZero();

    String other = file("other.yaml", SLA.replace("384", "400"));
    assertThat(provisionOf(other, "--act").refusal())
        .contains("shop: has a cluster already, at toy and for another agreement of that name")
        .contains("trimtab slo release shop");
    assertThat(machines()).isEqualTo(5);
  }

  @Test
  void anAddressThatIsTakenIsRefused() throws Exception {
    at(ClusterSpec.assigned(7, 2), true);

    assertThat(provision("--act").refusal())
        .contains("toy: a cluster answers there already (node001:16020, node002:16020)");
    assertThat(machines()).isZero();
  }

  @Test
  void nothingIsGivenBackWhileAnAutopilotIsInCharge() throws Exception {
    assertThat(provision("--act").code()).isZero();
    place.cluster().control().seenAliveAfter(Duration.ZERO);

    try (ControlLock held = place.cluster().control().take("an autopilot")) {
      assertThat(release("--act", "--yes").refusal())
          .contains("an autopilot")
          .contains("stop it first: trimtab stop");
      assertThat(held.held()).isTrue();
    }
    assertThat(live()).isEqualTo(5);
  }

  @Test
  void optionsThatContradictAreRefused() throws Exception {
    String large = TABLE.substring(TABLE.indexOf('\n') + 1).replace("small", "large");
    String two = file("two.csv", TABLE + large);
    assertThat(Run.of("slo", "provision", sla, "--table", two, "--in-memory", "--act").refusal())
        .contains("--node-type is missing: it must tell which nodes the provider starts, one of")
        .contains("large, small");
    assertThat(provision("--copies", "6").refusal()).contains("--copies must be in [1, 5]");
    assertThat(provision("--watch").refusal()).contains("--watch goes with --act only");
    assertThat(release("--yes").refusal()).contains("--yes goes with --act only");
    String provider = file("provider.yaml", "provider: {manual: {}}\n");
    assertThat(Run.of("slo", "provision", sla, "--table", table, "--provider", provider).refusal())
        .contains("where the cluster is to be reached is missing");
    String bare = file("bare.yaml", SLA.replace("shop.orders", "orders"));
    assertThat(provisionOf(bare, "--act").refusal()).contains("must be keyspace.table");
    assertThat(machines()).isZero();
  }
}
