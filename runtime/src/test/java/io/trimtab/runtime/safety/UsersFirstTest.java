package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.pace.UsersLevel;
import io.trimtab.controller.plan.PlanCosts;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PaceSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.RequestTimes;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Memory;
import io.trimtab.runtime.journal.UsersBefore;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A plan slows down, waits and ends by what its users notice of it. */
class UsersFirstTest extends SafetyFixture {
  private static final int PARTITIONS = 300;

  /** What clients ask for, as a share of what they asked for before the plan. */
  private static double share;

  /** Seconds since the cluster began. */
  private static double lowUntil;

  UsersFirstTest() {
    super(
        ClusterSpec.assigned(
            1,
            3,
            TableSpec.of("t", PARTITIONS, 1L << 30, Access.reads(4_000))
                .with(seconds -> Access.reads(4_000 * (seconds < lowUntil ? share : 1)))));
    share = 1;
    lowUntil = Double.MAX_VALUE;
  }

  /** Time for a plan during which the requests fall to a share of what they were. */
  private Duration took(double low) throws Exception {
    Plan plan = leave(here);
    Instant begun = cluster.clock().instant();
    run(here, at("action-ended-10", () -> share = low));
    share = 1;
    if (ended.get(ended.size() - 1).startsWith("done")) {
      assertMoved(plan);
    }
    return Duration.between(begun, cluster.clock().instant());
  }

  @Test
  void aPlanThatUsersNoticeSlowsDownToTwiceItsTimeAtMost() throws Exception {
    Duration alone = took(1.0);
    Duration slow = took(0.8);

    assertThat(ended.get(0)).startsWith("done").doesNotContain("pauses");
    assertThat(ended.get(1)).startsWith("done").contains("0.8").contains("with pauses of");
    assertThat(slow).isBetween(alone.plusSeconds(10), alone.multipliedBy(2));
  }

  @Test
  void aPlanDuringWhichRequestsCollapseWaitsAndEnds() throws Exception {
    took(0.3);

    assertThat(ended)
        .singleElement()
        .asString()
        .startsWith(
            "abandoned: users' requests are at 0.30 of the level before the plan (table t: 0.30)")
        .contains("pace.endBelow");
    assertThat(moves()).isLessThan(PARTITIONS);
  }

  /** Clients that do not wait for answers send as many requests, however slow these get. */
  @Test
  void aPlanThatMakesRequestsSlowerSlowsDown() throws Exception {
    Duration alone = took(1.0);
    leave(here);
    Instant begun = cluster.clock().instant();
    run(here, at("action-ended-20", () -> cluster.setTimes(t -> slower(t, 2.6))));

    assertThat(ended.get(1))
        .startsWith("done")
        .contains("users' requests did not fall; at worst the 99th percentile of response times is")
        .contains("with pauses of");
    assertThat(Duration.between(begun, cluster.clock().instant()))
        .isBetween(alone.plusSeconds(10), alone.multipliedBy(2));
  }

  @Test
  void aPlanThatMakesRequestsFailEnds() throws Exception {
    leave(here);
    run(
        here,
        at(
            "action-ended-20",
            () ->
                cluster.setTimes(
                    t -> new RequestTimes(t.requests(), t.p99Ms(), t.requests() / 50))));

    assertThat(ended)
        .singleElement()
        .asString()
        .startsWith("abandoned: ")
        .contains("% of the requests are refused, dropped or time out, before the plan 0.00 %")
        .contains("pace.endBelow");
    assertThat(moves()).isLessThan(PARTITIONS);
  }

  private static RequestTimes slower(RequestTimes times, double factor) {
    // Beyond what nobody notices.
    return new RequestTimes(
        times.requests(), factor * Math.max(10, times.p99Ms()), times.refused());
  }

  /** Inside the plan the level is what the plan has made of it. */
  @Test
  void aControllerThatTakesOverKnowsTheLevelBeforeThePlan() throws Exception {
    ClusterSnapshot earlier = cluster.engine().snapshot();
    cluster.clock().advance(Duration.ofMinutes(1));
    UsersLevel level = UsersLevel.between(earlier, cluster.engine().snapshot());
    Plan plan = plan();
    try (Tenure tenure = TestTenure.of(cluster.engine(), here)) {
      tenure.record(
          new Entry.PlanStarted(
              cluster.clock().instant(),
              plan,
              cluster.engine().snapshot().balancer(),
              PolicyState.INITIAL,
              UsersBefore.of(Optional.of(level)).orElseThrow(),
              null));
    }
    share = 0.8;

    run(elsewhere, FaultPoints.NONE);

    assertMoved(plan);
    assertThat(ended)
        .singleElement()
        .asString()
        .startsWith("done")
        .contains("fell to 0.80 of the level before the plan");
  }

  @Test
  void aPlanGoesOnAsSoonAsTheRequestsAreBack() throws Exception {
    Plan plan = leave(here);
    run(
        here,
        at(
            "action-ended-10",
            () -> {
              share = 0.3;
              lowUntil =
                  Duration.between(VirtualClock.START, cluster.clock().instant()).toSeconds() + 30;
            }));

    assertMoved(plan);
    assertThat(ended).singleElement().asString().startsWith("done");
  }

  /** The pace grows inside a look, which was one of fewer actions. */
  @Test
  void whatWasNotLookedAtDoesNotBeginWhenThePlanGetsFaster() throws Exception {
    settings =
        settings.with(
            GuardSettings.builder().maxNodes(3).maxConcurrentMoves(2).badNodesMax(0.5).build());
    for (int fast = 20; fast < 26; fast++) {
      share = 1;
      cluster.faults().clear();
      leave(here);
      NodeId silent = cluster.truth().nodes().get(2).id();
      Set<PartitionId> its = new HashSet<>();
      FaultPoints slow = at("action-ended-10", () -> share = 0.8);
      FaultPoints silence =
          at(
              "action-ended-" + fast,
              () -> {
                share = 1;
                cluster.faults().always(Verb.SNAPSHOT, silent, Kind.GAP);
                its.addAll(on(silent));
              });
      run(
          here,
          name -> {
            slow.reached(name);
            silence.reached(name);
          });

      assertThat(ended.get(ended.size() - 1)).contains("move involves node " + silent);
      assertThat(on(silent)).as("silent after step %d", fast).isSubsetOf(its);
    }
  }

  private Set<PartitionId> on(NodeId node) {
    return cluster.truth().partitions().stream()
        .filter(p -> p.node().filter(node::equals).isPresent())
        .map(PartitionState::id)
        .collect(Collectors.toSet());
  }

  @Test
  void whereThePaceDoesNotFollowThePlanIsAsFast() throws Exception {
    Duration alone = took(1.0);
    settings = settings.with(new PaceSettings(false, null, null, null, null));

    assertThat(took(0.3)).isEqualTo(alone);
    assertThat(ended.get(1)).startsWith("done").doesNotContain("users");
  }

  private Optional<PlanCosts> costs() throws Exception {
    Memory memory = ControlDocuments.read(cluster.engine().shared()).memory().orElseThrow();
    return memory.policy().costs();
  }

  @Test
  void whatAPlanHasCostUsersIsKnownToTheNextDecision() throws Exception {
    double seconds = took(0.8).toSeconds();

    PlanCosts costs = costs().orElseThrow();
    assertThat(ended.get(0)).contains("s' worth of them was lost in all");
    assertThat(costs.partitions()).isGreaterThan(100);
    assertThat(costs.lostSeconds()).isBetween(0.1 * seconds, 0.2 * seconds);
  }

  /** What users lost before is known to nobody. */
  @Test
  void ofAPlanThatIsContinuedNothingIsTold() throws Exception {
    Plan plan = leave(here);
    try (Tenure tenure = TestTenure.of(cluster.engine(), here)) {
      tenure.record(new Entry.ActionStarted(cluster.clock().instant(), 1));
    }
    run(here, at("action-ended-10", () -> share = 0.8));

    assertMoved(plan);
    assertThat(costs()).isEmpty();
  }
}
