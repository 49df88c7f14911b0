package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TenureTest extends SafetyFixture {
  /** Held until it is asked to end. */
  private static final class Lapsing implements ControlLock {
    private boolean held = true;
    private boolean closed;

    @Override
    public long epoch() {
      return 5;
    }

    @Override
    public String holder() {
      return "me";
    }

    @Override
    public boolean held() {
      return held;
    }

    @Override
    public void write(String document, byte[] content) {}

    @Override
    public Set<String> stopRequests() {
      return Set.of();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** Frozen while it reads what others have left, long enough for a successor to begin. */
  @Test
  void oneThatLosesControlWhileItBeginsOpensNoJournal() {
    Lapsing lock = new Lapsing();
    SharedState slow =
        (SharedState)
            Proxy.newProxyInstance(
                SharedState.class.getClassLoader(),
                new Class<?>[] {SharedState.class},
                (proxy, verb, arguments) -> {
                  lock.held = false;
                  return verb.invoke(cluster.control(), arguments);
                });

    assertThatThrownBy(
            () ->
                Tenure.begin(
                    lock,
                    slow,
                    here,
                    new Entry.Took(cluster.clock().instant(), 5, "me", "1", "met", "", "")))
        .isInstanceOf(LostControlException.class);

    assertThat(here.lines()).isEmpty();
    assertThat(lock.closed).isTrue();
  }
}
