package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.control.ControlDocuments;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Controllers that are lost, stopped, or can't write, and what the cluster has of it. */
@Tag("beside-others")
class TakeoverAutopilotIT extends AutopilotCluster {
  /** Begins nothing once its lock may be over, and what it leaves is finished by the other one. */
  @ParameterizedTest
  @EnumSource(
      value = Takeover.Loss.class,
      names = {"FREEZE", "CUT"})
  void aControllerOnAnotherHostTakesOverFromOneThatIsLost(Takeover.Loss loss) throws Exception {
    boolean frozen = loss == Takeover.Loss.FREEZE;
    Plan plan = shuffle(whole(s -> true), frozen ? ON : BalancerState.PAUSED);

    Takeover.Result result =
        new Takeover(home, labName(), engine).run(loss, 1_000, zookeeperPort());

    System.out.println(result);
    assertThat(result.outcome()).as("%s", result).startsWith("plan done");
    assertThat(result.lastBeganS()).as("%s", result).isLessThan(Takeover.LAST_BEGAN_MAX_S);
    assertThat(result.resumedS()).as("%s", result).isLessThan(Takeover.RESUMED_MAX_S);
    ClusterSnapshot after = whole(s -> true);
    assertMoved(after, plan);
    assertThat(after.balancer()).isEqualTo(frozen ? ON : BalancerState.PAUSED);
    engine.setBalancer(ON);
  }

  /** From a host that reaches the cluster and knows nothing of the controller's folder. */
  @Test
  void aStopThatIsAskedForInTheClusterIsObeyedWithinTwoSeconds() throws Exception {
    shuffle(whole(s -> true), BalancerState.PAUSED);

    double lastBeganS = new Takeover(home, labName(), engine).stop(1_000);

    System.out.println("last action began " + lastBeganS + " s after the request to stop");
    assertThat(lastBeganS).isLessThan(2);
    engine.setBalancer(ON);
  }

  /**
   * A small disk of its own; only root can have one. A file's last page of 4 KiB still takes what
   * fits into it, so that the plan has more actions than that.
   */
  @Test
  @EnabledIf("isRoot")
  void aControllerWhoseDiskIsFullPutsTheClusterRightAndEnds() throws Exception {
    int more = 30;
    try (SpareTable spare = SpareTable.create(lab.clientProperties(), "many", more)) {
      shuffle(whole(s -> s.partitions().size() == 9 + more));

      String failed = new Takeover(home, labName(), engine).fillDisk(1_000);

      assertThat(failed).contains("can't be written: No space left on device");
      assertThat(ControlDocuments.read(engine.shared()).open()).as("the end is known").isEmpty();
      assertThat(whole(s -> true).balancer()).isEqualTo(ON);
    }
  }

  static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }
}
