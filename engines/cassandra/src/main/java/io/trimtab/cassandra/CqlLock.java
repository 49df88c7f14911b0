package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.ControllerId;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A row that is written, renewed and removed by lightweight transactions and expires when it is not
 * renewed: there is one controller per cluster, on whatever host it runs.
 */
final class CqlLock implements ControlLock {
  private static final Logger LOG = LoggerFactory.getLogger(CqlLock.class);
  private static final String NAME = "controller";
  private static final int LASTS_S = 30;
  private static final int RENEWED_S = 7;

  /** Before the row's own end, for clocks and for requests under way. */
  private static final long MARGIN_NS = TimeUnit.SECONDS.toNanos(5);

  private final CqlSession session;
  private final String self;
  private final LongSupplier nanos;
  private final ScheduledExecutorService renewal;
  private volatile long heldUntilNs;
  private volatile boolean closed;

  private CqlLock(CqlSession session, String self, LongSupplier nanos, long askedAtNs) {
    this.session = session;
    this.self = self;
    this.nanos = nanos;
    this.heldUntilNs = askedAtNs + TimeUnit.SECONDS.toNanos(LASTS_S) - MARGIN_NS;
    this.renewal =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "cassandra-lock");
              thread.setDaemon(true);
              return thread;
            });
    renewal.scheduleAtFixedRate(this::renew, RENEWED_S, RENEWED_S, TimeUnit.SECONDS);
  }

  /**
   * @param owner the requester, for display
   * @param again whether a row with this process may come from an attempt without a response
   * @throws EngineException naming the holder, when there is one that lives
   */
  static CqlLock take(
      CqlSession session, String cluster, String owner, boolean again, LongSupplier nanos)
      throws EngineException {
    ControllerId self = ControllerId.of(ProcessHandle.current(), owner);
    while (true) {
      long askedAtNs = nanos.getAsLong();
      String holder = written(session, self.text(), null);
      if (holder == null) {
        return new CqlLock(session, self.text(), nanos, askedAtNs);
      }
      if (holder.isEmpty()) {
        continue;
      }
      ControllerId other = ControllerId.parse(holder);
      boolean ours = again && holder.equals(self.text());
      if (!ours && !other.diedBeside(self)) {
        throw new EngineException(
            cluster + ": another controller is in charge of this cluster: " + other);
      }
      // A dead one's row would last for some seconds more, and its process is known to be gone.
      if (written(session, self.text(), holder) == null) {
        return new CqlLock(session, self.text(), nanos, askedAtNs);
      }
    }
  }

  /**
   * Writes the row if it is as expected.
   *
   * @param expected null: if there is none
   * @return null when it was written, else what the row says
   */
  private static String written(CqlSession session, String value, String expected) {
    String cql =
        expected == null
            ? "INSERT INTO %s.control (value, name) VALUES (?, ?) IF NOT EXISTS USING TTL "
                + LASTS_S
            : "UPDATE %s.control USING TTL "
                + LASTS_S
                + " SET value = ? WHERE name = ? IF value = ?";
    Object[] values =
        expected == null ? new Object[] {value, NAME} : new Object[] {value, NAME, expected};
    ResultSet result = execute(session, cql, values);
    if (result.wasApplied()) {
      return null;
    }
    Row row = result.one();
    String held =
        row != null && row.getColumnDefinitions().contains("value") ? row.getString("value") : null;
    // It was deleted between the two: there is no holder.
    return held == null ? "" : held;
  }

  private static ResultSet execute(CqlSession session, String cql, Object... values) {
    return session.execute(
        SimpleStatement.builder(cql.formatted(Keyspaces.CONTROL))
            .addPositionalValues(values)
            .setConsistencyLevel(DefaultConsistencyLevel.QUORUM)
            .setSerialConsistencyLevel(DefaultConsistencyLevel.SERIAL)
            .setIdempotence(false)
            .build());
  }

  private void renew() {
    if (closed) {
      return;
    }
    long askedAtNs = nanos.getAsLong();
    try {
      if (written(session, self, self) == null) {
        heldUntilNs = askedAtNs + TimeUnit.SECONDS.toNanos(LASTS_S) - MARGIN_NS;
      } else {
        LOG.warn("the lock has been taken by another controller");
        heldUntilNs = askedAtNs;
      }
    } catch (RuntimeException e) {
      LOG.warn("the lock could not be renewed", e);
    }
  }

  @Override
  public boolean held() {
    return !closed && nanos.getAsLong() - heldUntilNs < 0;
  }

  @Override
  public void close() {
    closed = true;
    renewal.shutdownNow();
    try {
      execute(session, "DELETE FROM %s.control WHERE name = ? IF value = ?", NAME, self);
    } catch (RuntimeException e) {
      LOG.warn("the lock stays for up to {} s", LASTS_S, e);
    }
  }
}
