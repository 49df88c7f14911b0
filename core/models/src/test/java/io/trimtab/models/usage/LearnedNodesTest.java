package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LearnedNodesTest {
  private static LearnedCosts costs(double read) {
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 50; i++) {
      learner = learner.with(new CostSample(10.0 * i, 0, 0, 0, 0, 0.02 + read * 10 * i, 0));
    }
    return learner.costs();
  }

  @Test
  void nodesOfOneKindHaveItsCostsAndOthersThoseOfAll() {
    LearnedCosts small = costs(1e-3);
    LearnedCosts large = costs(2e-4);
    LearnedCosts all = costs(5e-4);
    LearnedNodes nodes = new LearnedNodes(Map.of("a", small, "b", small, "c", large), all);

    assertThat(nodes.of("b")).isSameAs(small);
    assertThat(nodes.of("new")).as("its kind is not known").isSameAs(all);
    assertThat(nodes.of(List.of("a", "b"))).isSameAs(small);
    assertThat(nodes.of(List.of("a", "c"))).isSameAs(all);
    assertThat(nodes.kinds(List.of("a", "b", "c"))).isEqualTo(2);
    assertThat(LearnedNodes.alike(large).of("any")).isSameAs(large);
    assertThat(LearnedNodes.alike(large).kinds(List.of("any", "other"))).isEqualTo(1);
  }
}
