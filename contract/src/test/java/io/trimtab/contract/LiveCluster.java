package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.testkit.oracle.EngineVerbs;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Sample;
import io.trimtab.workload.Summary;
import io.trimtab.workload.Target;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What tests on a real cluster need: a snapshot to wait for, and a load whose data is verified. */
public abstract class LiveCluster {
  /** Of one action of a plan or one call of an engine. */
  protected static final Duration LIMIT = EngineVerbs.CALL_LIMIT;

  /** How long {@link #whole} waits, as a number of snapshots. */
  private static final int SNAPSHOTS = 600;

  private static final long PAUSE_MS = 500;

  /**
   * Requests a second of a load whose number does not matter: each is checked, and four times as
   * many took most of one of two cores from what is tested under them.
   */
  protected static final int LOAD_RATE = 100;

  /** How long the load goes on after what is tested under it. */
  private static final int SECONDS_AFTER = 2;

  /**
   * Whether a node that had partitions of its own has died. The node that opens them reads the dead
   * one's log first, and clients may wait for longer than their minute.
   */
  private boolean partitionsUnserved;

  protected abstract TestCluster cluster();

  protected final Lab lab() {
    return cluster().lab();
  }

  public final Engine engine() {
    return cluster().engine();
  }

  protected final Target target() {
    return cluster().target();
  }

  /**
   * One tenant of four partitions and 2,000 rows.
   *
   * @param rate requests a second; two busy cores can serve 400
   */
  protected static WorkloadSpec tenant(String name, String mix, int threads, int rate) {
    return WorkloadSpec.parse(
        "tenant",
        """
        tenants:
          - {name: %s, partitions: 4, records: 2000, fields: 2, fieldLength: 200,
             mix: {%s}, distribution: {kind: uniform}, threads: %d, targetRate: %d}
        """
            .formatted(name, mix, threads, rate));
  }

  protected final Map<String, AcknowledgedWrites> load(WorkloadSpec spec) throws IOException {
    Loader loader = new Loader(spec, target());
    loader.create(true);
    return loader.load((done, of) -> {});
  }

  /** Waits for a snapshot without gaps and blockers, all partitions served, and as expected. */
  public final ClusterSnapshot whole(Predicate<ClusterSnapshot> expected) throws EngineException {
    ClusterSnapshot now = engine().snapshot();
    for (int i = 0; i < SNAPSHOTS; i++) {
      if (now.gaps().isEmpty()
          && now.partitionsInTransition() == 0
          && now.blockers().isEmpty()
          && now.partitions().stream().allMatch(p -> p.node().isPresent())
          && expected.test(now)) {
        return now;
      }
      pause(PAUSE_MS);
      now = engine().snapshot();
    }
    throw new AssertionError(
        "not as expected after five minutes: gaps %s, %d in transition, blockers %s, live %s; %s"
            .formatted(
                now.gaps(),
                now.partitionsInTransition(),
                now.blockers(),
                now.liveNodes().stream().map(NodeState::id).toList(),
                now));
  }

  protected static void pause(long ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Says that a request may fail in this test, because a node with partitions is killed. */
  protected final void partitionsGoUnserved() {
    partitionsUnserved = true;
  }

  protected final void underLoad(String name, Work work) throws Exception {
    underLoad(tenant(name, "read: 0.7, update: 0.3", 3, LOAD_RATE), samples -> {}, work);
  }

  /** Every read must be right and every acknowledged write must be there, during and after it. */
  protected final void underLoad(WorkloadSpec spec, Consumer<List<Sample>> listener, Work work)
      throws Exception {
    serving(spec, listener, load -> work.run());
  }

  /** As {@link #underLoad(WorkloadSpec, Consumer, Work)}, for what changes the load as it goes. */
  protected final void underChangingLoad(WorkloadSpec spec, ChangingWork work) throws Exception {
    serving(spec, samples -> {}, work);
  }

  private void serving(WorkloadSpec spec, Consumer<List<Sample>> listener, ChangingWork work)
      throws Exception {
    Map<String, AcknowledgedWrites> ledgers = load(spec);
    try (WorkloadRun run = WorkloadRun.start(spec, target(), ledgers, listener)) {
      work.run(run);
      finish(run);
    }
    assertThat(new Verifier(target()).verify(spec, ledgers).right()).isTrue();
  }

  /** Ends a load, which must have been served to its end without a wrong or lost value. */
  protected final void finish(WorkloadRun run) throws InterruptedException {
    int from = run.seconds();
    while (run.seconds() < from + SECONDS_AFTER) {
      pause(100);
    }
    run.stop();
    for (Summary tenant : run.summaries()) {
      assertThat(tenant.wrong() + tenant.lost()).as("%s", tenant).isZero();
      if (!partitionsUnserved) {
        assertThat(tenant.errors()).as("failed for longer than a minute: %s", tenant).isZero();
      }
      double[] served = run.opsPerSecond().get(tenant.tenant());
      assertThat(served[served.length - 1]).as("%s at the end", tenant.tenant()).isPositive();
    }
  }

  /** What is done while clients read and write. */
  public interface Work {
    void run() throws Exception;
  }

  /** The same where it also changes how much they ask for. */
  public interface ChangingWork {
    void run(WorkloadRun load) throws Exception;
  }
}
