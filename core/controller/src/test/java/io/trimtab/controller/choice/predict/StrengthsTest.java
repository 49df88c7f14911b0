package io.trimtab.controller.choice.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrengthsTest {
  private static NodeState node(double cores, double readsPerSecond) {
    NodeState node = RandomCluster.node(new NodeId("a:1"), Profile.READ, true);
    NodeUsage used =
        new NodeUsage(0.5, 0, 0, 1, WaitSource.UNKNOWN, new NodeLimits(cores, readsPerSecond));
    return node.with(used, node.gauges());
  }

  @Test
  void cpuAndDiskCountApartWhereTheyAreToldApart() {
    List<NodeState> nodes = List.of(node(4, 300), node(4, 300), node(16, 150));
    Strengths strengths = Strengths.of(nodes, true);

    assertThat(strengths.cpu(2)).isEqualTo(0.25);
    assertThat(strengths.disk(2)).isEqualTo(2);
    assertThat(strengths.cpu(0)).isEqualTo(1);
    assertThat(strengths.disk(1)).isEqualTo(1);
  }

  /** It is not known which of the two a request uses. */
  @Test
  void elseTheWeakerOneCountsForBoth() {
    Strengths strengths = Strengths.of(List.of(node(4, 300), node(4, 300), node(16, 300)), false);

    assertThat(strengths.cpu(2)).isEqualTo(1);
    assertThat(strengths.disk(2)).isEqualTo(1);
  }

  @Test
  void aNodeThatIsAddedIsAsWeakAsTheWeakest() {
    List<NodeState> nodes = List.of(node(4, Double.NaN), node(4, Double.NaN), node(2, Double.NaN));

    assertThat(Strengths.of(nodes, true).cpu(3)).isEqualTo(2);
  }

  /** No limit says nothing of what a disk can do. */
  @Test
  void whatNobodyTellsIsUsual() {
    List<NodeState> nodes = List.of(node(Double.NaN, 0), node(4, 200), node(4, Double.NaN));
    Strengths strengths = Strengths.of(nodes, true);

    assertThat(strengths.cpu(0)).isEqualTo(1);
    assertThat(strengths.disk(0)).isEqualTo(1);
    assertThat(strengths.disk(2)).isEqualTo(1);
  }
}
