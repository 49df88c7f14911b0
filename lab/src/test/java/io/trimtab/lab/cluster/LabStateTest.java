package io.trimtab.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.slot.LabSlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabStateTest {
  private static final Profile ODD = new Profile("CUSTOM", 0.33, 0.22, 48 << 10);

  @TempDir Path folder;

  private static LabState state() {
    LabConfig config = LabConfig.defaults().withSite(Map.of("a.key", "a value"));
    return new LabState(
        config,
        7,
        Owner.NONE,
        false,
        true,
        "cgroup v1",
        true,
        2,
        List.of(new LabState.Node(1, Profile.READ), new LabState.Node(2, ODD)));
  }

  @Test
  void whatIsWrittenIsRead() {
    Path file = folder.resolve("state.json");

    state().write(file);

    assertThat(LabState.read(file)).contains(state());
    assertThat(folder).isDirectoryContaining(path -> path.equals(file));
  }

  /** As the first release wrote it. */
  @Test
  void aRecordedStateIsRead() throws Exception {
    Path recorded = Path.of(LabStateTest.class.getResource("/recorded/state.json").toURI());
    LabState state = LabState.read(recorded).orElseThrow();
    assertThat(state.config().name()).isEqualTo("golden");
    assertThat(state.nodes()).hasSize(2);
    assertThat(state.isolated()).isTrue();
    Path again = folder.resolve("again.json");
    state.write(again);
    assertThat(again).hasSameTextualContentAs(recorded);
  }

  @Test
  void aLabThatIsNotThereHasNoState() {
    assertThat(LabState.read(folder.resolve("none.json"))).isEmpty();
  }

  @Test
  void aTornFileIsAnErrorThatNamesIt() throws IOException {
    Path file = Files.writeString(folder.resolve("state.json"), "{\"slot\": 7,");

    assertThatThrownBy(() -> LabState.read(file))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void anIndexIsNeverUsedAgain() {
    LabState three = state().withNode(new LabState.Node(3, Profile.SCAN));
    LabState removed = three.without(3);

    assertThat(removed.nodes()).hasSize(2);
    assertThat(removed.lastIndex()).isEqualTo(3);
    assertThat(removed.node(3)).isEmpty();
  }

  @Test
  void aNodesProfileIsReplacedInPlace() {
    LabState changed = state().withNode(new LabState.Node(1, Profile.WRITE));

    assertThat(changed.nodes())
        .containsExactly(new LabState.Node(1, Profile.WRITE), new LabState.Node(2, ODD));
  }

  @Test
  void nodesAreFoundByTheEnginesNameForThem() {
    LabState state = state();
    NodeId second = HBaseLab.id(state, state.nodes().get(1));

    assertThat(second.name()).isEqualTo("127.77.7.12:" + new LabSlot(7).regionServerPort());
    assertThat(HBaseLab.find(state, second).index()).isEqualTo(2);
    assertThatThrownBy(() -> HBaseLab.find(state, new NodeId("elsewhere:1")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("lab lab has no node elsewhere:1");
  }
}
