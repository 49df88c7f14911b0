package io.trimtab.cassandra;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.SharedState.Life;
import io.trimtab.host.ControllerId;
import io.trimtab.host.control.HolderWatch;
import io.trimtab.host.control.LockWatch;
import io.trimtab.host.control.PiecedDocuments;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock in rows that are written by lightweight transactions: there is one controller per cluster,
 * on whatever host it runs. The holder changes a number every few seconds; who wants to take over
 * watches it stand still for a lease, by a clock of its own, so that no two clocks are compared.
 */
final class CqlLock implements ControlLock {
  private static final Logger LOG = LoggerFactory.getLogger(CqlLock.class);

  /** A cell is written so often: renewals, of which one overtakes it at most, are seconds apart. */
  private static final int WRITES_MAX = 5;

  private final Rows control;
  private final String cluster;
  private final ControllerId self;
  private final long epoch;
  private final LongSupplier nanos;
  private final AtomicLong beat;
  private final PiecedDocuments documents;
  private final LockWatch watch;

  private CqlLock(
      Rows control,
      String cluster,
      ControllerId self,
      long epoch,
      long beat,
      LongSupplier nanos,
      long sentAtNs) {
    this.beat = new AtomicLong(beat);
    this.control = control;
    this.cluster = cluster;
    this.self = self;
    this.epoch = epoch;
    this.nanos = nanos;
    this.documents = new PiecedDocuments(new Cells(), CqlControl.CELL_BYTES_MAX);
    this.watch = new LockWatch("cassandra-lock", new Renewal(), LockWatch.LEASE, nanos, sentAtNs);
  }

  /** The rows of the lock and of the documents: {@link CqlControl}. */
  interface Rows {
    CqlControl.LockRow lock() throws EngineException;

    /** Takes over from what was seen, unless something has changed since. */
    boolean take(CqlControl.LockRow seen, String holder, UUID attempt) throws EngineException;

    /** False if the epoch is over, or has had this beat or a later one. */
    boolean renew(long epoch, long beat) throws EngineException;

    void release(long epoch) throws EngineException;

    /** False, and nothing is written, if the epoch is over or has had this beat or a later one. */
    boolean write(long epoch, long beat, String cell, byte[] content) throws EngineException;

    Optional<byte[]> cell(String cell) throws EngineException;

    Set<String> stopRequests() throws EngineException;
  }

  /**
   * Takes the lock if nobody holds it, its holder is known to have died, or has stood still for a
   * lease.
   *
   * @param holder what this process saw at its earlier tries
   * @param attempt the same in each repetition: an earlier one may have been executed without a
   *     response
   * @throws ControlTakenException when the holder may live; to be tried again until it is known
   */
  static CqlLock take(
      Rows control,
      String cluster,
      String owner,
      UUID attempt,
      HolderWatch holder,
      LongSupplier nanos)
      throws EngineException {
    ControllerId self = ControllerId.of(ProcessHandle.current(), owner);
    while (true) {
      long sentAtNs = nanos.getAsLong();
      CqlControl.LockRow row = control.lock();
      if (!row.holder().isEmpty() && row.attempt().equals(Optional.of(attempt))) {
        return new CqlLock(control, cluster, self, row.epoch(), row.beat(), nanos, sentAtNs);
      }
      if (!row.holder().isEmpty()) {
        ControllerId other = ControllerId.parse(row.holder());
        long answeredAtNs = nanos.getAsLong();
        Life life = holder.look(row, sentAtNs, answeredAtNs);
        if (life != Life.GONE && !other.diedBeside(self)) {
          throw new ControlTakenException(
              cluster + ": another controller is in charge of this cluster: " + other,
              other.toString(),
              life == Life.LIVES ? Duration.ZERO : holder.left(answeredAtNs));
        }
      }
      if (control.take(row, self.text(), attempt)) {
        return new CqlLock(control, cluster, self, row.epoch() + 1, 0, nanos, sentAtNs);
      }
    }
  }

  private LostControlException lost() {
    watch.lose();
    return new LostControlException(
        cluster
            + ": control of the cluster was lost: epoch "
            + epoch
            + " of this controller is over");
  }

  private void requireEpoch() throws EngineException {
    if (control.lock().epoch() != epoch) {
      throw lost();
    }
  }

  private final class Renewal implements LockWatch.Renewal {
    @Override
    public void renew() throws EngineException {
      if (!control.renew(epoch, beat.incrementAndGet())) {
        // A document that was written meanwhile shows that this controller lives as well.
        requireEpoch();
      }
    }

    @Override
    public Set<String> stops() throws EngineException {
      return control.stopRequests();
    }
  }

  private final class Cells implements PiecedDocuments.Cells {
    @Override
    public Optional<byte[]> read(String cell) throws EngineException {
      return control.cell(cell);
    }

    @Override
    public void write(String cell, byte[] content) throws EngineException {
      for (int i = 0; i < WRITES_MAX; i++) {
        long sentAtNs = nanos.getAsLong();
        if (control.write(epoch, beat.incrementAndGet(), cell, content)) {
          watch.answered(sentAtNs);
          return;
        }
        // A renewal has overtaken it, or it was done and the second node that was asked says so.
        requireEpoch();
      }
      throw new EngineException(
          "%s: %s could not be written: the lock was renewed meanwhile, %d times"
              .formatted(cluster, cell, WRITES_MAX));
    }
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public String holder() {
    return self.toString();
  }

  @Override
  public boolean held() {
    return watch.held();
  }

  @Override
  public synchronized void write(String document, byte[] content) throws EngineException {
    require();
    documents.write(document, content);
  }

  @Override
  public Set<String> stopRequests() {
    return watch.stops();
  }

  @Override
  public void close() {
    boolean held = watch.held();
    watch.close();
    if (!held) {
      return;
    }
    try {
      control.release(epoch);
    } catch (EngineException e) {
      LOG.warn("the lock stays for {} s", LockWatch.LEASE.toSeconds(), e);
    }
  }
}
