package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.AutopilotPolicyTest;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChoicesTest {
  /** What is foreseen is looked at more often than anything is chosen. */
  @Test
  void nothingIsSearchedForBeforeItIsAskedFor() throws Exception {
    DecisionContext context =
        new DecisionContext(
            AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode()),
            PolicyState.INITIAL,
            Settings.defaults());
    AtomicInteger searched = new AtomicInteger();
    Generator generator =
        (now, evaluator) -> {
          searched.incrementAndGet();
          return List.of();
        };
    Choices choices =
        new Choices(new Choices.Situation(context), context.soon(), 0.7, List.of(generator));

    assertThat(choices.mostNow()).isGreaterThan(0.8);
    assertThat(searched).hasValue(0);

    Choices.Settled settled =
        choices.settle(
            chosen -> {
              throw new AssertionError("there is nothing to choose");
            },
            Policy.Veto.NONE);
    assertThat(searched).hasValue(1);
    assertThat(settled.act()).isEmpty();
    assertThat(settled.refusal()).isEmpty();
  }
}
