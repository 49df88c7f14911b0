package io.trimtab.host.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.SharedState.Life;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HolderWatchTest {
  private final HolderWatch watch = new HolderWatch(Duration.ofSeconds(12));

  private Life look(String sign, int second) {
    long ns = Duration.ofSeconds(second).toNanos();
    return watch.look(sign, ns, ns);
  }

  @Test
  void aSignThatStandsStillForALeaseIsThatOfADeadHolder() {
    assertThat(look("a", 100)).isEqualTo(Life.UNKNOWN);
    assertThat(watch.left(Duration.ofSeconds(103).toNanos())).isEqualTo(Duration.ofSeconds(9));
    assertThat(look("a", 111)).isEqualTo(Life.UNKNOWN);
    assertThat(look("a", 112)).isEqualTo(Life.GONE);
    assertThat(look("a", 200)).isEqualTo(Life.GONE);
    assertThat(watch.left(Duration.ofSeconds(200).toNanos())).isEqualTo(Duration.ZERO);
  }

  @Test
  void aSignThatChangesIsThatOfALivingOne() {
    assertThat(look("a", 100)).isEqualTo(Life.UNKNOWN);
    assertThat(look("b", 103)).isEqualTo(Life.LIVES);
    assertThat(look("b", 106)).isEqualTo(Life.LIVES);
    assertThat(look("b", 115)).isEqualTo(Life.GONE);
    assertThat(look("c", 116)).as("it stood still for a while").isEqualTo(Life.UNKNOWN);
  }

  @Test
  void aChangeSinceALookLongAgoTellsNothing() {
    assertThat(look("a", 100)).isEqualTo(Life.UNKNOWN);
    assertThat(look("b", 900)).isEqualTo(Life.UNKNOWN);
    assertThat(look("b", 911)).isEqualTo(Life.UNKNOWN);
    assertThat(look("b", 912)).isEqualTo(Life.GONE);
  }

  /** Of a read that took long it is not known when the sign stood so. */
  @Test
  void theShortestSilenceCounts() {
    long second = Duration.ofSeconds(1).toNanos();
    assertThat(watch.look("a", 0, 4 * second)).isEqualTo(Life.UNKNOWN);
    assertThat(watch.look("a", 15 * second, 19 * second)).isEqualTo(Life.UNKNOWN);
    assertThat(watch.look("a", 16 * second, 19 * second)).isEqualTo(Life.GONE);
  }
}
