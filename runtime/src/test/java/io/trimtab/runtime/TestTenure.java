package io.trimtab.runtime;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.testkit.cluster.InMemoryCluster;

/** Control of a cluster, taken by a test. */
public final class TestTenure {
  private TestTenure() {}

  public static Tenure of(Engine engine, ClusterState state) throws EngineException {
    ControlLock lock = engine.takeControl("test");
    Entry.Took took = new Entry.Took(FakeEngine.NOW, lock.epoch(), lock.holder(), "1", "", "", "");
    return Tenure.begin(lock, engine.shared(), state, took);
  }

  /** What a controller does while it has control. */
  public interface Work {
    void on(Tenure tenure) throws EngineException;
  }

  /** Writes a plan down as begun by a controller that is gone. */
  public static void begun(InMemoryCluster cluster, ClusterState home, Plan plan)
      throws EngineException {
    begun(cluster, home, plan, tenure -> {});
  }

  /**
   * The same of one that had done something of it.
   *
   * @param work what it did, once the plan was written down
   */
  public static void begun(InMemoryCluster cluster, ClusterState home, Plan plan, Work work)
      throws EngineException {
    try (Tenure tenure = of(cluster.engine(), home)) {
      tenure.record(
          new Entry.PlanStarted(
              cluster.clock().instant(),
              plan,
              cluster.engine().snapshot().balancer(),
              PolicyState.INITIAL));
      work.on(tenure);
    }
  }
}
