package io.trimtab.experiments.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class E12Test {
  /** What an ordering leaves behind in caches and queues is left for each of the others once. */
  @Test
  void inSixRunsEachOrderingFollowsEachOtherOneOnce() {
    Set<String> pairs = new HashSet<>();
    int orderings = Ordering.values().length;
    for (int run = 0; run < orderings; run++) {
      Ordering[] order = E12.order(run);
      assertThat(order).containsExactlyInAnyOrder(Ordering.values());
      for (int i = 1; i < order.length; i++) {
        pairs.add(order[i - 1] + " then " + order[i]);
      }
    }
    assertThat(pairs).hasSize(orderings * (orderings - 1));
  }
}
