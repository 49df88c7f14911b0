package io.trimtab.runtime.emptied;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.OperatorRelease;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A command that is killed between any two steps is followed by somebody who puts all back. */
@Timeout(120)
class KilledOutOfServiceTest {

  /** A cluster, and a command that is killed once. */
  private static final class Run extends EmptiedFixture {
    private final List<String> points = new ArrayList<>();
    private final Map<PartitionId, NodeId> before = placement();

    /**
     * @param fatal the index of the point at which it is killed; none if it is negative
     */
    void run(int fatal) throws EngineException {
      during(
          point -> {
            points.add(point);
            if (points.size() - 1 == fatal) {
              killed();
            }
          },
          () -> false,
          work());
    }

    private void killed() {
      cluster.control().lose();
      throw new Killed();
    }

    void release() throws EngineException {
      OperatorRelease.release(
          cluster.engine(), Optional.empty(), false, LoopListener.SILENT, ports(elsewhere));
    }

    /** Whoever puts back after it dies at each point, where none before has died. */
    int putBackByMany(Set<String> died) throws EngineException {
      FaultPoints faults =
          point -> {
            if (died.add(point)) {
              killed();
            }
          };
      for (int deaths = 0; ; deaths++) {
        try {
          OutOfService.putBack(context(elsewhere, faults), COMMAND, made::remove);
          return deaths;
        } catch (Killed e) {
          assertThat(deaths).isLessThan(100);
        }
      }
    }
  }

  /** Who comes next. */
  enum Successor {
    COMMAND {
      @Override
      void follow(Run run) throws EngineException {
        run.putBack();
      }
    },
    AUTOPILOT {
      @Override
      void follow(Run run) throws EngineException {
        run.autopilot(false);
        run.assertBack(run.before);
        run.putBack();
      }
    },
    AUTOPILOT_THAT_ABANDONS {
      @Override
      void follow(Run run) throws EngineException {
        run.autopilot(true);
        run.assertBack(run.before);
        run.putBack();
      }
    },
    RELEASE {
      @Override
      void follow(Run run) throws EngineException {
        run.release();
        run.assertBack(run.before);
        run.putBack();
      }
    };

    abstract void follow(Run run) throws EngineException;
  }

  @ParameterizedTest
  @EnumSource(Successor.class)
  void killedAtAnyPointItIsPutBackByWhoComesNext(Successor successor) throws Exception {
    Run whole = new Run();
    whole.run(-1);
    whole.assertWhole(whole.before);
    assertThat(whole.points)
        .contains(
            "balancer-held",
            "emptied-kept",
            "plan-started",
            "action-ended-2",
            "emptied",
            "work-ended",
            "put-back",
            "moved-back",
            "moved-back-kept",
            "tables-dropped",
            "tables-dropped-kept",
            "balancer-released");
    for (int i = 0; i < whole.points.size(); i++) {
      int fatal = i;
      Run run = new Run();
      assertThatThrownBy(() -> run.run(fatal)).isInstanceOf(EmptiedFixture.Killed.class);

      successor.follow(run);

      try {
        run.assertWhole(run.before);
      } catch (AssertionError e) {
        throw new AssertionError("killed at %s, number %d".formatted(run.points, i), e);
      }
    }
  }

  @Test
  void commandsThatAllDiePutEverythingBackTogether() throws Exception {
    Run run = new Run();
    Run whole = new Run();
    whole.run(-1);
    assertThatThrownBy(() -> run.run(whole.points.indexOf("emptied")))
        .isInstanceOf(EmptiedFixture.Killed.class);
    assertThat(run.served()).isEmpty();
    Set<String> died = new HashSet<>();

    int deaths = run.putBackByMany(died);

    assertThat(died).hasSize(deaths).contains("moved-back", "tables-dropped", "balancer-released");
    run.assertWhole(run.before);
  }
}
