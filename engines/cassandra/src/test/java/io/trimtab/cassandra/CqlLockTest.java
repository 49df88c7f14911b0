package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cassandra.CqlControl.LockRow;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState.Holder;
import io.trimtab.engineapi.SharedState.Life;
import io.trimtab.host.ControllerId;
import io.trimtab.host.control.HolderWatch;
import io.trimtab.host.control.LockWatch;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
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
      if (epoch != row.epoch()) {
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
    public boolean write(long epoch, long beat, String cell, byte[] content) {
      return renew(epoch, beat);
    }

    @Override
    public Optional<byte[]> cell(String cell) {
      return Optional.empty();
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
}
