package io.trimtab.plugincore.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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
    assertThat(other.service(1, 500 * MS, FOR_EVER)).isCloseTo(4.5 * MS, within(1.0));
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
    assertThat(other.service(0, MS, FOR_EVER)).isCloseTo(16_777_215_000.0, within(1.0));
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
      assertThat(nodes[0].at(0)).isLessThanOrEqualTo(0);
    }
  }

  @Test
  void thereAreAsManyReplicasAsAnEntryCanName() {
    assertThatThrownBy(() -> new Views(65_537)).hasMessageContaining("65536");
    assertThatThrownBy(() -> new Views(0)).hasMessageContaining("not 0");
  }

  /** One that stands still answers nothing, but its queue is known; its service time ages. */
  @Test
  void whatANodeKnowsOfItselfIsNewThoughItAnsweredNothing() {
    Views views = new Views(2);
    views.refresh(1, 5 * MS, 3, 50e6);
    assertThat(views.lastQueue(1)).isNaN();
    for (int i = 0; i < 2_000; i++) {
      views.learn(0, i, 2, MS);
    }
    views.learn(1, 10 * MS, 0, 12 * MS);
    double average = views.service();

    views.refresh(1, 35 * MS, 4, 50e6);
    views.refresh(1, 60 * MS, 7, 50e6);

    assertThat(views.at(1)).isEqualTo(60 * MS);
    assertThat(views.queue(1, 60 * MS, FOR_EVER)).isEqualTo(7);
    assertThat(views.service(1, 60 * MS, FOR_EVER))
        .isCloseTo(average + (12 * MS - average) / Math.E, within(1.0));
    views.refresh(1, 59 * MS, 9, 50e6);
    assertThat(views.lastQueue(1)).isEqualTo(7);
  }
}
