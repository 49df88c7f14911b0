package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.journal.PlanOutcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A stop is asked for before each action of a batch, not only before the batch. */
class StopInABatchTest extends SafetyFixture {
  private final List<String> points = new ArrayList<>();
  private ControlLoop loop;

  private List<String> begun() {
    return points.stream().filter(point -> point.startsWith("action-started-")).toList();
  }

  private void run(FaultPoints faults) throws Exception {
    settings = settings.with(GuardSettings.builder().maxNodes(3).maxConcurrentMoves(MOVES).build());
    leave(here);
    loop =
        loop(
            here,
            point -> {
              points.add(point);
              faults.reached(point);
            });
    loop.run(true, 0, false);
  }

  @Test
  void theMovesOfABatchBeginTogether() throws Exception {
    run(FaultPoints.NONE);

    assertThat(points.indexOf("action-started-2")).isLessThan(points.indexOf("action-ended-1"));
    assertThat(begun()).hasSize(MOVES);
  }

  @Test
  void noneBeginsAfterAStopThatCameWhileTheOneBeforeBegan() throws Exception {
    run(
        point -> {
          if (point.equals("action-started-1")) {
            loop.stop();
          }
        });

    assertThat(begun()).containsExactly("action-started-1");
    assertThat(ended).singleElement().asString().startsWith(PlanOutcome.STOPPED.toString());
  }
}
