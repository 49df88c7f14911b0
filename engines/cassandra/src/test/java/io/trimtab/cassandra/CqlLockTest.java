package io.trimtab.cassandra;

import static io.trimtab.cassandra.CassandraEngineTest.fake;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.trimtab.cassandra.CqlControl.LockRow;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.SharedState.Holder;
import io.trimtab.engineapi.SharedState.Life;
import io.trimtab.host.ControllerId;
import io.trimtab.host.control.HolderWatch;
import io.trimtab.host.control.LockWatch;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The lock of a controller on another machine: only its beat tells whether that one lives. */
class CqlLockTest {
  private static final String LOST = new ControllerId("lost/1", 7, 9, "h2", "eve").text();
  private static final String LOST_NAME = "eve (h2:7)";

  private final AtomicLong nanos = new AtomicLong(Duration.ofDays(3).toNanos());
  private final FakeRows rows = new FakeRows();
  private final HolderWatch holder = new HolderWatch(LockWatch.LEASE);
  private Optional<CqlLock> taken = Optional.empty();

  /** A partition whose statements succeed one after another. */
  private static final class FakeRows implements CqlLock.Rows {
    private LockRow row = new LockRow(4, LOST, Optional.of(UUID.randomUUID()), 11);
    private final Map<String, byte[]> cells = new HashMap<>();

    /** Writes that a renewal overtakes. */
    private int overtaken;

    @Override
    public synchronized LockRow lock() {
      return row;
    }

    @Override
    public synchronized boolean take(LockRow seen, String by, UUID attempt) {
      if (!seen.equals(row)) {
        return false;
      }
      row = new LockRow(row.epoch() + 1, by, Optional.of(attempt), 0);
      return true;
    }

    @Override
    public synchronized boolean renew(long epoch, long beat) {
      if (epoch != row.epoch() || beat <= row.beat()) {
        return false;
      }
      row = new LockRow(epoch, row.holder(), row.attempt(), beat);
      return true;
    }

    @Override
    public synchronized void release(long epoch) {
      row = new LockRow(row.epoch(), "", row.attempt(), row.beat());
    }

    @Override
    public synchronized boolean write(long epoch, long beat, String cell, byte[] content) {
      if (overtaken-- > 0) {
        renew(row.epoch(), beat);
      }
      boolean written = renew(epoch, beat);
      if (written) {
        cells.put(cell, content);
      }
      return written;
    }

    @Override
    public synchronized Optional<byte[]> cell(String cell) {
      return Optional.ofNullable(cells.get(cell));
    }

    @Override
    public Set<String> stopRequests() {
      return Set.of();
    }
  }

  @AfterEach
  void close() {
    taken.ifPresent(CqlLock::close);
  }

  private void take() throws EngineException {
    taken =
        Optional.of(CqlLock.take(rows, "the ring", "me", UUID.randomUUID(), holder, nanos::get));
  }

  private void seconds(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  private void refused(int endsWithinSeconds) {
    assertThatThrownBy(this::take)
        .isInstanceOfSatisfying(
            ControlTakenException.class,
            e -> {
              assertThat(e).hasMessageContaining("is in charge of this cluster: " + LOST_NAME);
              assertThat(e.holder()).isEqualTo(LOST_NAME);
              assertThat(e.endsWithin()).isEqualTo(Duration.ofSeconds(endsWithinSeconds));
            });
  }

  @Test
  void aSilentHoldersLockIsGivenAwayAfterALease() throws EngineException {
    refused(12);
    seconds(4);
    refused(8);
    seconds(8);
    take();
    assertThat(taken.orElseThrow().epoch()).isEqualTo(5);
    assertThat(taken.orElseThrow().held()).isTrue();
  }

  @Test
  void aHolderThatBeatsIsKnownToLive() {
    refused(12);
    seconds(3);
    assertThat(rows.renew(4, 12)).isTrue();
    refused(0);
    for (int beat = 13; beat < 20; beat++) {
      seconds(3);
      assertThat(rows.renew(4, beat)).isTrue();
      refused(0);
    }
  }

  private void taken() throws EngineException {
    rows.release(4);
    take();
  }

  /** Both count up the same number, and may be done in the other order. */
  @Test
  void aWriteThatARenewalOvertakesIsMadeAgain() throws EngineException {
    taken();
    rows.overtaken = 2;
    taken.orElseThrow().write("plan", "step 1".getBytes(UTF_8));
    assertThat(rows.cells).containsOnlyKeys("plan");
    assertThat(taken.orElseThrow().held()).isTrue();
  }

  @Test
  void aWriteThatIsOvertakenAgainAndAgainFailsAndLosesNoLock() throws EngineException {
    taken();
    rows.overtaken = Integer.MAX_VALUE;
    assertThatThrownBy(() -> taken.orElseThrow().write("plan", new byte[] {1}))
        .isExactlyInstanceOf(EngineException.class)
        .hasMessage("the ring: plan could not be written: the lock was renewed meanwhile, 5 times");
    assertThat(taken.orElseThrow().held()).isTrue();
  }

  @Test
  void aWriteOfAnEpochThatIsOverLosesTheLock() throws EngineException {
    taken();
    assertThat(rows.take(rows.lock(), LOST, UUID.randomUUID())).isTrue();
    assertThatThrownBy(() -> taken.orElseThrow().write("plan", new byte[] {1}))
        .isInstanceOf(LostControlException.class);
    assertThat(rows.cells).isEmpty();
    assertThat(taken.orElseThrow().held()).isFalse();
  }

  @Test
  void whoWatchesLearnsWhetherTheHolderLives() throws EngineException {
    assertThat(holder()).isEqualTo(Optional.of(new Holder(LOST_NAME, Life.UNKNOWN)));
    seconds(3);
    assertThat(rows.renew(4, 12)).isTrue();
    assertThat(holder()).isEqualTo(Optional.of(new Holder(LOST_NAME, Life.LIVES)));
    seconds(12);
    assertThat(holder()).isEqualTo(Optional.of(new Holder(LOST_NAME, Life.GONE)));
    rows.release(4);
    assertThat(holder()).isEmpty();
  }

  private Optional<Holder> holder() throws EngineException {
    return CqlControl.holder(rows, holder, nanos::get);
  }

  /** What the lightweight transactions do, as Cassandra reads them. */
  @Nested
  class Statements {
    private static final long EPOCH = 7;

    /** Static columns of the partition. */
    private final Map<String, Object> columns = new HashMap<>(Map.of("epoch", EPOCH, "beat", 0L));

    private final Map<String, String> cells = new HashMap<>();

    /** All that was sent. */
    private final List<Object> sent = new ArrayList<>();

    private final CqlControl control = new CqlControl(session(), "the ring", System::nanoTime);

    private CqlSession session() {
      return (CqlSession)
          Proxy.newProxyInstance(
              CqlSession.class.getClassLoader(),
              new Class<?>[] {CqlSession.class},
              (proxy, called, given) -> {
                sent.add(given[0]);
                boolean applied = arrives(given[0]);
                return fake(ResultSet.class, asked -> applied);
              });
    }

    /** A statement reaches a node, for the first time or again. */
    private boolean arrives(Object statement) {
      List<SimpleStatement> all = new ArrayList<>();
      if (statement instanceof BatchStatement batch) {
        batch.forEach(each -> all.add((SimpleStatement) each));
      } else {
        all.add((SimpleStatement) statement);
      }
      boolean holds = all.stream().allMatch(this::holds);
      if (holds) {
        all.forEach(this::carryOut);
      }
      return holds;
    }

    /** Whether each {@code column = ?} and {@code column < ?} after IF is so. */
    private boolean holds(SimpleStatement statement) {
      String[] parts = statement.getQuery().split(" IF ", 2);
      if (parts.length < 2) {
        return true;
      }
      int at = (int) parts[0].chars().filter(c -> c == '?').count();
      for (String condition : parts[1].split(" AND ")) {
        String[] words = condition.split(" ", 3);
        long is = (Long) columns.get(words[0]);
        long given = (Long) statement.getPositionalValues().get(at++);
        if (words[1].equals("<") ? is >= given : is != given) {
          return false;
        }
      }
      return true;
    }

    private void carryOut(SimpleStatement statement) {
      List<Object> values = statement.getPositionalValues();
      switch (statement.getQuery().split(" ", 2)[0]) {
        case "UPDATE" -> columns.put("beat", values.get(0));
        case "INSERT" ->
            cells.put(
                (String) values.get(1),
                UTF_8.decode(((ByteBuffer) values.get(2)).duplicate()).toString());
        default -> cells.remove(values.get(1));
      }
    }

    private boolean write(long beat, String content) throws EngineException {
      return control.write(EPOCH, beat, "plan", content.getBytes(UTF_8));
    }

    /** A node that stood still carries out what another one has done long ago. */
    @Test
    void whatComesLateIsNotDone() throws EngineException {
      assertThat(write(1, "open")).isTrue();
      assertThat(write(2, "done")).isTrue();
      assertThat(arrives(sent.get(0))).isFalse();
      assertThat(cells).containsExactly(Map.entry("plan", "done"));

      assertThat(write(3, "")).isTrue();
      assertThat(arrives(sent.get(1))).isFalse();
      assertThat(cells).isEmpty();
    }

    /** A renewal that came late would let an older write in. */
    @Test
    void theBeatNeverGoesBack() throws EngineException {
      assertThat(control.renew(EPOCH, 1)).isTrue();
      assertThat(write(2, "open")).isTrue();
      assertThat(write(3, "done")).isTrue();
      assertThat(arrives(sent.get(0))).isFalse();
      assertThat(arrives(sent.get(1))).isFalse();
      assertThat(columns).containsEntry("beat", 3L);
      assertThat(cells).containsExactly(Map.entry("plan", "done"));
    }

    @Test
    void nothingIsDoneForAnEpochThatIsOver() throws EngineException {
      columns.put("epoch", EPOCH + 1);
      assertThat(control.renew(EPOCH, 1)).isFalse();
      assertThat(write(2, "open")).isFalse();
      assertThat(columns).containsEntry("beat", 0L);
      assertThat(cells).isEmpty();
    }
  }
}
