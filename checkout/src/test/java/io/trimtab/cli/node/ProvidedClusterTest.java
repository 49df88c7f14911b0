package io.trimtab.cli.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cli.MemoryHandle;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderSection;
import io.trimtab.providers.ProviderSettings;
import io.trimtab.runtime.control.MachineMark;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By which id a provider marks and finds a cluster's machines. */
final class ProvidedClusterTest {
  private static final String MARK = "slo-shop-1a2b3c4d";

  @TempDir private Path home;

  private final InMemoryCluster cluster =
      new InMemoryCluster(ClusterSpec.assigned(5, 2), new VirtualClock(Instant.now()));

  /** What the provider was told of the cluster. */
  private ProviderContext context;

  private final class Settings implements ProviderSettings {
    @Override
    public NodeProvider provider(ProviderContext given) {
      context = given;
      return cluster.provider();
    }
  }

  @BeforeEach
  void home() {
    System.setProperty("trimtab.home", home.toString());
  }

  @AfterEach
  void noHome() {
    System.clearProperty("trimtab.home");
  }

  private ProvidedCluster provided() {
    ProvidedCluster made =
        new ProvidedCluster(
            new MemoryHandle("toy", cluster), new ProviderSection("toy", new Settings()));
    assertThat(made.provider(line -> {})).isPresent();
    return made;
  }

  private void marked() throws EngineException {
    try (ControlLock lock = cluster.control().take("slo provision")) {
      lock.write(MachineMark.DOCUMENT, new MachineMark(MARK, "shop").content());
    }
  }

  @Test
  void machinesHaveTheClustersOwnId() throws EngineException {
    provided().connect();

    assertThat(context.clusterId()).isEqualTo("in-memory-5");
    assertThat(context.look().nodes()).hasSize(2);
    assertThat(context.folder().getParent()).isEqualTo(StateDir.of("in-memory-5").folder());
  }

  /** Those that were there before the cluster are found, and further ones marked like them. */
  @Test
  void orThatWithWhichTheyWereStarted() throws EngineException, IOException {
    marked();
    provided().connect();
    assertThat(context.clusterId()).isEqualTo(MARK);
    assertThat(context.folder().getParent()).isEqualTo(StateDir.of(MARK).folder());

    // On the host that has made the cluster, what people were asked for is where it was.
    Path founded = Files.createDirectories(home.resolve("provisioned").resolve(MARK));
    assertThat(context.folder().getParent()).isEqualTo(founded);
    assertThat(MachineFolder.of(cluster.control(), "in-memory-5")).isEqualTo(founded);
  }

  /** A cloud finds the machines of a cluster that is made, and has stopped, by it. */
  @Test
  void theIdOfAClusterThatIsMadeIsKnownThoughNobodyAnswers() throws EngineException {
    ProvidedCluster made =
        new ProvidedCluster(
            new MemoryHandle("toy", cluster), new ProviderSection("toy", new Settings()));
    assertThat(
            made.provider(
                MARK,
                () -> {
                  throw new EngineException("toy: no answer");
                },
                line -> {}))
        .isPresent();

    assertThat(context.clusterId()).isEqualTo(MARK);
    assertThatThrownBy(() -> context.look()).hasMessage("toy: no answer");
  }

  @Test
  void aMarkThatCantBeReadIsNotTakenForNone() throws EngineException {
    cluster.control().damage(MachineMark.DOCUMENT, "a part is missing");
    provided().connect();

    assertThatThrownBy(() -> context.look())
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("document 'machines'")
        .hasMessageContaining("a part is missing");
  }
}
