package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.plugincore.ranking.Told;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnReadsTest {
  private static final long START = 1_000_000;
  private static final long LIMIT = 5_000;

  private final List<String> told = new ArrayList<>();
  private Object request = new Object();
  private final OwnReads own = new OwnReads(new Written(), () -> request);

  /** Writes down what is told. */
  private final class Written implements TimedReadStage.LocalReads {
    @Override
    public void sent(long now) {
      told.add("sent");
    }

    @Override
    public void ended(long now, long took) {
      Told its = new Told();
      Served.current().tell(now, its);
      told.add("took " + took + ", waited " + its.waited + ", service " + its.service);
    }

    @Override
    public void lost(long now, long took) {
      told.add("lost");
    }

    @Override
    public void untold(long now) {
      told.add("untold");
    }

    @Override
    public long limit() {
      return LIMIT;
    }
  }

  @BeforeEach
  void nothingHasEndedInThisThread() {
    Served.current().end(0);
  }

  @Test
  void aReadTakesFromTheOrderToTheEnd() {
    own.begins(START);
    own.ended(START + 300);
    assertThat(told).containsExactly("sent", "took 300, waited 0, service 300");
    assertThat(Served.current().isServing()).isFalse();
  }

  @Test
  void itWaitsWhileItsThreadReadsSomethingElse() {
    own.begins(START);
    Served.current().end(START + 200);
    own.ended(START + 300);
    assertThat(told).last().isEqualTo("took 300, waited 200, service 100");
  }

  /** Those of other requests, and parts of ranges, whose end is told all the same. */
  @Test
  void whatDidNotBeginIsNotCountedButIsWaitedFor() {
    own.ended(START);
    own.begins(START + 50);
    Object asked = request;
    request = new Object();
    own.ended(START + 100);
    request = null;
    own.ended(START + 200);
    request = asked;
    own.ended(START + 300);
    own.ended(START + 400);
    assertThat(told).containsExactly("sent", "took 250, waited 150, service 100");
  }

  @Test
  void ofSeveralPartitionsOfARequestOneCounts() {
    own.begins(START);
    own.begins(START + 1);
    own.ended(START + 100);
    own.begins(START + 101);
    own.ended(START + 200);
    assertThat(told).containsExactly("sent", "took 100, waited 0, service 100");

    request = new Object();
    own.begins(START + 300);
    assertThat(told).last().as("of the next request").isEqualTo("sent");
  }

  /** The answer has been given to the request before the read's end is told. */
  @Test
  void anEndThatIsToldLateIsNotThatOfTheNextRead() {
    own.begins(START);
    own.begins(START + 100);
    own.ended(START + 101);
    assertThat(told).containsExactly("sent", "took 101, waited 0, service 101");
  }

  @Test
  void whatDoesNotEndIsForgotten() {
    own.begins(START);
    own.sweep(START + LIMIT);
    assertThat(told).containsExactly("sent");
    own.sweep(START + LIMIT + 1);
    own.sweep(START + 3 * LIMIT);
    own.ended(START + 3 * LIMIT);
    assertThat(told).containsExactly("sent", "untold");
  }

  @Test
  void aRequestThatCannotBeToldIsNotCounted() {
    request = null;
    own.begins(START);
    own.ended(START + 100);
    assertThat(told).isEmpty();
  }
}
