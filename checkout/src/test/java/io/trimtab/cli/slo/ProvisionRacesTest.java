package io.trimtab.cli.slo;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Run;
import io.trimtab.runtime.provision.Provisioned;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands that are killed, come second, or meet another one's work. */
final class ProvisionRacesTest extends ProvisionCommands {

  /** As another command would have begun it. */
  private static Provisioned begun(String name) {
    return new Provisioned(
        name,
        "slo-" + name + "-00000000",
        "another command's",
        "small",
        5,
        "",
        3,
        "toy",
        List.of(),
        Provisioned.Step.STARTING);
  }

  @Test
  void aPoolOfTheRightSizeIsEnoughThoughANodeWasStartedThatIsNotKept() throws Exception {
    at(ClusterSpec.assigned(7, 0).withSpare(5), true);
    place.cluster().faults().on(Verb.ADD, 3, Kind.LATE);
    assertThat(provision("--act").refusal()).contains("2 of 5 nodes were started and are kept");
    place.cluster().clock().advance(Duration.ofMinutes(10));
    assertThat(live()).isEqualTo(3);

    Run run = provision("--act");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(live()).isEqualTo(5);
    assertThat(machines()).isEqualTo(5);
  }

  @Test
  void ofTwoCommandsThatBeginAtOnceOneStartsNothing() throws Exception {
    looked = () -> new ProvisionStore("shop").keep(begun("shop"));

    assertThat(provision("--act").refusal())
        .contains("shop: another command has changed it meanwhile; give the command again");
    assertThat(machines()).isZero();
    assertThat(new ProvisionStore("shop").read()).contains(begun("shop"));
  }

  @Test
  void whatWasMadeAnewWhileAPersonThoughtIsNotGivenBack() throws Exception {
    assertThat(provision("--act").code()).isZero();
    InputStream slow =
        new ByteArrayInputStream("y\n".getBytes(StandardCharsets.UTF_8)) {
          @Override
          public synchronized int read(byte[] to, int from, int most) {
            new ProvisionStore("shop").keep(begun("shop"));
            return super.read(to, from, most);
          }
        };

    assertThat(answering(slow, "--act").refusal())
        .contains("shop: was given back and made anew meanwhile; give the command again");
    assertThat(live()).isEqualTo(5);
  }

  @Test
  void anAddressIsOfOneAgreementAlsoBeforeItsClusterAnswers() throws Exception {
    place.cluster().faults().always(Verb.ADD, Kind.FAIL);
    provision("--act").refusal();
    place.cluster().faults().clear();
    String logs = file("logs.yaml", SLA.replace("name: shop", "name: logs"));

    for (Run run : List.of(provisionOf(logs), provisionOf(logs, "--act"))) {
      assertThat(run.refusal())
          .contains("toy: agreement shop has its cluster there, and each gets one of its own");
    }
    assertThat(machines()).isZero();
  }

  @Test
  void theSameIfAnotherAgreementBeginsMeanwhile() throws Exception {
    looked = () -> new ProvisionStore("logs").keep(begun("logs"));

    assertThat(provision("--act").refusal()).contains("toy: agreement logs has its cluster there");
    assertThat(machines()).isZero();
    assertThat(new ProvisionStore("shop").read()).isEmpty();
  }

  @Test
  void aLookAtWhatWouldBeDoneLeavesNothing() throws Exception {
    String manual = file("provider.yaml", "provider: {manual: {}}\n");
    Run run = provision("--provider", manual);

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("nothing was changed; to do it: add --act");
    assertThat(folder.resolve("home/clusters")).doesNotExist();
    assertThat(folder.resolve("home/provisioned")).doesNotExist();
  }

  /** What people were asked for is found by who says that they have done it, and by later runs. */
  @Test
  void whatAProviderRemembersStaysWhereItIsFromTheFirstRequestOn() throws Exception {
    String manual = file("provider.yaml", "provider: {manual: {poll: 100ms}}\n");
    String[] options = {"--provider", manual, "--act", "--limit", "1s"};

    assertThat(provision(options).refusal()).contains("nobody has started a node for request ");
    String mark = new ProvisionStore("shop").read().orElseThrow().mark();
    assertThat(folder.resolve("home/provisioned").resolve(mark).resolve("provider")).isDirectory();
    assertThat(folder.resolve("home/clusters").resolve(mark)).doesNotExist();

    Run joined = Run.of("node", "joined", mark + "/new-1", "node001:16020", "--in-memory");
    assertThat(joined.code()).as(joined.err()).isZero();
    assertThat(joined.out()).contains("node node001:16020 is that of request " + mark + "/new-1");
  }
}
