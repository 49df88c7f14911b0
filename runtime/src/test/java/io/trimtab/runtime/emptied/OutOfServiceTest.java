package io.trimtab.runtime.emptied;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.OperatorPlan;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.control.UnreadableStateException;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node is alone while it is measured, and everything is put back, however that ends. */
@Timeout(60)
class OutOfServiceTest extends EmptiedFixture {
  private final Map<PartitionId, NodeId> before = placement();

  @Test
  void theNodeServesNothingMeanwhileAndEverythingIsBackAfterwards() throws Exception {
    assertThat(served()).hasSize(2);

    Executor.Outcome outcome = during(work());

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    assertThat(cluster.faults().calls(Verb.MOVE)).isEqualTo(4);
    assertWhole(before);
  }

  @Test
  void whatCanNotBePutBackByAnybodyElseIsKeptBeforeAnythingMoves() throws Exception {
    during(
        point -> {
          if (point.equals("emptied-kept")) {
            assertThat(placement()).isEqualTo(before);
            try {
              assertThat(ControlDocuments.emptied(cluster.control()))
                  .hasValueSatisfying(
                      left -> {
                        assertThat(left.home()).isEqualTo(served());
                        assertThat(left.tables()).isEqualTo(TABLES);
                        assertThat(left.node()).isEqualTo(node);
                        assertThat(left.by()).startsWith(COMMAND);
                      });
            } catch (EngineException e) {
              throw new AssertionError(e);
            }
          }
        },
        () -> false,
        work());
    assertWhole(before);
  }

  @Test
  void workThatFailsIsToldAndEverythingIsBack() throws Exception {
    assertThatThrownBy(
            () ->
                during(
                    engine -> {
                      made.addAll(TABLES);
                      throw new IOException("the disk is full");
                    }))
        .isInstanceOf(EngineException.class)
        .hasMessage("the disk is full");
    assertWhole(before);

    cluster.clock().advance(Duration.ofHours(1));
    assertThatThrownBy(
            () ->
                during(
                    engine -> {
                      throw new UserError("m.json.partial: of other nodes");
                    }))
        .isInstanceOf(UserError.class)
        .hasMessage("m.json.partial: of other nodes");
    assertWhole(before);
  }

  @Test
  void aStopInterruptsTheWorkAndEverythingIsBack() throws Exception {
    workers = SystemPorts.ports().workers();
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);

    Executor.Outcome outcome =
        during(
            FaultPoints.NONE,
            () -> working.getCount() == 0,
            engine -> {
              made.addAll(TABLES);
              working.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
              }
            });

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.STOPPED);
    assertThat(interrupted.getCount()).isZero();
    assertWhole(before);
  }

  @Test
  void aStopWhileTheNodeIsBeingEmptiedPutsBackWhatHasLeft() throws Exception {
    boolean[] stop = new boolean[1];
    Executor.Outcome outcome =
        during(
            point -> stop[0] |= point.equals("action-ended-1"),
            () -> stop[0],
            engine -> {
              throw new AssertionError("it was stopped before");
            });

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.STOPPED);
    assertThat(cluster.faults().calls(Verb.MOVE)).isEqualTo(2);
    assertWhole(before);
  }

  @Test
  void aPartitionThatDoesNotLeaveEndsItAndTheOthersAreBack() throws Exception {
    // Each of its tries.
    cluster.faults().on(Verb.MOVE, 2, Kind.FAIL);
    cluster.faults().on(Verb.MOVE, 3, Kind.FAIL);
    cluster.faults().on(Verb.MOVE, 4, Kind.FAIL);

    Executor.Outcome outcome = during(work());

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.ABANDONED);
    assertThat(made).as("nothing is measured").isEmpty();
    assertWhole(before);
  }

  @Test
  void whoHasLostControlTouchesNothingMore() throws Exception {
    assertThatThrownBy(
            () ->
                during(
                    engine -> {
                      made.addAll(TABLES);
                      cluster.control().lose();
                      engine.setBalancer(ON);
                    }))
        .isInstanceOf(LostControlException.class);
    assertThat(served()).isEmpty();
    assertThat(made).containsExactlyElementsOf(TABLES);
    assertThat(cluster.faults().calls(Verb.MOVE)).isEqualTo(2);

    assertThat(putBack()).hasValueSatisfying(outcome -> assertThat(outcome.done()).isTrue());
    assertWhole(before);
  }

  @Test
  void aTableThatCanNotBeDeletedIsToldAndDeletedLater() throws Exception {
    Executor.Outcome outcome =
        OutOfService.during(
            context(here, FaultPoints.NONE),
            order(),
            () -> false,
            table -> {
              throw new EngineException("table " + table + " is locked");
            },
            work());

    assertThat(outcome.how()).isEqualTo(PlanOutcome.UNFINISHED);
    assertThat(outcome.why())
        .contains("table trimtab_model_1_b is locked", "trimtab model build --put-back");
    assertBack(before);
    assertThat(ControlDocuments.emptied(cluster.control()))
        .hasValueSatisfying(left -> assertThat(left.home()).isEmpty());

    autopilot(false);
    assertThat(made).as("the loop deletes no table").containsExactlyElementsOf(TABLES);
    assertThat(told).anyMatch(line -> line.contains("trimtab_model_1_b, trimtab_model_1_m"));

    putBack();
    assertWhole(before);
    assertThat(putBack()).as("there is nothing any more").isEmpty();
  }

  @Test
  void aBlackoutThatHasBegunMeanwhileDoesNotKeepPartitionsAway() throws Exception {
    LocalTime now =
        LocalTime.ofInstant(cluster.clock().instant(), ZoneOffset.UTC)
            .truncatedTo(ChronoUnit.MINUTES);
    String blackout = now.plusHours(2) + "-" + now.plusHours(4);
    settings =
        settings.with(
            GuardSettings.builder()
                .maxNodes(3)
                .maxConcurrentMoves(1)
                .blackouts(List.of(blackout))
                .build());

    Executor.Outcome outcome = during(engine -> cluster.clock().advance(Duration.ofHours(3)));

    assertThat(outcome.done()).as("%s", outcome).isTrue();
    assertWhole(before);
  }

  @Test
  void nothingBeginsBesideAnUnfinishedPlanOrAgainstALimit() throws Exception {
    OutOfService.Order order = order();
    try (Tenure tenure = TestTenure.of(cluster.engine(), here)) {
      assertRefused(order, "another controller is in charge");
      tenure.record(
          new Entry.PlanStarted(cluster.clock().instant(), order.plan(), ON, PolicyState.INITIAL));
    }
    assertRefused(order, "a plan was left unfinished");
    Tenure.forget(cluster.engine(), here, cluster.clock().instant());

    settings = settings.with(GuardSettings.builder().maxNodes(3).maxMoves(1).build());
    assertRefused(order, "2 moves, more than 1; the setting: guard.maxMoves");
    settings = settings.with(GuardSettings.builder().maxNodes(3).build());
    settings = settings.with(new TableSettings(null, List.of("t")));
    assertRefused(order, "excluded");
    assertThat(cluster.faults().calls(Verb.MOVE)).isZero();
    assertWhole(before);
  }

  @Test
  void aTableOfTheSameNameIsNotTheMeasurementsToDelete() throws Exception {
    OutOfService.Order order = new OutOfService.Order(COMMAND, node, away(), List.of("t"));
    assertRefused(order, "there is a table t already");
    assertWhole(before);
  }

  @Test
  void anOrderFromBeforeAPartitionCameIsRefused() throws Exception {
    OutOfService.Order order = order();
    PartitionId other =
        before.entrySet().stream()
            .filter(at -> !at.getValue().equals(node))
            .findFirst()
            .orElseThrow()
            .getKey();
    cluster.engine().move(other, node, Duration.ofMinutes(1));

    assertRefused(order, "does not serve any more what it served");
  }

  private void assertRefused(OutOfService.Order order, String why) {
    assertThatThrownBy(
            () ->
                OutOfService.during(
                    context(elsewhere, FaultPoints.NONE), order, () -> false, made::remove, work()))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining(why);
  }

  @Test
  void noOtherPlanIsCarriedOutWhilePartitionsAreAway() throws Exception {
    Plan plan = away();
    assertThatThrownBy(() -> during(engine -> cluster.control().lose()))
        .isInstanceOf(LostControlException.class);

    assertThatThrownBy(
            () ->
                OperatorPlan.carryOut(
                    context(elsewhere, FaultPoints.NONE),
                    "split apply",
                    new Decision.Act(plan, PolicyState.INITIAL),
                    UnaryOperator.identity(),
                    () -> false))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("node " + node + " was taken out of service by model build")
        .hasMessageContaining("--put-back");
    assertThatThrownBy(() -> during(work()))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("is not put back whole");
  }

  @Test
  void aRecordThatCanNotBeReadIsRefusedAndDiscardedOnRequest() throws Exception {
    cluster.control().damage("emptied", "its checksum is wrong");

    assertThatThrownBy(this::putBack)
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("'emptied'")
        .hasMessageContaining("its checksum is wrong");

    autopilot(true);
    assertThat(told).singleElement().asString().contains("trimtab_model_");
    assertWhole(before);
  }

  @Test
  void aNodeThatHasDiedMeanwhileGetsNothingBackAndThePolicyDecides() throws Exception {
    assertThatThrownBy(() -> during(engine -> cluster.control().lose()))
        .isInstanceOf(LostControlException.class);
    settings = settings.with(GuardSettings.builder().maxNodes(3).badNodesMax(0.5).build());
    cluster.kill(node);

    autopilot(false);

    assertThat(told).anyMatch(line -> line.contains("0 partitions are moved back"));
    assertThat(served()).isEmpty();
    assertThat(ControlDocuments.emptied(cluster.control()))
        .hasValueSatisfying(left -> assertThat(left.home()).isEmpty());
  }
}
