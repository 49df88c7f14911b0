package io.trimtab.contract.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.CassandraCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.testkit.moto.Moto;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AutoClose;
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
 * Policy, provider, the EC2 API, a real ring and its load: when that rises the autopilot adds a
 * node, and when it falls it gives one back, by asking a moto server for machines, on which real
 * nodes boot. See {@code ./trimtab test --ec2}.
 */
@Tag("ec2")
class Ec2RingIT extends ProvidedRing {
  private static final String LAB = "it-ec2-ring";

  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;
  @AutoClose private static Ec2Client api;
  private static URI address;

  @BeforeAll
  static void up() throws IOException, EngineException, InterruptedException {
    Moto moto = Moto.shared();
    moto.reset();
    address = moto.address();
    cluster = CassandraCluster.up(LAB, home, 3, CassandraSettings.DEFAULTS, ProvidedRing::limited);
    cluster.lab().limitNodes(true);
    api =
        Ec2Client.builder()
            .endpointOverride(address)
            .region(Region.EU_WEST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build();
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  private NodeProvider provider(int port) throws IOException {
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
    return provider(yaml, home);
  }

  @Test
  void theLoadHasTheAutopilotAddANodeThroughTheApiAndGiveOneBack() throws Exception {
    fromLowLoad(
        "ec2_ring",
        load -> {
          ClusterSnapshot three = whole(s -> s.liveNodes().size() == 3);
          NodeProvider provider = provider(port(three));
          try (BootedRing ring = new BootedRing(api, cluster.lab(), three.clusterId())) {
            assertThat(provider.spare()).isEqualTo(1);
            assertThat(grow(provider, load)).contains("add-node");

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

            assertThat(shrink(provider, load)).containsExactly("remove-node");
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
}
