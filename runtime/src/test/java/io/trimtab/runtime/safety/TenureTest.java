package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TenureTest extends SafetyFixture {
  /** Held until it is asked to end. */
  private static final class Lapsing implements ControlLock {
    private boolean held = true;
    private boolean closed;

    @Override
    public long epoch() {
      return 5;
    }

    @Override
    public String holder() {
      return "me";
    }

    @Override
    public boolean held() {
      return held;
    }

    @Override
    public void write(String document, byte[] content) {}

    @Override
    public Set<String> stopRequests() {
      return Set.of();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** Frozen while it reads what others have left, long enough for a successor to begin. */
  @Test
  void oneThatLosesControlWhileItBeginsOpensNoJournal() {
    Lapsing lock = new Lapsing();
    SharedState slow =
        (SharedState)
            Proxy.newProxyInstance(
                SharedState.class.getClassLoader(),
                new Class<?>[] {SharedState.class},
                (proxy, verb, arguments) -> {
                  lock.held = false;
                  return verb.invoke(cluster.control(), arguments);
                });

    assertThatThrownBy(
            () ->
                Tenure.begin(
                    lock,
                    slow,
                    here,
                    new Entry.Took(cluster.clock().instant(), 5, "me", "1", "met", "", "")))
        .isInstanceOf(LostControlException.class);

    assertThat(here.lines()).isEmpty();
    assertThat(lock.closed).isTrue();
  }

  /** A plan begins that goes by requests alone. */
  private void begins(Tenure tenure, Plan plan) throws EngineException {
    tenure.record(
        new Entry.PlanStarted(
            cluster.clock().instant(),
            plan,
            cluster.engine().snapshot().balancer(),
            PolicyState.INITIAL,
            null,
            Origin.REQUESTS));
  }

  /** Each of them was killed at once: of the plan only what is with the cluster is known. */
  @Test
  void whatAPlanWentByIsKnownToWhoeverTakesOverAndToTheNextOne() throws Exception {
    Plan plan = plan();
    Instant end = cluster.clock().instant().plusSeconds(60);
    try (Tenure first = TestTenure.of(cluster.engine(), here)) {
      begins(first, plan);
    }
    try (Tenure second = TestTenure.of(cluster.engine(), elsewhere)) {
      assertThat(second.journal().unfinished().orElseThrow().from()).contains(Origin.REQUESTS);
      second.record(new Entry.PlanEnded(end, plan.id(), PlanOutcome.ABANDONED, "why"));
    }
    try (Tenure third = TestTenure.of(cluster.engine(), new MemoryState())) {
      assertThat(third.journal().unfinished()).isEmpty();
      assertThat(third.journal().stability().guesses()).containsExactly(end);
    }
  }

  /** The one before was killed between what it wrote there and what it gave the cluster. */
  @Test
  void whatAPlanWentByThatOnlyItsMachineKnowsIsGivenToTheCluster() throws Exception {
    try (Tenure first = TestTenure.of(cluster.engine(), here)) {
      begins(first, plan());
      first.lock().write(ControlDocuments.PLAN, new byte[0]);
    }
    TestTenure.of(cluster.engine(), here).close();
    try (Tenure third = TestTenure.of(cluster.engine(), elsewhere)) {
      assertThat(third.journal().unfinished().orElseThrow().from()).contains(Origin.REQUESTS);
    }
  }
}
