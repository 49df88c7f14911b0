package io.trimtab.contract.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.contract.SlowedNode;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * HBase is balancing when its balancer is to be switched off, for as long as a server that is to
 * take regions stands still.
 *
 * @param first waits for the end
 * @param second is told to end while it waits, and gives the balancer back
 */
record OwnBalancing(HBaseEngine first, HBaseEngine second, HBaseLab lab) {
  private static final BalancerState ON = new BalancerState(true, false);
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** A wait for something, in a thread of its own. */
  private static final class Wait extends FutureTask<Boolean> {
    private final Thread thread;

    private Wait(String name, Callable<Boolean> work) {
      super(work);
      this.thread = new Thread(this, name);
      thread.start();
    }

    static Wait of(HBaseEngine engine) {
      return new Wait(
          "pause",
          () -> {
            engine.pauseBalancer(LIMIT);
            return true;
          });
    }
  }

  /**
   * @param node with fewer regions than others
   */
  void isWaitedForAndComesToNothingLater(NodeId node) throws Exception {
    long pid =
        lab.nodes().stream()
            .filter(some -> some.id().equals(node))
            .findFirst()
            .orElseThrow()
            .pid("regionserver")
            .orElseThrow();
    Configuration patient = lab.client().configuration();
    patient.set("hbase.rpc.timeout", Long.toString(LIMIT.toMillis()));
    patient.set("hbase.client.operation.timeout", Long.toString(LIMIT.toMillis()));
    try (Connection connection = ConnectionFactory.createConnection(patient);
        Admin master = connection.getAdmin()) {
      // Not while a server is dead or a region in transition.
      while (!master.balance(BalanceRequest.newBuilder().setDryRun(true).build()).isBalancerRan()) {
        TimeUnit.MILLISECONDS.sleep(500);
      }
      first.setBalancer(ON);
      Wait balances;
      Wait pause;
      try (SlowedNode standing = SlowedNode.standing(pid)) {
        balances = new Wait("balance", master::balance);
        while (master
            .getClusterMetrics(EnumSet.of(Option.REGIONS_IN_TRANSITION))
            .getRegionStatesInTransition()
            .isEmpty()) {
          assertThat(balances).isNotDone();
          TimeUnit.MILLISECONDS.sleep(20);
        }

        pause = Wait.of(first);
        while (master.isBalancerEnabled()) {
          assertThat(pause).isNotDone();
          TimeUnit.MILLISECONDS.sleep(20);
        }
        Wait stopped = Wait.of(second);
        TimeUnit.MILLISECONDS.sleep(500);
        assertThat(stopped).isNotDone();
        stopped.thread.interrupt();
        assertThatThrownBy(() -> stopped.get(10, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(EngineException.class)
            .hasMessageContaining("interrupted");
        second.setBalancer(ON);

        assertThat(balances).as("it was all done meanwhile").isNotDone();
        assertThat(pause).isNotDone();
      }
      // Switched on meanwhile, it is switched off once more.
      assertThat(pause.get(5, TimeUnit.MINUTES)).isTrue();
      assertThat(master.isBalancerEnabled()).isFalse();
      assertThat(balances.get(5, TimeUnit.SECONDS)).isTrue();
      second.setBalancer(ON);
      // What waited in the master would take effect now.
      TimeUnit.SECONDS.sleep(2);
      assertThat(master.isBalancerEnabled()).isTrue();
      first.pauseBalancer(LIMIT);
      assertThat(master.isBalancerEnabled()).isFalse();
    }
  }
}
