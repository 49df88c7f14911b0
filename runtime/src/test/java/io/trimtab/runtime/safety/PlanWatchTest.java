package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.ports.JournalStore;
import io.trimtab.runtime.ports.MemoryJournalStore;
import io.trimtab.runtime.ports.MemoryState;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What held when a plan was made is asked again before each of its batches, and on resume. */
class PlanWatchTest extends SafetyFixture {
  @Test
  void aPlanEndsWhenABlackoutBegins() throws Exception {
    leave(here);
    LocalTime now = cluster.clock().instant().atZone(ZoneOffset.UTC).toLocalTime();
    settings =
        settings.with(
            GuardSettings.builder()
                .maxConcurrentMoves(1)
                .blackouts(List.of(now.plusMinutes(5) + "-" + now.plusMinutes(10)))
                .build());

    run(here, at("action-ended-2", () -> cluster.clock().advance(Duration.ofMinutes(6))));

    assertThat(ended).singleElement().asString().startsWith("abandoned").contains("blackout");
    assertThat(moves()).isEqualTo(2);
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(new BalancerState(true, true));
  }

  @Test
  void aPlanThatWasLeftMovesNoTableThatIsExcludedSince() throws Exception {
    leave(here);
    settings = settings.with(new TableSettings(null, List.of("*")));

    run(here, FaultPoints.NONE);

    assertThat(ended).singleElement().asString().startsWith("abandoned").contains("tables.deny");
    assertThat(moves()).isZero();
  }

  private void fill(double share) {
    try {
      for (NodeState node : cluster.engine().snapshot().nodes()) {
        cluster.setDisk(node.id(), new DiskSpace(1L << 40, (long) (share * (1L << 40)), 0));
      }
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPlanEndsWhenADiskFills() throws Exception {
    fill(0.5);
    leave(here);

    run(here, at("action-ended-2", () -> fill(0.81)));

    assertThat(ended).singleElement().asString().startsWith("abandoned").contains("maxDiskUsed");
    assertThat(moves()).isEqualTo(2);
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(new BalancerState(true, true));
  }

  @Test
  void aPlanThatWasLeftFillsNoDiskThatFilledSince() throws Exception {
    leave(here);
    fill(0.81);

    run(here, FaultPoints.NONE);

    assertThat(ended).singleElement().asString().startsWith("abandoned").contains("maxDiskUsed");
    assertThat(moves()).isZero();
  }

  @Test
  void aPlanEndsWhenItHasRunForTooLong() throws Exception {
    leave(here);
    settings =
        settings.with(
            GuardSettings.builder()
                .maxConcurrentMoves(1)
                .planLimit(Duration.ofMinutes(30))
                .build());

    run(here, at("action-ended-2", () -> cluster.clock().advance(Duration.ofMinutes(31))));

    assertThat(ended)
        .singleElement()
        .asString()
        .startsWith("abandoned")
        .contains("guard.planLimit");
    assertThat(moves()).isEqualTo(2);
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(new BalancerState(true, true));
  }

  /** The node that has nothing to do with a move. */
  private NodeId third(Action.Move move) throws EngineException {
    return cluster.engine().snapshot().nodes().stream()
        .map(n -> n.id())
        .filter(n -> !n.equals(move.from()) && !n.equals(move.to()))
        .findFirst()
        .orElseThrow();
  }

  /** An operator moves a partition after the second of the plan's actions. */
  private void runAndMove(PartitionId partition, NodeId to) throws EngineException {
    run(
        here,
        at(
            "action-ended-2",
            () -> {
              try {
                cluster.engine().move(partition, to, Duration.ofMinutes(1));
              } catch (EngineException e) {
                throw new AssertionError(e);
              }
            }));
  }

  @Test
  void aPlanEndsWhereAnOperatorHasMovedAPartition() throws Exception {
    Plan plan = leave(here);
    Action.Move fourth = (Action.Move) plan.actions().get(3).action();
    NodeId third = third(fourth);

    runAndMove(fourth.partition(), third);

    assertThat(ended).singleElement().asString().contains("was moved by somebody else");
    assertThat(at(fourth.partition())).isEqualTo(third);
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(new BalancerState(true, true));
  }

  /** Not only when the turn of that partition has come. */
  @Test
  void aPlanEndsBeforeItsNextActionWhereItsLastOneCanNotBeDoneAnyMore() throws Exception {
    Plan plan = leave(here);
    Action.Move last = (Action.Move) plan.actions().get(MOVES - 1).action();

    runAndMove(last.partition(), third(last));

    assertThat(ended).singleElement().asString().contains("was moved by somebody else");
    assertThat(moves()).isEqualTo(2 + 1);
  }

  @Test
  void aPlanEndsWhenItsTargetDiesAndTheClusterIsTidied() throws Exception {
    Plan plan = leave(here);
    NodeId victim = ((Action.Move) plan.actions().get(3).action()).to();

    run(here, at("action-ended-2", () -> cluster.kill(victim)));

    assertThat(ended).singleElement().asString().startsWith("abandoned");
    assertThat(moves()).isLessThanOrEqualTo(3);
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(new BalancerState(true, true));
  }

  /** From the third line of a plan on nothing can be written. */
  private static final class FullDisk extends MemoryState {
    private int free = 6;

    @Override
    protected JournalStore store(long epoch) {
      MemoryJournalStore lines = new MemoryJournalStore();
      return new JournalStore() {
        @Override
        public String name() {
          return "journal";
        }

        @Override
        public List<String> lines() {
          return lines.lines();
        }

        @Override
        public void append(String line) {
          if (free-- <= 0) {
            throw new UserError("journal: can't be written: No space left on device");
          }
          lines.append(line);
        }

        @Override
        public void close() {}
      };
    }
  }

  @Test
  void aFullDiskEndsThePlanAndTheClusterIsTidied() throws Exception {
    FullDisk full = new FullDisk();
    leave(elsewhere);

    assertThatThrownBy(() -> run(full, FaultPoints.NONE))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("No space left");

    assertThat(moves()).isBetween(1, MOVES - 1);
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(new BalancerState(true, true));
    // The end is known to the next controller although this machine could not write it down.
    assertThat(ControlDocuments.read(cluster.control()).open()).isEmpty();
  }
}
