package io.trimtab.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ModelBuilderTest {
  private static Callable<Void> counting(AtomicInteger count) {
    return () -> {
      count.incrementAndGet();
      return null;
    };
  }

  @Test
  void oneOrManyAreDone() throws Exception {
    AtomicInteger count = new AtomicInteger();
    ModelBuilder.parallel(List.of(counting(count)));
    assertThat(count).hasValue(1);
    ModelBuilder.parallel(List.of(counting(count), counting(count), counting(count)));
    assertThat(count).hasValue(4);
  }

  @Test
  void oneFailureInterruptsTheOthers() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    Callable<Void> waits =
        () -> {
          try {
            never.await(50, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            interrupted.set(true);
          }
          return null;
        };
    Callable<Void> fails =
        () -> {
          throw new IllegalStateException("the node is gone");
        };
    assertThatThrownBy(() -> ModelBuilder.parallel(List.of(waits, fails)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the node is gone");
    assertThat(interrupted).isTrue();
  }
}
