package io.trimtab.controller.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LostNodesTest extends LostCluster {
  @Test
  void nothingIsWaitedForWhereAllGoOn() {
    looks(5);

    assertThat(lost.loss()).isEmpty();
    assertThat(history.samples()).isEqualTo(5);
  }

  @Test
  void partitionsThatNobodyServesAreWaitedForAndSamplesBeginThen() {
    looks(5);
    die(A);
    unplaced("p");
    look(30);

    assertThat(reason())
        .contains("node a:1 was lost, and 1 partition is not served by any node yet");
    looks(3);
    assertThat(reason()).isPresent();
    assertThat(history.samples()).isOne();

    placed.put("p", B);
    look(30);
    assertThat(reason()).isEmpty();
    assertThat(history.samples()).isOne();
    looks(2);
    assertThat(history.samples()).isEqualTo(3);
    assertThat(reason()).isEmpty();
  }

  @Test
  void clientsThatStillWaitAreWaitedForTwoMinutes() {
    looks(5);
    die(A);
    placed.put("p", C);
    rates.put("p", 1L);
    rates.put("q", 60L);
    look(5);

    assertThat(history.samples()).isOne();
    look(5);
    look(5);
    assertThat(history.samples()).isEqualTo(3);
    assertThat(reason())
        .contains(
            "node a:1 was lost, and users' requests to table p are at 0.01 of the level before");
    assertThat(lost.waits().map(Loss.Wait::setting)).contains("pace.endBelow");

    look(110);
    assertThat(reason()).isPresent();
    look(11);
    assertThat(reason()).isEmpty();
    assertThat(lost.loss()).isEmpty();
  }

  @Test
  void aLevelThatIsBackIsNotWaitedFor() {
    looks(5);
    die(A);
    placed.put("p", C);
    look(5);
    look(5);
    look(5);

    assertThat(lost.loss()).isPresent();
    assertThat(reason()).isEmpty();
  }

  @Test
  void aNodeThatBeganAnewWasLostToo() {
    looks(2);
    nodes.put(A, node(A, 2, true));
    look(30);

    assertThat(lost.loss().orElseThrow().lost()).containsExactly(A);
  }

  @Test
  void whatServedNothingWasNotLost() {
    looks(2);
    die(C);
    look(30);

    assertThat(lost.loss()).isEmpty();
  }

  /** As where the server of hbase:meta dies: for a while nobody can tell what is where. */
  @Test
  void oneThatDiedWhileTheClusterToldOnlyAPartWasLost() {
    looks(2);
    gaps.add("no master");
    NodeState its = nodes.remove(A);
    looks(2);
    assertThat(lost.loss()).isEmpty();
    assertThat(lost.silences()).isEmpty();
    nodes.put(A, its);
    gaps.clear();
    looks(1);
    assertThat(lost.loss()).isEmpty();

    gaps.add("no master");
    die(A);
    unplaced("p");
    looks(2);
    gaps.clear();
    look(30);
    assertThat(reason())
        .contains("node a:1 was lost, and 1 partition is not served by any node yet");
    assertThat(history.samples()).isOne();
  }

  @Test
  void oneThatWasRestartedWhileItCouldNotBeReadWasLost() {
    looks(3);
    nodes.put(A, node(A, 1, true).with(NodeRead.failed("no answer")));
    gaps.add("no answer");
    look(30);
    nodes.put(A, node(A, 2, true));
    gaps.clear();
    look(30);

    assertThat(lost.loss().orElseThrow().lost()).containsExactly(A);
    assertThat(history.samples()).isOne();
  }

  @Test
  void whoeverBeginsIsToldOfDeadNodesWhosePartitionsNobodyServes() {
    die(A);
    unplaced("p");
    looks(3);

    assertThat(reason())
        .contains("node a:1 was lost, and 1 partition is not served by any node yet");
    assertThat(history.samples()).isOne();
    placed.put("p", B);
    looks(2);
    assertThat(reason()).isEmpty();
    assertThat(history.samples()).isEqualTo(2);
  }

  @Test
  void ofOneThatDiedLongAgoNothingIsSaid() {
    die(A);
    placed.put("p", B);
    looks(3);

    assertThat(lost.loss()).isEmpty();
    assertThat(history.samples()).isEqualTo(3);
  }

  @Test
  void partitionsOfOthersThatAreMovedAreNotWaitedFor() {
    looks(3);
    die(A);
    placed.put("p", C);
    look(30);
    unplaced("q");
    look(30);

    assertThat(reason()).isEmpty();
    assertThat(history.samples()).isEqualTo(2);
  }

  @Test
  void whatNobodyEverServesAgainIsTheGuardsMatterAfterTenMinutes() {
    looks(3);
    die(A);
    unplaced("p");
    looks(20);
    assertThat(reason()).isPresent();
    assertThat(history.samples()).isOne();

    looks(3);
    assertThat(reason()).isEmpty();
    assertThat(history.samples()).isGreaterThan(1);
  }

  @Test
  void afterAPlanItsOwnRestartsAreNoLoss() {
    looks(3);
    lost = lost.afterPlan();
    history = history.again();
    nodes.put(A, node(A, 2, true));
    nodes.remove(C);
    looks(3);

    assertThat(lost.loss()).isEmpty();
    assertThat(history.samples()).isEqualTo(3);
  }

  @Test
  void oneThatWasTakenAwayWithItsPartitionsWasLost() {
    looks(2);
    nodes.remove(A);
    look(30);

    assertThat(lost.loss().orElseThrow().text()).isEqualTo("node a:1 was lost");
  }

  @Test
  void anotherLossOfTheSameNodeIsNotWaitedForWithinTheHour() {
    looks(3);
    nodes.put(A, node(A, 2, true));
    looks(10);
    assertThat(lost.loss()).isEmpty();

    nodes.put(A, node(A, 3, true));
    looks(2);
    assertThat(lost.loss()).isEmpty();

    looks(120);
    nodes.put(A, node(A, 4, true));
    looks(1);
    assertThat(lost.loss()).isPresent();
  }

  @Test
  void twoThatAreLostOneAfterTheOtherAreWaitedForTogether() {
    looks(3);
    die(A);
    unplaced("p");
    look(30);
    die(B);
    unplaced("q");
    look(30);

    assertThat(reason())
        .contains("nodes a:1, b:1 were lost, and 2 partitions are not served by any node yet");
    placed.putAll(Map.of("p", C, "q", C));
    rates.putAll(Map.of("p", 1L, "q", 1L));
    look(5);
    look(5);
    look(5);
    assertThat(reason()).hasValueSatisfying(why -> assertThat(why).contains("table q are at 0.00"));
  }

  @Test
  void aRingBeginsAnewToo() {
    ownership = Ownership.TOKENS;
    placed.clear();
    looks(4);
    die(C);
    look(30);

    assertThat(lost.loss().orElseThrow().lost()).containsExactly(C);
    assertThat(history.samples()).isOne();
    assertThat(reason()).isEmpty();
  }

  @Test
  void whatWasTakenOutOfARingWasNotLost() {
    ownership = Ownership.TOKENS;
    placed.clear();
    looks(4);
    nodes.remove(C);
    look(30);

    assertThat(lost.loss()).isEmpty();
  }
}
