package io.trimtab.runtime.provider;

import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.OperatorPlan;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.TestPlans;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Plans that somebody orders, on a cluster in memory. */
record OrderedPlan(InMemoryCluster cluster, MemoryState state, LoopListener listener) {
  /** Carries one out with a node provider. */
  Executor.Outcome carriedOut(NodeProvider provider, Action... actions) throws EngineException {
    ClusterSnapshot now = cluster.engine().snapshot();
    LoopContext context =
        new LoopContext(
            cluster.engine(),
            Optional.of(provider),
            Settings.defaults(),
            listener,
            SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> state),
            FaultPoints.NONE);
    return OperatorPlan.carryOut(
        context,
        "run --plan",
        new Decision.Act(TestPlans.of("p1", now, actions), PolicyState.INITIAL),
        UnaryOperator.identity(),
        () -> false);
  }
}
