package io.trimtab.runtime.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.control.FirstAnswer;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.testkit.TestPlans;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import io.trimtab.testkit.provider.PassingProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of a plan whose node provider answers nonsense: it is refused only if nothing was changed. */
@Timeout(60)
class FirstAnswerTest {
  private static final String SAID = "provider program p add: its answer is not JSON: done";
  private static final Action ADD = new Action.AddNode(1, Profile.HOMOGENEOUS);

  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(1, 3, TableSpec.of("t", 6, 64L << 20, Access.reads(30))));
  private final MemoryState state = new MemoryState();

  /** One that starts nothing. */
  private static class Senseless extends PassingProvider {
    Senseless(NodeProvider provider) {
      super(provider);
    }

    @Override
    public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
        throws EngineException {
      throw new UnusableAnswerException(SAID);
    }
  }

  /** One that can't even tell what it has started. */
  private static final class Speechless extends Senseless {
    Speechless(NodeProvider provider) {
      super(provider);
    }

    @Override
    public List<Machine> machines() throws EngineException {
      throw new UnusableAnswerException("its list is empty");
    }
  }

  /** One that fails while it starts something, and answers nonsense when it is asked again. */
  private static final class Failing extends Senseless {
    private boolean failed;

    Failing(NodeProvider provider) {
      super(provider);
    }

    @Override
    public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
        throws EngineException {
      if (!failed) {
        failed = true;
        throw new EngineException("the connection was cut");
      }
      return super.add(requestId, profile, tokens, limit);
    }
  }

  /** One that starts what it is asked for all the same. */
  private static final class Mumbling extends PassingProvider {
    Mumbling(NodeProvider provider) {
      super(provider);
    }

    @Override
    public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
        throws EngineException {
      NodeId started = super.add(requestId, profile, tokens, limit);
      throw new UnusableAnswerException(SAID + " " + started);
    }
  }

  private Executor.Outcome carriedOut(NodeProvider provider, Action... actions)
      throws EngineException {
    return new OrderedPlan(cluster, state, LoopListener.SILENT).carriedOut(provider, actions);
  }

  @Test
  void aPlanThatBeginsWithItIsRefused() throws EngineException {
    BalancerState before = cluster.engine().snapshot().balancer();

    assertThatThrownBy(() -> carriedOut(new Senseless(cluster.provider()), ADD))
        .isInstanceOf(EngineException.class)
        .hasMessage(SAID + "; nothing was changed");

    ClusterSnapshot after = cluster.engine().snapshot();
    assertThat(after.nodes()).hasSize(3);
    assertThat(after.balancer()).isEqualTo(before);
    // For a successor it is a plan as any other that has ended.
    assertThat(state.recorded())
        .filteredOn(Entry.PlanEnded.class::isInstance)
        .singleElement()
        .satisfies(
            end -> assertThat(((Entry.PlanEnded) end).outcome()).isEqualTo(PlanOutcome.ABANDONED));
  }

  /** What the first try began nobody knows. */
  @Test
  void aPlanWhoseFirstTryFailedOtherwiseHasFailed() throws EngineException {
    Executor.Outcome outcome = carriedOut(new Failing(cluster.provider()), ADD);

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.ABANDONED);
    assertThat(outcome.why()).contains("the connection was cut; tried again: " + SAID);
  }

  @Test
  void itIsToldWhereNobodyKnowsWhetherAMachineWasStarted() {
    assertThatThrownBy(() -> carriedOut(new Speechless(cluster.provider()), ADD))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            SAID
                + "; the cluster was not changed, but whether a machine was started is not known:"
                + " its list is empty");
  }

  @Test
  void aPlanOfWhichAStepWasDoneHasFailed() throws EngineException {
    PartitionState moved = cluster.engine().snapshot().partitions().get(0);
    NodeId from = moved.node().orElseThrow();
    NodeId to =
        cluster.engine().snapshot().nodes().stream()
            .map(NodeState::id)
            .filter(node -> !node.equals(from))
            .findFirst()
            .orElseThrow();
    Executor.Outcome outcome =
        carriedOut(new Senseless(cluster.provider()), new Action.Move(moved.id(), from, to), ADD);

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.ABANDONED);
    assertThat(outcome.why()).contains(SAID);
  }

  @Test
  void aPlanForWhichAMachineWasStartedHasFailed() throws EngineException {
    Executor.Outcome outcome = carriedOut(new Mumbling(cluster.provider()), ADD);

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.ABANDONED);
    assertThat(cluster.provider().machines()).as("it was given back").isEmpty();
  }

  /** Its first request to the provider stores a profile, the second one restarts the node. */
  @Test
  void ofARestartNobodyKnowsHowFarItCame() throws EngineException {
    NodeId node = new NodeId("n1:1");
    Action restart =
        new Action.Reconfigure(node, Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.RESTART);

    assertThat(answer(new UnusableAnswerException(SAID), restart)).isEmpty();
    Action replace = new Action.ReplaceNode(1, node, Profile.READ);
    assertThat(answer(new UnusableAnswerException(SAID), replace)).isPresent();
    assertThat(answer(new EngineException("no machine is left"), replace)).isEmpty();
  }

  /** Of a plan whose only action was begun. */
  private Optional<FirstAnswer> answer(EngineException failed, Action action)
      throws EngineException {
    ClusterSnapshot now = cluster.engine().snapshot();
    Journal.Unfinished open =
        Journal.Unfinished.of(
            new Entry.PlanStarted(
                now.takenAt(),
                TestPlans.of("p1", now, action),
                now.balancer(),
                PolicyState.INITIAL));
    open.begun().put(1, now.takenAt());
    return FirstAnswer.of(failed, Optional.of(open), Optional.of(cluster.provider()));
  }
}
