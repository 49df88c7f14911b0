package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InlineReadsTest {
  private final AtomicInteger waiting = new AtomicInteger();
  private final InlineReads inline = new InlineReads(waiting::get, () -> 2, true);
  private final AtomicInteger reads = new AtomicInteger();

  @Test
  void aReadRunsAtOnceWhereNoneWaits() {
    assertThat(inline.ran(reads::incrementAndGet)).isTrue();

    waiting.set(1);
    assertThat(inline.ran(reads::incrementAndGet)).as("it would overtake another").isFalse();
    waiting.set(0);
    inline.on(false);
    assertThat(inline.ran(reads::incrementAndGet)).as("off").isFalse();

    assertThat(reads).hasValue(1);
    assertThat(inline.done()).isEqualTo(1);
  }

  @Test
  void soManyRunAtATime() {
    boolean[] inner = new boolean[2];
    inline.ran(() -> inner[0] = inline.ran(() -> inner[1] = inline.ran(reads::incrementAndGet)));
    assertThat(inner).containsExactly(true, false);
    assertThat(inline.ran(reads::incrementAndGet)).as("both have ended").isTrue();
  }

  @Test
  void whereCassandraHasNoHookTheyStayOff() {
    InlineReads none = new InlineReads();
    none.on(false);
    assertThatThrownBy(() -> none.on(true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "reads in the thread of the request need Cassandra 5.0: this one has no hook for them");
    assertThat(none.isOn()).isFalse();
    assertThat(none.ran(reads::incrementAndGet)).isFalse();
  }

  @Test
  void onlyTheFirstLocalReadOfARequestOfOnePartition() {
    RequestReads one = new RequestReads();
    one.ordered();
    one.sent();
    assertThat(one.isOnlyLocal()).as("one partition, after other nodes were asked").isTrue();
    assertThat(one.isOnlyLocal()).as("read repair").isFalse();

    one.ordered();
    one.ordered();
    one.ordered();
    assertThat(one.isOnlyLocal()).as("IN").isFalse();
    assertThat(one.isOnlyLocal()).isFalse();

    one.ordered();
    assertThat(one.isOnlyLocal()).as("the next request").isTrue();
    one.ordered();
    one.sent();
    one.ordered();
    assertThat(one.isOnlyLocal()).as("one that read from others only is forgotten").isTrue();
  }
}
