package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What an operator is told to look at where JMX fails. */
class JmxRankingTest {
  @Test
  void aRefusedUserIsToldWhereToNameAnother() {
    IOException refused =
        new IOException("JMX at n1:7199 refuses the user", new SecurityException());
    assertThat(JmxRanking.hint(refused, true)).isEqualTo("; see --jmx-user");
    assertThat(JmxRanking.hint(refused, false)).isEqualTo("; see --jmx-user");
  }

  @Test
  void onlyOfANodeThatServesItIsAsked() {
    IOException closed = new IOException("does not answer", new ConnectException("refused"));
    IOException filtered = new IOException("does not answer", new SocketTimeoutException());
    assertThat(JmxRanking.hint(closed, true)).contains("is --jmx-port right");
    assertThat(JmxRanking.hint(filtered, true)).contains("is --jmx-port right");
    assertThat(JmxRanking.hint(closed, false)).isEmpty();
  }

  @Test
  void aNodeThatIsFrozenNeedsNoHint() {
    assertThat(JmxRanking.hint(new IOException("within 15 s", new TimeoutException()), true))
        .isEmpty();
  }
}
