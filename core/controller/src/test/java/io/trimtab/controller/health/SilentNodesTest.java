package io.trimtab.controller.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.PaceSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SilentNodesTest extends LostCluster {
  @Test
  void clientsThatWaitForASilentNodeAreWaitedForTwoMinutes() {
    looks(5);
    silence(A);
    rates.putAll(Map.of("p", 0L, "q", 30L));
    look(30);

    assertThat(history.samples()).isEqualTo(6);
    assertThat(reason())
        .contains(
            "node a:1 can't be read, and users' requests to table q are at 0.10 of the level"
                + " before");
    looks(4);
    assertThat(reason()).isPresent();
    look(1);
    assertThat(reason()).isEmpty();
    assertThat(history.samples()).as("those of the wait count where it was in vain").isEqualTo(11);
  }

  @Test
  void samplesOfAWaitDoNotCountOnceUsersAreBack() {
    looks(5);
    silence(A);
    rates.putAll(Map.of("q", 30L));
    looks(2);
    assertThat(reason()).isPresent();
    rates.put("q", 300L);
    look(30);

    assertThat(reason()).isEmpty();
    assertThat(history.samples()).isOne();
  }

  @Test
  void whereAPlansPaceDoesNotFollowUsersNeitherDoesThis() {
    settings = settings.with(new PaceSettings(false, null, null, null, null));
    looks(5);
    silence(A);
    rates.putAll(Map.of("q", 30L));
    looks(2);

    assertThat(reason()).isEmpty();
  }

  /** Longer than it is waited for, and all the time fewer users than before. */
  @Test
  void ofOneThatWasSilentForLongTheLevelBeforeThatIsKnown() {
    looks(5);
    silence(A);
    rates.putAll(Map.of("q", 30L));
    looks(8);
    assertThat(reason()).isEmpty();
    die(A);
    gaps.clear();
    placed.put("p", C);
    looks(2);

    assertThat(reason())
        .contains(
            "node a:1 was lost, and users' requests to table q are at 0.10 of the level before");
  }

  @Test
  void aSilentNodeThatUsersDoNotMissIsNotWaitedFor() {
    looks(5);
    silence(C);
    looks(2);

    assertThat(lost.loss()).isPresent();
    assertThat(reason()).isEmpty();
    nodes.put(C, node(C, 1, true));
    gaps.clear();
    look(30);
    assertThat(lost.loss()).isEmpty();
  }

  @Test
  void oneThatFellSilentBeforeAnyRatesWereKnownIsWaitedForTwoMinutes() {
    looks(1);
    silence(A);
    looks(5);

    assertThat(reason())
        .contains("node a:1 can't be read, and what users asked for before is not known");
    look(1);
    assertThat(reason()).isEmpty();
  }

  @Test
  void aSilentNodeThatTurnsOutToBeDeadIsJudgedByTheLevelBeforeItFellSilent() {
    looks(5);
    silence(A);
    rates.putAll(Map.of("p", 1L, "q", 30L));
    looks(3);
    die(A);
    gaps.clear();
    unplaced("p");
    look(30);

    assertThat(reason())
        .contains("node a:1 was lost, and 1 partition is not served by any node yet");
    placed.put("p", B);
    looks(2);
    assertThat(reason())
        .contains(
            "node a:1 was lost, and users' requests to table p are at 0.01 of the level before");
  }
}
