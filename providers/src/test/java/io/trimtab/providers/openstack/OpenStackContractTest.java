package io.trimtab.providers.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.config.StrictYaml;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.KilledController;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderFile;
import io.trimtab.providers.Snapshots;
import io.trimtab.providers.cloud.CloudMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A server in this test speaks what is asked of Keystone and Nova. The controller that is killed is
 * a process.
 */
class OpenStackContractTest extends OpenStackContract {
  private static final Duration SOON = Duration.ofSeconds(3);

  private FakeOpenStack cloud;

  @BeforeEach
  void started() throws IOException {
    cloud = new FakeOpenStack();
    secret(FakeOpenStack.PASSWORD);
    Files.writeString(folder.resolve("user-data.sh"), "start ${PROFILE} ${TOKENS} ${HOME}\n");
  }

  @AfterEach
  void ended() {
    cloud.close();
  }

  private void secret(String password) throws IOException {
    Path file = Files.writeString(folder.resolve("password"), password + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Override
  String host(CloudMachine server) {
    return server.ip();
  }

  @Override
  OpenStackSettings settings() {
    return settings("");
  }

  private String yaml(String more) {
    return """
        provider:
          openstack:
            auth: %s/v3/
            region: RegionOne
            login: {user: trimtab, project: cluster, secret: "file:password"}
            image: 70a5
            networks: [net-1]
            machines:
              port: 16020
              type: m1.large
              types: {READ: r1.large}
              prices: {m1.large: 0.1, r1.large: 0.15}
              userData: user-data.sh
              max: 3
              poll: 100ms
              keep: 0s
        """
            .formatted(cloud.address())
        + more;
  }

  private OpenStackSettings settings(String more) {
    Path file = folder.resolve("provider.yaml");
    return (OpenStackSettings)
        StrictYaml.parse(file.toString(), yaml(more), ProviderFile.class)
            .provider()
            .in(folder)
            .settings();
  }

  /** The server is there, and Nova has not told of it when the controller is killed. */
  @Override
  protected void askAndDie(String requestId) {
    cloud.hold();
    KilledController.killedWhen(cloud::isHolding, yaml(""), folder, requestId);
    cloud.mend();
    assertThat(cloud.servers.all()).hasSize(1);
  }

  @Test
  void anAnswerThatIsLostIsOneLineAndItsServerIsFoundAgain() throws EngineException {
    cloud.lose();
    failsInOneLine(() -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT), "/servers");
    cloud.mend();

    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(running()).containsExactly(node);
    assertThat(cloud.servers.all()).hasSize(1);
  }

  private static void failsInOneLine(ThrowingCallable call, String... says) {
    assertThatThrownBy(call)
        .isInstanceOf(EngineException.class)
        .hasMessageContainingAll(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("s3cr3t"));
  }

  @Test
  void aServerHasTheFlavourOfItsProfileItsMetadataAndWhatItRunsAtItsFirstStart()
      throws EngineException {
    provider().add("p/new-1", Profile.READ, List.of(-5L, 7L), LIMIT);

    FakeServers.Fake server = cloud.servers.all().get(0);
    JsonNode asked = server.request.path("server");
    assertThat(asked.path("flavorRef").asText()).isEqualTo("2");
    assertThat(asked.path("networks").path(0).path("uuid").asText()).isEqualTo("net-1");
    assertThat(asked.path("metadata").path("trimtab-cluster").asText())
        .isEqualTo(Snapshots.CLUSTER);
    assertThat(asked.path("metadata").path("trimtab-request").asText()).isEqualTo("p/new-1");
    assertThat(asked.path("metadata").path("trimtab-cache").asText()).isEqualTo("0.55");
    byte[] userData = Base64.getDecoder().decode(asked.path("user_data").asText());
    assertThat(new String(userData, StandardCharsets.UTF_8)).isEqualTo("start READ -5,7 ${HOME}\n");
    assertThat(server.told.path("metadata").has("trimtab-boot")).isTrue();
    assertThat(provider().capacity().boot()).isPresent();
    assertThat(provider().capacity().hourlyPrice(Profile.READ)).hasValue(0.15);
  }

  @Test
  void serversOfAClusterAreInOneGroupThatKeepsThemApart() throws EngineException {
    provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    provider().add("p/new-2", Profile.READ, List.of(), LIMIT);

    JsonNode group = cloud.groups();
    assertThat(group).hasSize(1);
    assertThat(group.path(0).path("policy").asText()).isEqualTo("soft-anti-affinity");
    assertThat(cloud.servers.all())
        .extracting(s -> s.request.path("os:scheduler_hints").path("group").asText())
        .containsOnly(group.path(0).path("id").asText());
  }

  /** Else a second group of the same name were made each time, and keep nothing apart. */
  @Test
  void theGroupIsFoundBehindAPageOfOthers() throws EngineException {
    cloud.haveOtherGroups(3);
    cloud.membersOfAGroup(2);
    provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    provider().add("p/new-2", Profile.READ, List.of(), LIMIT);

    assertThat(cloud.groups()).hasSize(4);
    assertThat(cloud.servers.all())
        .extracting(s -> s.request.path("os:scheduler_hints").path("group").asText())
        .containsOnly(cloud.groups().path(3).path("id").asText());
    assertThat(provider().spare()).as("it has as many members as it may").isZero();
  }

  @Test
  void quotasOfTheProjectAreCountedAndARefusalIsOneLine() throws EngineException {
    NodeProvider provider = provider();
    cloud.quota(1);
    assertThat(provider.spare()).isEqualTo(1);
    assertThat(provider.capacity().quota()).hasValue(1);
    NodeId node = provider.add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(provider.spare()).isZero();
    assertThat(provider.offer().hindrance())
        .hasValue("no node can be added: quota of 1 machine is used up");
    assertThat(provider.offer().inNodes(node)).as("its type is dearer").isBetween(1.49, 1.51);
    failsInOneLine(
        () -> provider.add("p/new-2", Profile.READ, List.of(), LIMIT),
        "HTTP status 403: Quota exceeded for instances: Requested 1");

    cloud.quota(3);
    assertThat(provider.spare()).as("for a while after a refusal").isZero();
    assertThat(provider.offer().hindrance())
        .hasValueSatisfying(
            why -> assertThat(why).endsWith("has refused a machine within the last 10 min"));
    assertThat(provider().spare()).isEqualTo(2);
  }

  @Test
  void aServerForWhichThereIsNoHostIsToldAndDeletedBeforeTheNextOne() throws EngineException {
    cloud.fail("No valid host was found.");
    failsInOneLine(
        () -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT),
        "of request p/new-1 could not be started: No valid host was found.");
    assertThat(provider().machines())
        .extracting(Machine::state)
        .containsExactly(Machine.State.STOPPED);

    cloud.fail("");
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(running()).containsExactly(node);
    assertThat(cloud.servers.all()).hasSize(1);
  }

  @Test
  void afterAWantOfHostsNothingMoreIsAskedForForAWhile() throws EngineException {
    NodeProvider provider = provider();
    assertThat(provider.spare()).isEqualTo(3);
    cloud.fail("No valid host was found. There are not enough hosts available.");
    failsInOneLine(() -> provider.add("p/new-1", Profile.READ, List.of(), LIMIT), "No valid");
    assertThat(provider.spare()).isZero();
  }

  @Test
  void theMembersOfTheGroupThatKeepsServersApartAreCounted() throws EngineException {
    cloud.membersOfAGroup(2);
    assertThat(provider().spare()).isEqualTo(2);
    provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(provider().spare()).isEqualTo(1);
    assertThat(provider(settings("    antiAffinity: none\n")).spare()).isEqualTo(2);
    cloud.membersOfAGroup(1);
    assertThat(provider().spare()).isZero();
  }

  /** They are in no list of machines, and would use up the quota unseen. */
  @Test
  void serversThatAreKeptForTheirDisksAreToldWhereTheyTakeTheRoom() throws EngineException {
    cloud.membersOfAGroup(2);
    for (String request : List.of("p/new-1", "q/new-1")) {
      provider().remove(provider().add(request, Profile.READ, List.of(), LIMIT), LIMIT);
    }
    assertThat(provider().offer().hindrance())
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .endsWith("and 2 stopped machines are kept with the disks of removed nodes"));
    List<String> told = new ArrayList<>();
    settings()
        .provider(
            new ProviderContext(
                () -> Snapshots.of(alive()), ProviderContext.Words.PLAIN, id -> folder, told::add))
        .machines();
    assertThat(told).hasSize(2).allMatch(line -> line.contains("is kept, stopped, for the data"));
  }

  /** It may be of this cluster: without it, its request would be made a second time. */
  @Test
  void aServerOfWhichNothingIsToldStopsWhatDependsOnTheList() throws EngineException {
    provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    FakeServers.Fake server = cloud.servers.all().get(0);
    server.told.remove("metadata");
    server.told.put("status", "UNKNOWN");

    String says = "server " + server.id() + " can't be told of now: its cell does not answer";
    failsInOneLine(() -> provider().machines(), says);
    failsInOneLine(() -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT), says);
    assertThat(cloud.servers.all()).hasSize(1);
  }

  @Test
  void anAnswerWithoutAListIsNoEmptyList() {
    cloud.answerListsWith(FakeServers.MAPPER.createObjectNode().put("unexpected", true));
    failsInOneLine(
        () -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT),
        "Nova's answer has no list of servers");
    assertThat(cloud.servers.all()).isEmpty();
  }

  /** Whoever looks at it asks the cloud nothing. */
  private ProviderContext emptyCluster() {
    return new ProviderContext(
        () -> Snapshots.of(Map.of()), ProviderContext.Words.PLAIN, id -> folder, line -> {});
  }

  @Test
  void anAnswerThatStopsAfterItsHeadersIsNotWaitedForWithoutEnd() {
    cloud.stall();
    failsInOneLine(
        () -> settings("    limit: 1s\n").provider(emptyCluster()).capacity(),
        "Keystone at 127.0.0.1:",
        "no whole answer within 1.0 s");
  }

  @Test
  void aServerThatIsBuiltForEverIsDeletedAtOnceWhereDisksAreNotKept() throws EngineException {
    cloud.build(false);
    NodeProvider deletes = provider(settings("      end: delete\n"));
    failsInOneLine(
        () -> deletes.add("p/new-1", Profile.READ, List.of(), SOON), "does not run in time");

    deletes.release(deletes.machines().get(0), LIMIT);
    assertThat(cloud.servers.all()).isEmpty();
  }

  /** An operator has started it again for what is on its disks, and its node with it. */
  @Test
  void aMachineThatWasGivenBackAndStartedAgainIsStoppedAgain() throws EngineException {
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    provider().remove(node, LIMIT);
    FakeServers.Fake server = cloud.servers.all().get(0);
    server.told.put("status", "ACTIVE");
    assertThat(running()).containsExactly(node);

    provider(settings("      end: delete\n")).remove(node, LIMIT);
    assertThat(running()).isEmpty();
    assertThat(server.told.path("status").asText()).as("its disks stay").isEqualTo("SHUTOFF");
    provider().remove(node, LIMIT);
  }

  @Test
  void aServerThatNeverRanIsDeletedWhenItIsGivenBack() throws EngineException {
    cloud.fail("No valid host was found.");
    failsInOneLine(() -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT), "No valid");
    provider().release(provider().machines().get(0), LIMIT);
    assertThat(cloud.servers.all()).isEmpty();
  }

  @Test
  void aServerThatVanishesIsTold() {
    cloud.vanish();
    failsInOneLine(
        () -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT),
        "of request p/new-1 has vanished while its node started");
  }

  @Test
  void aServerWhoseNodeDoesNotComeIsToldAndKeptForTheNextCall() throws EngineException {
    machines.boot(false);
    failsInOneLine(
        () -> provider().add("p/new-1", Profile.READ, List.of(), SOON),
        "of request p/new-1 runs, but node 10.1.0.1:16020 has not joined in time");

    machines.boot(true);
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(provider().machines())
        .singleElement()
        .satisfies(machine -> assertThat(machine.node()).contains(node));
  }

  @Test
  void ofTwoControllersThatAskAtOnceOneServerStays() throws EngineException {
    cloud.haveAnotherController();
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);

    assertThat(cloud.servers.all()).hasSize(1);
    assertThat(provider().add("p/new-1", Profile.READ, List.of(), LIMIT)).isEqualTo(node);
  }

  @Test
  void aTokenThatIsTakenBackAndAServiceThatIsAwayForAMomentDoNotMatter() throws EngineException {
    NodeProvider provider = provider();
    provider.add("p/new-1", Profile.READ, List.of(), LIMIT);
    cloud.takeTokensBack();
    assertThat(provider.machines()).hasSize(1);
    cloud.beDown(2);
    assertThat(provider.capacity().spare()).isEqualTo(2);
  }

  @Test
  void aWrongPasswordIsOneLineWithoutIt() throws IOException {
    secret("s3cr3t-other");
    failsInOneLine(
        () -> provider().machines(),
        "Keystone at 127.0.0.1:",
        "HTTP status 401: The request you have made requires authentication.");
    assertThat(cloud.logins()).as("accounts are locked for more").isEqualTo(1);
    assertThat(provider().spare()).isZero();
    assertThat(settings().toString()).contains("(secret)").doesNotContain("s3cr3t");
  }

  @Test
  void disksStayUnlessTheOperatorSaysThatNothingIsOnThem() throws EngineException {
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    provider().remove(node, LIMIT);
    assertThat(cloud.servers.all())
        .extracting(server -> server.told.path("status").asText())
        .containsExactly("SHUTOFF");

    NodeProvider deletes = provider(settings("      end: delete\n"));
    NodeId other = deletes.add("p/new-2", Profile.READ, List.of(), LIMIT);
    FakeServers.Fake server = cloud.servers.all().get(1);
    deletes.remove(other, LIMIT);
    assertThat(cloud.servers.all()).hasSize(1);
    assertThat(server.actions).as("it shuts down first").hasSize(1);
  }
}
