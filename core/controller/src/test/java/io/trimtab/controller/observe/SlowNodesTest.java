package io.trimtab.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.settings.HealthSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A third of the time that counts is an interval of 60 s; by default the third node is avoided. */
class SlowNodesTest {
  private static final HealthSettings SETTINGS = HealthSettings.builder().build();
  private static final Duration GAP_MAX = Duration.ofSeconds(120);
  private static final int STEP = 60;

  private RankedRing ring = new RankedRing(3);
  private SlowNodes nodes = SlowNodes.NONE;

  private List<String> look(int seconds) {
    nodes = nodes.append(ring.after(seconds), SETTINGS, GAP_MAX);
    return nodes.now().stream().map(node -> node.node().name()).toList();
  }

  /** Reads through the first two of three nodes. */
  private SlowNodesTest thirdGets(long its, long others) {
    ring.reads(0, others, others, its).reads(1, others, others, its);
    return this;
  }

  private SlowNodesTest avoided() {
    return thirdGets(100, 450);
  }

  @Test
  void aNodeThatIsAvoidedForThreeMinutesIsSlow() {
    look(0);
    assertThat(avoided().look(STEP)).isEmpty();
    assertThat(avoided().look(STEP)).isEmpty();
    assertThat(avoided().look(STEP - 1)).isEmpty();
    assertThat(avoided().look(1)).containsExactly("n2");

    SlowNode slow = nodes.now().get(0);
    assertThat(slow.share()).isCloseTo(100.0 / 450, within(1e-9));
    assertThat(slow.lasted()).isEqualTo(Duration.ofMinutes(3));
    assertThat(avoided().look(STEP)).containsExactly("n2");
    assertThat(nodes.now().get(0).lasted()).isEqualTo(Duration.ofMinutes(4));
    assertThat(nodes.fair(RankedRing.id(2))).isEmpty();
    assertThat(nodes.fair(RankedRing.id(0))).as("nobody else has coordinated").isEmpty();
  }

  @Test
  void halfOfThePeersReadsIsNotSlowAndLessIs() {
    look(0);
    for (int i = 0; i < 4; i++) {
      assertThat(thirdGets(250, 500).look(STEP)).isEmpty();
    }
    assertThat(nodes.fair(RankedRing.id(2))).hasValueCloseTo(0.5, within(1e-9));
    thirdGets(249, 500).look(STEP);
    thirdGets(249, 500).look(STEP);
    assertThat(thirdGets(249, 500).look(STEP)).containsExactly("n2");
    assertThat(thirdGets(250, 500).look(STEP)).isEmpty();
  }

  @Test
  void oneFairIntervalEndsIt() {
    look(0);
    avoided().look(STEP);
    avoided().look(STEP);
    thirdGets(450, 450).look(STEP);
    avoided().look(STEP);
    assertThat(avoided().look(STEP)).isEmpty();
    assertThat(avoided().look(STEP)).containsExactly("n2");
  }

  @Test
  void whatNodesThinkOfThemselvesDoesNotCount() {
    look(0);
    for (int i = 0; i < 4; i++) {
      // The first reads nearly always its own copy; the others treat all alike.
      ring.reads(0, 9_000, 500, 500).reads(1, 300, 300, 300).reads(2, 300, 300, 300);
      assertThat(look(STEP)).isEmpty();
    }
    for (int i = 0; i < 3; i++) {
      // A slow node that reads only its own copy.
      avoided();
      ring.reads(2, 0, 0, 9_000);
      look(STEP);
    }
    assertThat(nodes.now()).extracting(SlowNode::node).containsExactly(RankedRing.id(2));
  }

  /** Whose copies lie together with those of such a coordinator gets little from it. */
  @Test
  void coordinatorsThatReadTheirOwnCopyFirstDoNotCount() {
    ring = new RankedRing(6);
    ring.serviceMs[1] = 31;
    for (boolean ownFirst : new boolean[] {true, false}) {
      nodes = SlowNodes.NONE;
      ring.ownFirst.clear();
      if (ownFirst) {
        ring.ownFirst.add(0);
      }
      look(0);
      for (int i = 0; i < 3; i++) {
        ring.reads(0, 2_000, 100, 900, 900, 900, 900);
        for (int other = 1; other < 6; other++) {
          ring.reads(other, 100, 100, 100, 100, 100, 100);
        }
        look(STEP);
      }
      assertThat(nodes.now()).as("own first: %s", ownFirst).hasSize(ownFirst ? 0 : 1);
    }
  }

  /** Then the link between the two is slow, or the coordinator is wrong. */
  @Test
  void aNodeThatOneOfTwoCoordinatorsAvoidsIsNotSlow() {
    look(0);
    for (int i = 0; i < 4; i++) {
      ring.reads(0, 500, 500, 0).reads(1, 333, 333, 333);
      assertThat(look(STEP)).isEmpty();
    }
  }

  @Test
  void anUnusualPeerDoesNotCount() {
    ring = new RankedRing(5);
    look(0);
    for (int i = 0; i < 3; i++) {
      for (int c = 0; c < 5; c++) {
        ring.reads(c, 900, 100, 100, 100, 100);
      }
      assertThat(look(STEP)).isEmpty();
    }
  }

  @Test
  void aPartialSnapshotIsNotJudgedAndTheNextOneCounts() {
    look(0);
    avoided().look(STEP);
    ring.gaps = List.of("node n0: no answer");
    ring.withoutPlugin.add(0);
    assertThat(avoided().look(STEP)).isEmpty();
    assertThat(avoided().look(STEP)).as("three minutes, but partial").isEmpty();
    ring.gaps = List.of();
    ring.withoutPlugin.clear();
    assertThat(avoided().look(STEP)).containsExactly("n2");
  }

  /** Of many nodes there is always one. */
  @Test
  void aCoordinatorThatCantBeReadDoesNotKeepOthersFromBeingJudged() {
    ring = new RankedRing(6);
    look(0);
    ring.unread.add(5);
    for (int i = 0; i < 3; i++) {
      for (int c = 0; c < 5; c++) {
        ring.reads(c, 450, 450, 100, 450, 450, 450);
      }
      look(STEP);
    }
    assertThat(nodes.now()).extracting(SlowNode::node).containsExactly(RankedRing.id(2));
  }

  /** Without it there is one coordinator in a ring of three, which is too few. */
  @Test
  void whatACoordinatorCountedWhileItCouldNotBeReadCounts() {
    look(0);
    avoided().look(STEP);
    ring.unread.add(0);
    assertThat(avoided().look(STEP)).isEmpty();
    ring.unread.clear();
    assertThat(avoided().look(STEP)).containsExactly("n2");
  }

  @Test
  void aSlowNodeThatCantBeReadIsJudgedLaterUnlessItWasRestarted() {
    look(0);
    avoided().look(STEP);
    avoided().look(STEP);
    ring.unread.add(2);
    assertThat(avoided().look(STEP)).isEmpty();
    ring.unread.clear();
    assertThat(avoided().look(1)).containsExactly("n2");
    ring.unread.add(2);
    assertThat(avoided().look(STEP)).as("as it was last").containsExactly("n2");
    ring.restart(2).unread.clear();
    assertThat(avoided().look(STEP)).isEmpty();
  }

  @Test
  void aRestartedNodeHasTheFullTime() {
    look(0);
    avoided().look(STEP);
    avoided().look(STEP);
    ring.restart(2);
    assertThat(avoided().look(STEP)).isEmpty();
    avoided().look(STEP);
    assertThat(avoided().look(STEP)).isEmpty();
    assertThat(avoided().look(STEP)).containsExactly("n2");
  }

  @Test
  void aNodeThatJoinedHasTheFullTime() {
    ring = new RankedRing(4);
    ring.serviceMs[2] = 6;
    ring.serviceMs[3] = 31;
    ring.absent.add(3);
    look(0);
    for (int i = 0; i < 6; i++) {
      if (i == 2) {
        ring.absent.clear();
      }
      for (int c = 0; c < 3; c++) {
        ring.reads(c, 300, 300, 300, 20);
      }
      // Seen for the first time in the third interval.
      assertThat(look(STEP)).isEqualTo(i < 5 ? List.of() : List.of("n3"));
    }
  }

  @Test
  void theRestartOfACoordinatorIsNoDifferenceAndEndsNothing() {
    look(0);
    avoided().look(STEP);
    ring.restart(1);
    // As many as before it, and more: they are not those that were counted since.
    ring.reads(1, 400, 400, 9_000).reads(0, 450, 450, 100);
    assertThat(look(STEP)).isEmpty();
    assertThat(avoided().look(STEP)).containsExactly("n2");
    assertThat(nodes.now().get(0).lasted()).isEqualTo(Duration.ofMinutes(3));
  }

  @Test
  void countersThatWentBackAreNoDifference() {
    avoided().look(0);
    avoided().look(STEP);
    ring.candidate[1] = new long[] {1, 1, 1};
    ring.first[1] = new long[] {0, 0, 1};
    ring.reads(0, 450, 450, 100);
    look(STEP);
    assertThat(avoided().look(STEP)).containsExactly("n2");
  }

  @Test
  void intervalsOfFewReadsAreJudgedTogether() {
    look(0);
    for (int i = 0; i < 3; i++) {
      // Three of 66 are 198 for each pair; only with the last read there are 200.
      assertThat(thirdGets(6, 30).look(STEP - 1)).isEmpty();
    }
    assertThat(nodes.now()).isEmpty();
    ring.reads(0, 1, 1, 0).reads(1, 1, 1, 0);
    look(2);
    assertThat(nodes.now()).as("as long as that is not three minutes").isEmpty();
    thirdGets(20, 90).look(1);
    assertThat(nodes.now()).extracting(SlowNode::node).containsExactly(RankedRing.id(2));
  }

  @Test
  void twoHundredReadsOfEachAreEnough() {
    look(0);
    ring.reads(0, 67, 66, 66).reads(1, 67, 66, 66);
    look(STEP);
    assertThat(nodes.fair(RankedRing.id(2))).isEmpty();
    ring.reads(0, 0, 1, 0).reads(1, 0, 1, 0);
    look(STEP);
    assertThat(nodes.fair(RankedRing.id(2))).hasValueCloseTo(1.0, within(0.1));
  }

  @Test
  void whatIsOlderThanTheTimeDoesNotCountWithFewReads() {
    look(0);
    for (int i = 0; i < 9; i++) {
      assertThat(thirdGets(3, 30).look(STEP)).isEmpty();
    }
    assertThat(nodes.fair(RankedRing.id(2))).isEmpty();
  }

  @Test
  void nothingCountsAcrossATimeInWhichNobodyLooked() {
    look(0);
    avoided().look(STEP);
    avoided().look(STEP);
    assertThat(avoided().look(121)).isEmpty();
    avoided().look(STEP);
    assertThat(avoided().look(STEP)).isEmpty();
    assertThat(avoided().look(STEP)).containsExactly("n2");
  }

  @Test
  void twoNodesAreNotCompared() {
    ring = new RankedRing(2);
    look(0);
    for (int i = 0; i < 4; i++) {
      ring.reads(0, 900, 10).reads(1, 900, 10);
      assertThat(look(STEP)).isEmpty();
    }
  }

  @Test
  void lessThanHalfOfThePeersSayNothing() {
    ring = new RankedRing(6);
    look(0);
    for (int i = 0; i < 4; i++) {
      // The other three are no replicas of what is read.
      avoided();
      assertThat(look(STEP)).isEmpty();
    }
  }

  @Test
  void dataCentresAreNotCompared() {
    ring = new RankedRing(6);
    for (int i = 3; i < 6; i++) {
      ring.dataCentre[i] = "other";
    }
    look(0);
    for (int i = 0; i < 3; i++) {
      for (int c = 0; c < 6; c++) {
        // One of each data centre; the second is by far the less used one.
        ring.reads(c, 9_000, 9_000, 1_000, 30, 30, 300);
      }
      look(STEP);
    }
    assertThat(nodes.now()).extracting(SlowNode::node).containsExactly(RankedRing.id(2));
  }

  @Test
  void aNodeThatLeavesOrIsDeadIsNotJudged() {
    look(0);
    avoided().look(STEP);
    avoided().look(STEP);
    ring.draining.add(2);
    assertThat(avoided().look(STEP)).isEmpty();
    ring.draining.clear();
    ring.dead.add(2);
    assertThat(avoided().look(STEP)).isEmpty();
    ring.dead.clear();
    avoided().look(STEP);
    avoided().look(STEP);
    assertThat(avoided().look(STEP)).isEmpty();
    assertThat(avoided().look(STEP)).containsExactly("n2");
  }

  @Test
  void withoutThePluginNothingIsKnown() {
    ring.withoutPlugin.addAll(List.of(0, 1, 2));
    look(0);
    for (int i = 0; i < 4; i++) {
      assertThat(avoided().look(STEP)).isEmpty();
    }
    assertThat(nodes.fair(RankedRing.id(0))).isEmpty();
  }

  @Test
  void theSignalsThatSaySoAreTold() {
    look(0);
    for (int i = 0; i < 4; i++) {
      ring.queued[2] = 10 + 2 * i;
      avoided().look(STEP);
    }
    assertThat(nodes.now().get(0).text())
        .isEqualTo(
            "n2 gets 22 % of the reads that its peers get, for 4 min:"
                + " 31 ms a read against 6 ms, 13 reads wait there");
  }

  @Test
  void whereNoSignalSaysSoANodeIsNotSlow() {
    for (double service : new double[] {Double.NaN, 6, 8}) {
      ring.serviceMs[2] = service;
      look(0);
      for (int i = 0; i < 5; i++) {
        assertThat(avoided().look(STEP)).isEmpty();
      }
    }
  }

  @Test
  void timeAndShareAreSettings() {
    HealthSettings strict =
        HealthSettings.builder().slowFor(Duration.ofSeconds(1)).slowShare(0.2).build();
    nodes = nodes.append(ring.after(0), strict, GAP_MAX);
    avoided();
    nodes = nodes.append(ring.after(1), strict, GAP_MAX);
    assertThat(nodes.now()).isEmpty();
    thirdGets(80, 450);
    nodes = nodes.append(ring.after(1), strict, GAP_MAX);
    assertThat(nodes.now()).hasSize(1);
    assertThat(nodes.now().get(0).text()).contains("18 % of the reads that its peers get, for 1 s");
  }
}
