package io.trimtab.runtime.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import io.trimtab.testkit.provider.PassingProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of a cluster that was there before its provider, which has started one of the nodes only. */
@Timeout(60)
class StrangerNodesTest {
  private static final String RULE = "it restarts only what it has started";

  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(1, 3, TableSpec.of("t", 6, 64L << 20, Access.reads(30))));
  private final MemoryState state = new MemoryState();
  private final List<String> told = new ArrayList<>();
  private NodeId own;
  private NodeId stranger;

  @BeforeEach
  void nodesAreThere() throws EngineException {
    own = cluster.engine().snapshot().nodes().get(0).id();
    stranger = cluster.engine().snapshot().nodes().get(1).id();
  }

  /** By a provider that has started one of the nodes. */
  private Executor.Outcome carriedOut(Action... actions) throws EngineException {
    return carriedOut(
        new BoundProvider(
            cluster.provider(),
            Removable.ALL,
            NodeCapacity.Reconfigurable.only(List.of(own), RULE)),
        actions);
  }

  private Executor.Outcome carriedOut(NodeProvider provider, Action... actions)
      throws EngineException {
    LoopListener listener =
        new LoopListener() {
          @Override
          public void ended(PlannedAction action, int of, ActionOutcome outcome, String detail) {
            told.add(outcome + " " + detail);
          }
        };
    return new OrderedPlan(cluster, state, listener).carriedOut(provider, actions);
  }

  private static Action online(NodeId node) {
    return new Action.Reconfigure(node, Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.ONLINE);
  }

  private Optional<Profile> profile(NodeId node) throws EngineException {
    return cluster.engine().snapshot().node(node).flatMap(NodeState::profile);
  }

  private String lasts() {
    String why = "node " + stranger + " was not started by this provider";
    return "node " + stranger + " has profile READ until its next restart: " + why;
  }

  @Test
  void aChangeOfSuchANodeIsDoneAndItIsToldHowLongItLasts() throws EngineException {
    Executor.Outcome outcome = carriedOut(online(stranger), online(own));

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    assertThat(told).containsExactly(ActionOutcome.DONE + " " + lasts(), ActionOutcome.DONE + " ");
    assertThat(profile(stranger)).contains(Profile.READ);
    assertThat(profile(own)).contains(Profile.READ);
    assertThat(cluster.unpersisted()).containsExactly(stranger);
  }

  /** The plan after it would wait for a clean-up that never succeeds. */
  @Test
  void aPlanThatFailsLaterIsTidiedUpAllTheSame() throws EngineException {
    PartitionState moved = cluster.engine().snapshot().partitions().get(0);
    NodeId from = moved.node().orElseThrow();
    NodeId to = from.equals(own) ? stranger : own;
    cluster.faults().always(Faults.Verb.MOVE, Faults.Kind.FAIL);
    Executor.Outcome outcome = carriedOut(online(stranger), new Action.Move(moved.id(), from, to));

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.ABANDONED);
    assertThat(told).first().isEqualTo(ActionOutcome.DONE + " " + lasts());
    assertThat(profile(stranger)).contains(Profile.READ);
  }

  @Test
  void aProfileOfItsOwnNodeIsStoredAtTheNextTry() throws EngineException {
    cluster.faults().on(Faults.Verb.PERSIST, 1, Faults.Kind.FAIL);
    assertThat(carriedOut(online(own)).how()).isEqualTo(PlanOutcome.DONE);
    assertThat(cluster.unpersisted()).isEmpty();
  }

  /**
   * As one that takes the first host on which nothing runs: to retire the dead one would end it.
   */
  @Test
  void aDeadNodeThatWasStartedAgainInsteadIsNotTakenAway() throws EngineException {
    cluster.kill(stranger);
    // Its partitions are served by the others.
    cluster.clock().advance(Duration.ofMinutes(2));
    List<NodeId> removed = new ArrayList<>();
    NodeProvider again =
        new PassingProvider(cluster.provider()) {
          @Override
          public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit) {
            return dead;
          }

          @Override
          public void remove(NodeId node, Duration limit) {
            removed.add(node);
          }
        };

    Executor.Outcome outcome =
        carriedOut(again, new Action.ReplaceNode(1, stranger, Profile.HOMOGENEOUS));

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.ABANDONED);
    assertThat(outcome.why()).contains("has started dead node " + stranger + " again");
    assertThat(removed).isEmpty();
  }

  /** One that can't tell which nodes are its own, and has a say in all. */
  private static final class Away extends PassingProvider {
    private static final String WHY = "the cloud does not answer";

    Away(NodeProvider provider) {
      super(provider);
    }

    @Override
    public int spare() {
      return 0;
    }

    @Override
    public NodeCapacity offer() {
      return NodeCapacity.untold(WHY);
    }

    @Override
    public NodeCapacity capacity() throws EngineException {
      throw new EngineException(WHY);
    }
  }

  /** Otherwise its own node would be taken for another's, and have its old profile again later. */
  @Test
  void aProfileIsStoredAtTheNextTryWhereNobodyTellsWhoseTheNodeIs() throws EngineException {
    cluster.faults().on(Faults.Verb.PERSIST, 1, Faults.Kind.FAIL);
    Executor.Outcome outcome = carriedOut(new Away(cluster.provider()), online(own));

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    assertThat(told).containsExactly(ActionOutcome.DONE + " ");
    assertThat(cluster.unpersisted()).isEmpty();
  }

  /** It would be emptied first, and only then be refused by the provider. */
  @Test
  void aRestartOfSuchANodeIsRefusedBeforeAnythingIsDone() throws EngineException {
    Action restart =
        new Action.Reconfigure(
            stranger, Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.RESTART);

    assertThatThrownBy(() -> carriedOut(new Action.DrainNode(stranger), restart))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "the plan restarts node %s with another profile, which the node provider can't do: %s;"
                    .formatted(stranger, RULE)
                + " the setting: place.way");
    assertThat(told).isEmpty();
    assertThat(cluster.engine().snapshot().nodes()).noneMatch(NodeState::draining);
  }
}
