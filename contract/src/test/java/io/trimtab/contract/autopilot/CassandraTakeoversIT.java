package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.CassandraCluster;
import io.trimtab.contract.KnownState;
import io.trimtab.contract.LiveCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.contract.autopilot.Takeover.Loss;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.lab.cluster.CassandraSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The long run of takeovers on a ring; see {@code ./trimtab test --takeovers}. */
@Tag("takeovers")
class CassandraTakeoversIT extends LiveCluster {
  private static final String LAB = "it-takeovers-ring";

  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;

  @BeforeAll
  static void up() throws Exception {
    cluster = CassandraCluster.up(LAB, home, 3, CassandraSettings.DEFAULTS);
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  @Test
  @Timeout(3600)
  void aPlanGoesOnWhereverItsControllerIsLost() throws Exception {
    LeftPlan.forget(
        engine(), new KnownState(cluster.lab(), engine(), 3, LIMIT).nodes().clusterId());
    underLoad(
        "takeovers",
        () ->
            new TakeoverRounds("Cassandra " + engine().snapshot().version(), Loss.HOST, Loss.FREEZE)
                .run(Path.of("../docs/experiments/TAKEOVER/cassandra.md"), this::takeOver));
  }

  private Takeover.Result takeOver(int round, Loss loss, long afterMs) throws Exception {
    int stepMiB = round % 2 == 0 ? 1 : -1;
    ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
    CassandraAutopilotIT.beginKeyCaches(engine(), before, stepMiB);

    Takeover.Result result = new Takeover(home, LAB, engine()).run(loss, afterMs, 0);

    assertThat(result.outcome()).as("%s", result).startsWith("plan done");
    CassandraAutopilotIT.assertKeyCaches(before, engine().snapshot(), stepMiB);
    return result;
  }
}
