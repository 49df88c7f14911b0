package io.trimtab.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QuestionsTest {
  private static final int SILENT = 40;

  /** Nobody ever counts it down. */
  private final CountDownLatch never = new CountDownLatch(1);

  private final Map<Integer, Callable<String>> asked = new TreeMap<>();

  private Map<Integer, String> answered() throws IOException {
    try (Questions questions = new Questions("jolokia", Duration.ofSeconds(2), 64)) {
      return questions.ask(asked);
    }
  }

  private void silent() {
    for (int i = 0; i < SILENT; i++) {
      asked.put(
          i,
          () -> {
            never.await();
            return "late";
          });
    }
  }

  @Test
  void manyThatAreSilentTakeNothingFromTheOthers() throws IOException {
    silent();
    asked.put(SILENT, () -> "here");
    assertThat(answered()).isEqualTo(Map.of(SILENT, "here"));
  }

  @Test
  void oneThatFailsTakesNothingFromTheOthers() throws IOException {
    asked.put(
        1,
        () -> {
          throw new IOException("refused");
        });
    asked.put(2, () -> "here");
    assertThat(answered()).isEqualTo(Map.of(2, "here"));
  }

  @Test
  void ifNobodyAnswersThatIsAnError() {
    silent();
    assertThatThrownBy(this::answered)
        .isInstanceOf(IOException.class)
        .hasMessage("metric source jolokia: no answer within 2000 ms");
    asked.clear();
    asked.put(
        1,
        () -> {
          throw new IOException("refused");
        });
    assertThatThrownBy(this::answered).isInstanceOf(IOException.class).hasMessage("refused");
  }
}
