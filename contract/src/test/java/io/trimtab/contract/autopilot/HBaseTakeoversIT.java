package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.autopilot.Takeover.Loss;
import io.trimtab.engineapi.plan.Plan;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The long run of takeovers on HBase; see {@code ./trimtab test --takeovers}. */
@Tag("takeovers")
class HBaseTakeoversIT extends AutopilotCluster {
  @Test
  @Timeout(3600)
  void aPlanGoesOnWhereverItsControllerIsLost() throws Exception {
    new TakeoverRounds("HBase " + engine.snapshot().version(), Loss.HOST, Loss.FREEZE, Loss.CUT)
        .run(
            Path.of("../docs/experiments/TAKEOVER/hbase.md"),
            (round, loss, afterMs) -> {
              Plan plan = shuffle(whole(s -> true));
              Takeover takeover = new Takeover(home, labName(), engine);

              Takeover.Result result = takeover.run(loss, afterMs, zookeeperPort());

              assertThat(result.outcome()).as("%s", result).startsWith("plan done");
              assertMoved(whole(s -> true), plan);
              return result;
            });
  }
}
