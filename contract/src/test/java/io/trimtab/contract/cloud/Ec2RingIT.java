package io.trimtab.contract.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.config.StrictYaml;
import io.trimtab.contract.CassandraCluster;
import io.trimtab.contract.LiveCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TiramolaSettings;
import io.trimtab.controller.settings.Trigger;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderFile;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.testkit.moto.Moto;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.InstanceStateName;

/**
 * Policy, provider, the EC2 API, a real ring and its load: the autopilot adds a node and gives one
 * back by asking a moto server for machines, on which real nodes boot. See {@code ./trimtab test
 * --ec2}.
 */
@Tag("ec2")
class Ec2RingIT extends LiveCluster {
  private static final String LAB = "it-ec2-ring";

  /** A machine boots and a node joins on two cores that are busy with a load. */
  private static final Duration ACTION_LIMIT = Duration.ofMinutes(5);

  @TempDir static Path home;
  private static CassandraCluster cluster;
  private static CassandraEngine engine;
  private static Ec2Client api;
  private static URI address;

  @BeforeAll
  static void up() throws IOException, EngineException, InterruptedException {
    Moto moto = Moto.shared();
    moto.reset();
    address = moto.address();
    cluster = CassandraCluster.up(LAB, home, 3, CassandraSettings.DEFAULTS);
    engine = cluster.engine();
    api =
        Ec2Client.builder()
            .endpointOverride(address)
            .region(Region.EU_WEST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build();
  }

  @AfterAll
  static void down() {
    if (api != null) {
      api.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  private static NodeProvider provider(int port) throws IOException {
    Path secret = Files.writeString(home.resolve("secret"), "test\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(home.resolve("user-data"), "tokens ${TOKENS}\n");
    String yaml =
        """
        provider:
          ec2:
            region: eu-west-1
            endpoint: %s
            accessKey: file:secret
            secretKey: file:secret
            image: ami-12c6146b
            machines:
              host: ${NAME}
              port: %d
              type: m5.large
              prices: {m5.large: 0.1}
              userData: user-data
              max: 1
              poll: 1s
              keep: 0s
        """
            .formatted(address, port);
    return StrictYaml.parse("provider.yaml", yaml, ProviderFile.class)
        .provider()
        .in(home)
        .settings()
        .provider(
            new ProviderContext(
                engine::snapshot, ProviderContext.Words.PLAIN, id -> home, line -> {}));
  }

  @Test
  void theAutopilotAddsANodeThroughTheApiAndGivesOneBack() throws Exception {
    underLoad(
        "ec2_ring",
        () -> {
          ClusterSnapshot three = whole(s -> s.liveNodes().size() == 3);
          String first = three.nodes().get(0).id().name();
          int port = Integer.parseInt(first.substring(first.lastIndexOf(':') + 1));
          NodeProvider provider = provider(port);
          try (BootedRing ring = new BootedRing(api, cluster.lab(), three.clusterId())) {
            assertThat(provider.spare()).isEqualTo(1);
            Trigger busy = Trigger.above(Trigger.Metric.CPU, 0.0, Trigger.Nodes.ANY);
            assertThat(run(provider, new TiramolaSettings(List.of(busy), List.of())))
                .contains("add-node");

            ClusterSnapshot four = whole(s -> s.liveNodes().size() == 4);
            assertThat(ring.machines()).hasSize(4);
            assertThat(provider.machines())
                .singleElement()
                .satisfies(
                    machine -> {
                      assertThat(machine.state()).isEqualTo(Machine.State.RUNNING);
                      assertThat(four.node(machine.node().orElseThrow())).isPresent();
                      assertThat(three.node(machine.node().orElseThrow())).isEmpty();
                    });
            assertThat(provider.capacity().boot()).isPresent();
            assertThat(provider.spare()).isZero();

            Trigger idle = Trigger.below(Trigger.Metric.CPU, 0.999, Trigger.Nodes.ALL);
            assertThat(run(provider, new TiramolaSettings(List.of(), List.of(idle))))
                .containsExactly("remove-node");
            whole(s -> s.liveNodes().size() == 3);
            assertThat(ring.machines())
                .filteredOn(machine -> machine.state().name() == InstanceStateName.STOPPED)
                .hasSize(1);
            while (ring.nodes() > 3 && ring.failure() == null) {
              pause(200);
            }
            assertThat(ring.failure()).isNull();
          }
        });
  }

  /** Runs one plan to its end; the kinds of its actions. */
  private static List<String> run(NodeProvider provider, TiramolaSettings thresholds)
      throws EngineException {
    Settings settings =
        Settings.defaults()
            .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build())
            .with(thresholds)
            .with(GuardSettings.builder().cooldown(Duration.ZERO).actionLimit(ACTION_LIMIT).build())
            .with(Policies.TIRAMOLA);
    List<String> kinds = new ArrayList<>();
    LoopListener listener =
        new LoopListener() {
          @Override
          public void planned(Plan plan, boolean act) {
            plan.actions().forEach(a -> kinds.add(a.action().kind()));
          }
        };
    ControlLoop loop =
        new ControlLoop(
            engine,
            Optional.of(provider),
            settings,
            listener,
            SystemPorts.ports(),
            FaultPoints.NONE);
    Optional<Executor.Outcome> outcome = loop.run(true, 1, false);
    assertThat(outcome.orElseThrow().how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    return kinds;
  }
}
