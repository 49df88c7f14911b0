package io.trimtab.providers.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.trimtab.providers.cloud.BootedMachines;
import io.trimtab.testkit.moto.Moto;
import io.trimtab.testkit.provider.ProviderContract;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceAttributeName;
import software.amazon.awssdk.services.ec2.model.InstanceStateName;

/**
 * The EC2 API of a moto server, on whose machines processes of this machine run. The controller
 * that is killed is a process, too.
 */
class Ec2ContractIT extends ProviderContract {
  private static final Duration SOON = Duration.ofSeconds(3);

  /** Of both files of the settings. */
  private static final String KEY = "s3cr3t-key";

  @TempDir private Path folder;
  private final BootedMachines machines = new BootedMachines();
  private Gate gate;
  private Ec2Client api;
  private boolean endsAll;

  @BeforeEach
  void started() throws IOException, InterruptedException {
    Moto moto = Moto.shared();
    moto.reset();
    gate = new Gate(moto.address());
    api = client(moto.address());
    Path secret = Files.writeString(folder.resolve("secret"), KEY + "\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        folder.resolve("user-data.sh"), "start ${PROFILE} ${CACHE} ${TOKENS} ${HOME}\n");
  }

  @AfterEach
  void nothingRunsOn() {
    machines.close();
    if (gate != null) {
      gate.close();
      api.close();
    }
  }

  private static Ec2Client client(URI address) {
    return Ec2Client.builder()
        .endpointOverride(address)
        .region(Region.EU_WEST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .build();
  }

  private String settings(String more) {
    return """
        provider:
          ec2:
            region: eu-west-1
            endpoint: %s
            accessKey: file:secret
            secretKey: file:secret
            image: ami-12c6146b
            limit: 30s
            tags: {team: storage}
            machines:
              port: 16020
              type: m5.large
              types: {READ: r5.large}
              prices: {m5.large: 0.1, r5.large: 0.15}
              userData: user-data.sh
              max: 3
              poll: 100ms
              keep: 0s
        """
            .formatted(gate.address())
        + more;
  }

  private NodeProvider provider(String yaml) {
    Path file = folder.resolve("provider.yaml");
    return StrictYaml.parse(file.toString(), yaml, ProviderFile.class)
        .provider()
        .in(folder)
        .settings()
        .provider(
            new ProviderContext(
                () -> Snapshots.of(alive()),
                ProviderContext.Words.PLAIN,
                id -> folder,
                line -> {}));
  }

  @Override
  protected NodeProvider provider() {
    return provider(settings(""));
  }

  private List<Instance> instances() {
    List<Instance> all = new ArrayList<>();
    api.describeInstances().reservations().forEach(r -> all.addAll(r.instances()));
    return all;
  }

  /** Looks at the machines as they are now, so that nothing has to be waited for. */
  private Map<NodeId, Long> alive() {
    if (endsAll) {
      instances().forEach(i -> api.terminateInstances(t -> t.instanceIds(i.instanceId())));
    }
    machines.look(
        instances().stream()
            .filter(instance -> instance.state().name() == InstanceStateName.RUNNING)
            .map(
                instance ->
                    new BootedMachines.Running(
                        instance.instanceId(),
                        new NodeId(instance.privateIpAddress() + ":16020"),
                        gate.reboots(instance.instanceId()),
                        tags(instance)))
            .toList());
    return machines.alive();
  }

  private static Map<String, String> tags(Instance instance) {
    Map<String, String> tags = new TreeMap<>();
    instance.tags().forEach(tag -> tags.put(tag.key(), tag.value()));
    return tags;
  }

  @Override
  protected Set<NodeId> running() {
    return alive().keySet();
  }

  @Override
  protected long process(NodeId node) {
    return alive().get(node);
  }

  @Override
  protected Optional<Profile> profile(NodeId node) {
    return machines.profile(node);
  }

  @Override
  protected void kill(NodeId node) {
    machines.kill(node);
  }

  /** The machine is there, and nobody has told of it when the controller is killed. */
  @Override
  protected void askAndDie(String requestId) {
    gate.hold("RunInstances");
    KilledController.killedWhen(gate::isHolding, settings(""), folder, requestId);
    gate.mend();
    assertThat(instances()).hasSize(1);
  }

  @Test
  void anAnswerThatIsLostIsOneLineAndItsMachineIsFoundAgain() throws EngineException {
    gate.lose("RunInstances");
    failsInOneLine(
        () -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT), "RunInstances: ");
    gate.mend();

    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(running()).containsExactly(node);
    assertThat(instances()).hasSize(1);
  }

  private static void failsInOneLine(ThrowingCallable call, String... says) {
    assertThatThrownBy(call)
        .isInstanceOf(EngineException.class)
        .hasMessageContainingAll(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain(KEY));
  }

  @Test
  void aMachineHasTheTypeOfItsProfileItsMarksAndWhatItRunsAtItsFirstStart() throws EngineException {
    provider().add("p/new-1", Profile.READ, List.of(-5L, 7L), LIMIT);

    Instance instance = instances().get(0);
    assertThat(instance.instanceTypeAsString()).isEqualTo("r5.large");
    assertThat(tags(instance))
        .containsEntry("trimtab-cluster", Snapshots.CLUSTER)
        .containsEntry("trimtab-request", "p/new-1")
        .containsEntry("trimtab-cache", "0.55")
        .containsEntry("team", "storage")
        .containsKey("trimtab-boot");
    String coded =
        api.describeInstanceAttribute(
                a -> a.instanceId(instance.instanceId()).attribute(InstanceAttributeName.USER_DATA))
            .userData()
            .value();
    assertThat(new String(Base64.getDecoder().decode(coded), StandardCharsets.UTF_8))
        .isEqualTo("start READ 0.55 -5,7 ${HOME}\n");
    assertThat(provider().capacity().hourlyPrice()).hasValue(0.1);
    assertThat(provider().capacity().hourlyPrice(Profile.READ)).hasValue(0.15);
    assertThat(provider().capacity().quota()).hasValue(3);
    assertThat(provider().capacity().boot()).isPresent();
  }

  @Test
  void aRefusalForAQuotaIsOneLineAndNothingMoreIsAskedForForAWhile() throws EngineException {
    NodeProvider provider = provider();
    assertThat(provider.spare()).isEqualTo(3);
    gate.refuse("RunInstances", "VcpuLimitExceeded", "You have requested more\n vCPU capacity");
    failsInOneLine(
        () -> provider.add("p/new-1", Profile.READ, List.of(), LIMIT),
        "RunInstances: VcpuLimitExceeded: You have requested more vCPU capacity");

    assertThat(provider.spare()).isZero();
    assertThat(provider.machines()).isEmpty();
  }

  @Test
  void noMoreMachinesThanTheSettingsAllowAreAskedFor() throws EngineException {
    NodeProvider one = provider(settings("").replace("max: 3", "max: 1"));
    one.add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(one.spare()).isZero();
    failsInOneLine(
        () -> one.add("p/new-2", Profile.READ, List.of(), LIMIT),
        "request p/new-2: 1 machines run by request");
  }

  @Test
  void aMachineThatVanishesIsToldAndTheNextCallAsksForAnother() throws EngineException {
    endsAll = true;
    failsInOneLine(
        () -> provider().add("p/new-1", Profile.READ, List.of(), LIMIT),
        "of request p/new-1 has vanished while its node started",
        "User initiated shutdown");
    endsAll = false;

    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(running()).containsExactly(node);
    assertThat(provider().machines()).hasSize(1);
  }

  @Test
  void aMachineWhoseNodeDoesNotComeIsToldKeptForTheNextCallAndCanBeGivenBack()
      throws EngineException {
    machines.boot(false);
    failsInOneLine(
        () -> provider().add("p/new-1", Profile.READ, List.of(), SOON),
        "of request p/new-1 runs, but node ",
        ":16020 has not joined in time");
    List<Machine> half = provider().machines();
    assertThat(half).extracting(Machine::state).containsExactly(Machine.State.STARTING);

    machines.boot(true);
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(half.get(0).node()).contains(node);
    provider().release(half.get(0), LIMIT);
    assertThat(provider().machines()).isEmpty();
  }

  @Test
  void anApiThatKeepsSilentIsToldInOneLineAndNothingCanBeAdded() {
    NodeProvider hasty = provider(settings("").replace("limit: 30s", "limit: 1s"));
    gate.keepSilentOn("DescribeInstances");
    failsInOneLine(
        () -> hasty.add("p/new-1", Profile.READ, List.of(), LIMIT), "DescribeInstances: ");
    assertThat(hasty.spare()).isZero();
  }

  @Test
  void disksStayUnlessTheOperatorSaysThatNothingIsOnThem() throws EngineException {
    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    provider().remove(node, LIMIT);
    assertThat(instances().get(0).state().name()).isEqualTo(InstanceStateName.STOPPED);

    NodeProvider deletes = provider(settings("      end: delete\n"));
    NodeId other = deletes.add("p/new-2", Profile.READ, List.of(), LIMIT);
    deletes.remove(other, LIMIT);
    assertThat(instances().get(1).state().name()).isEqualTo(InstanceStateName.TERMINATED);
    deletes.remove(other, LIMIT);
  }

  @Test
  void aNodeThatIsOnNoMarkedMachineIsNotTouched() throws EngineException {
    api.runInstances(r -> r.imageId("ami-12c6146b").minCount(1).maxCount(1));
    NodeId stranger = running().iterator().next();
    failsInOneLine(
        () -> provider().remove(stranger, LIMIT),
        "no machine of node " + stranger + " has the mark trimtab-cluster");
    assertThat(provider().offer().removable().allows(stranger, Set.of(), false)).isFalse();
    assertThat(running()).contains(stranger);
    assertThat(provider().machines()).isEmpty();
  }
}
