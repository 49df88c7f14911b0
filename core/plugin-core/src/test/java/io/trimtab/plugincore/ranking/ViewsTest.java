package io.trimtab.plugincore.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ViewsTest {
  private static final long MS = 1_000_000;
  private static final double FOR_EVER = 1e18;

  @Test
  void whatOneToldTheOtherKnowsWithItsAge() {
    Views one = new Views(3);
    Views other = new Views(3);
    one.learn(1, 100 * MS, 7, 4.5 * MS);
    long[] message = new long[3];

    assertThat(one.tell(110 * MS, message)).isEqualTo(1);
    other.hear(500 * MS, MS, message, 1);

    assertThat(other.queue(1, 500 * MS, FOR_EVER)).isCloseTo(7, within(1e-6));
    assertThat(other.service(1, 500 * MS, FOR_EVER, 0))
        .isCloseTo(4.5 * MS, within(0.01 * 4.5 * MS));
    // 10 ms old there, and 1 ms on the way: what is as old is not taken for newer, a younger one
    // is.
    other.learn(1, 489 * MS, 9, MS);
    assertThat(other.queue(1, 500 * MS, FOR_EVER)).isCloseTo(7, within(1e-6));
    other.learn(1, 490 * MS, 9, MS);
    assertThat(other.queue(1, 500 * MS, FOR_EVER)).isCloseTo(9, within(1e-6));
  }

  @Test
  void whatIsLargerThanAnEntryHoldsIsToldAsTheLargest() {
    Views one = new Views(2);
    Views other = new Views(2);
    one.learn(0, 0, 1_000_000, 1e15);
    long[] message = new long[2];

    other.hear(MS, 0, message, one.tell(MS, message));

    assertThat(other.queue(0, MS, FOR_EVER)).isCloseTo(4_095, within(1e-6));
    assertThat(other.lastService(0)).isCloseTo(4.2e12, within(0.1e12));
  }

  @Test
  void oldNewsAndUnknownReplicasAreNotPassedOn() {
    Views one = new Views(3);
    long[] message = new long[3];
    one.learn(2, 0, 1, MS);

    assertThat(one.tell(200 * MS, message)).isEqualTo(1);
    assertThat(one.tell(201 * MS, message)).isZero();
    // From a node that knows more replicas than this one.
    new Views(1).hear(0, 0, new long[] {2L << 48}, 1);
  }

  @Test
  void messagesTakeTurns() {
    Views one = new Views(4);
    for (int i = 0; i < 4; i++) {
      one.learn(i, 0, i, MS);
    }
    Views other = new Views(4);
    long[] message = new long[2];

    other.hear(MS, 0, message, one.tell(MS, message));
    other.hear(MS, 0, message, one.tell(MS, message));

    for (int i = 0; i < 4; i++) {
      assertThat(other.queue(i, MS, FOR_EVER)).isCloseTo(i, within(1e-6));
    }
  }

  @Test
  void whatIsOldCountsTowardsTheAverage() {
    Views views = new Views(2);
    for (int i = 0; i < 2_000; i++) {
      views.learn(0, i, 2, MS);
    }
    views.learn(1, 10 * MS, 12, MS);

    assertThat(views.queue(1, 10 * MS, 50e6)).isEqualTo(12);
    assertThat(views.queue(1, 60 * MS, 50e6)).isCloseTo(2.1 + 9.9 / Math.E, within(0.01));
  }

  /** Two nodes tell each other of a third one that has died. */
  @Test
  void whatIsPassedOnDoesNotBecomeYounger() {
    Views[] nodes = {new Views(1), new Views(1)};
    nodes[0].learn(0, 0, 3, MS);
    long[] message = new long[1];
    long now = 37_777;
    for (int i = 0; i < 10_000; i++) {
      int count = nodes[i % 2].tell(now, message);
      now += 3_333;
      nodes[(i + 1) % 2].hear(now, 3_333, message, count);
      assertThat(nodes[0].queuedAt(0)).isLessThanOrEqualTo(0);
    }
  }

  @Test
  void thereAreAsManyReplicasAsAnEntryCanName() {
    assertThatThrownBy(() -> new Views(65_537)).hasMessageContaining("65536");
    assertThatThrownBy(() -> new Views(0)).hasMessageContaining("not 0");
  }

  /** One that stands still answers nothing, but its queue is known; its service time ages. */
  @Test
  void whatANodeKnowsOfItsQueueIsNewThoughItAnsweredNothing() {
    Views views = new Views(2);
    views.learn(1, 10 * MS, 0, 12 * MS);

    views.refresh(1, 60 * MS, 7);

    assertThat(views.queuedAt(1)).isEqualTo(60 * MS);
    assertThat(views.servedAt(1)).isEqualTo(10 * MS);
    assertThat(views.queue(1, 60 * MS, FOR_EVER)).isEqualTo(7);
    assertThat(views.lastService(1)).isEqualTo(12 * MS);
    views.refresh(1, 59 * MS, 9);
    assertThat(views.lastQueue(1)).isEqualTo(7);
  }

  @Test
  void aQueueIsToldBeforeAnythingIsKnownOfTheServiceTime() {
    Views one = new Views(2);
    Views other = new Views(2);
    one.refresh(0, 5 * MS, 3);
    long[] message = new long[1];

    other.hear(6 * MS, 0, message, one.tell(6 * MS, message));

    assertThat(other.lastQueue(0)).isEqualTo(3);
    assertThat(other.lastService(0)).isNaN();
    assertThat(other.isKnown()).isFalse();
  }

  /** It is what nobody else knows better. */
  @Test
  void whatANodeKnowsOfItselfIsInEachMessage() {
    Views views = new Views(5);
    for (int i = 0; i < 5; i++) {
      views.learn(i, i, i, MS);
    }
    views.refresh(3, MS, 8);
    long[] message = new long[3];
    Set<Integer> others = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      assertThat(views.tell(MS, message)).isEqualTo(3);
      assertThat(Entry.replica(message[0])).isEqualTo(3);
      for (int j = 1; j < 3; j++) {
        others.add(Entry.replica(message[j]));
      }
    }
    assertThat(others).containsExactlyInAnyOrder(0, 1, 2, 4);
    assertThat(views.tell(MS, 1, message)).as("without a number as yet").isEqualTo(1);
  }

  @Test
  void aThousandTimesTheAverageCountsAs16Times() {
    Views views = new Views(2);
    for (int i = 0; i < 2_000; i++) {
      views.learn(0, i, 0, MS);
    }
    views.learn(1, 3_000, 0, 1_000 * MS);
    double average = views.service();

    assertThat(views.service(1, 3_000, FOR_EVER, 0)).isCloseTo(16 * average, within(1.0));
    assertThat(views.lastService(1)).isEqualTo(1_000 * MS);
  }

  /** The average is what replicas are like, not what one of them says again and again. */
  @Test
  void aNodeThatStandsStillIsNotTheAverage() {
    Views views = new Views(6);
    for (int i = 1; i < 3_000; i++) {
      views.learn(i % 5, i, 0, MS);
      views.refresh(5, i, 200);
    }
    assertThat(views.queue()).isZero();
  }
}
