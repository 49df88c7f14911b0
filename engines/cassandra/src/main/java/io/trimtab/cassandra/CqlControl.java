package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.host.ControllerId;
import io.trimtab.host.control.HolderWatch;
import io.trimtab.host.control.LockWatch;
import io.trimtab.host.control.PiecedDocuments;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The rows that controllers share: epoch, holder and beat of the lock are static columns of the
 * partition whose rows are the documents, so that a document is written by the same lightweight
 * transaction that checks the epoch.
 */
final class CqlControl implements SharedState, CqlLock.Rows {
  /** Cassandra refuses batches above 50 KiB by default. */
  static final int CELL_BYTES_MAX = 32 << 10;

  private static final Duration READ_LIMIT = Duration.ofSeconds(2);
  private static final Duration READ_PAUSE = Duration.ofMillis(100);

  private static final String PART = "controller";
  private static final String STOPS = "stops";

  /** Requests that are older concern no controller that runs now. */
  private static final int STOP_KEPT_S = 7 * 86_400;

  private final CqlSession session;
  private final String cluster;
  private final PiecedDocuments documents;
  private final LongSupplier nanos;
  private final HolderWatch watched = new HolderWatch(LockWatch.LEASE);

  /**
   * @param cluster for messages
   * @param nanos a clock that goes on while the machine is suspended
   */
  CqlControl(CqlSession session, String cluster, LongSupplier nanos) {
    this.session = session;
    this.nanos = nanos;
    this.cluster = cluster;
    this.documents = new PiecedDocuments(new Reading(), CELL_BYTES_MAX);
  }

  /** Creates the table; the keyspace must exist. */
  static String table() {
    return "CREATE TABLE IF NOT EXISTS %s.state (part text, cell text, epoch bigint static,"
        + " holder text static, attempt uuid static, beat bigint static, value blob,"
        + " PRIMARY KEY (part, cell))";
  }

  /**
   * The lock as it is now.
   *
   * @param epoch 0 if nobody ever held it
   * @param holder empty if nobody holds it
   * @param attempt to take the lock that was successful
   * @param beat changes with each renewal
   */
  record LockRow(long epoch, String holder, Optional<UUID> attempt, long beat) {
    static final LockRow NONE = new LockRow(0, "", Optional.empty(), 0);
  }

  @Override
  public LockRow lock() throws EngineException {
    Row row = one("SELECT epoch, holder, attempt, beat FROM %s.state WHERE part = ? LIMIT 1", PART);
    return row == null || row.isNull("epoch")
        ? LockRow.NONE
        : new LockRow(
            row.getLong("epoch"),
            row.isNull("holder") ? "" : row.getString("holder"),
            Optional.ofNullable(row.getUuid("attempt")),
            row.getLong("beat"));
  }

  /**
   * Takes over from what was seen.
   *
   * @param attempt identifies the contender, who may not hear of its success
   * @return whether nothing had changed since
   */
  @Override
  public boolean take(LockRow seen, String holder, UUID attempt) throws EngineException {
    if (seen.epoch() == 0) {
      return applied(
          "UPDATE %s.state SET epoch = 1, holder = ?, attempt = ?, beat = 0 WHERE part = ?"
              + " IF epoch = null",
          holder, attempt, PART);
    }
    return applied(
        "UPDATE %s.state SET epoch = ?, holder = ?, attempt = ?, beat = 0 WHERE part = ?"
            + " IF epoch = ? AND beat = ? AND holder = ?",
        seen.epoch() + 1, holder, attempt, PART, seen.epoch(), seen.beat(), seen.holder());
  }

  /** Shows that the holder of an epoch lives. */
  @Override
  public boolean renew(long epoch, long beat) throws EngineException {
    // The same twice is as once: where a node is silent another one is asked.
    return applied(beat(epoch, beat).setIdempotent(true));
  }

  /**
   * The beat never goes back. A node that stands still reads what was sent to it when it goes on,
   * long after another one has done it, and what came after that.
   */
  private static SimpleStatement beat(long epoch, long beat) {
    return statement(
        "UPDATE %s.state SET beat = ? WHERE part = ? IF epoch = ? AND beat < ?",
        beat, PART, epoch, beat);
  }

  @Override
  public void release(long epoch) throws EngineException {
    applied("UPDATE %s.state SET holder = '' WHERE part = ? IF epoch = ?", PART, epoch);
  }

  /** Writes a cell of a document, or deletes it if empty. */
  @Override
  public boolean write(long epoch, long beat, String cell, byte[] content) throws EngineException {
    BatchStatementBuilder batch =
        BatchStatement.builder(DefaultBatchType.LOGGED)
            .addStatement(beat(epoch, beat))
            .addStatement(
                content.length == 0
                    ? statement("DELETE FROM %s.state WHERE part = ? AND cell = ?", PART, cell)
                    : statement(
                        "INSERT INTO %s.state (part, cell, value) VALUES (?, ?, ?)",
                        PART, cell, ByteBuffer.wrap(content)))
            .setConsistencyLevel(DefaultConsistencyLevel.QUORUM)
            .setSerialConsistencyLevel(DefaultConsistencyLevel.SERIAL)
            .setIdempotence(true);
    try {
      return session.execute(batch.build()).wasApplied();
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public Optional<byte[]> cell(String cell) throws EngineException {
    Row row = one("SELECT value FROM %s.state WHERE part = ? AND cell = ?", PART, cell);
    ByteBuffer value = row == null ? null : row.getByteBuffer("value");
    if (value == null) {
      return Optional.empty();
    }
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    return Optional.of(bytes);
  }

  private final class Reading implements PiecedDocuments.Cells {
    @Override
    public Optional<byte[]> read(String cell) throws EngineException {
      return cell(cell);
    }

    @Override
    public void write(String cell, byte[] content) {
      throw new UnsupportedOperationException("only the controller in charge writes");
    }
  }

  private static SimpleStatement statement(String cql, Object... values) {
    return SimpleStatement.builder(cql.formatted(Keyspaces.CONTROL))
        .addPositionalValues(values)
        .setConsistencyLevel(DefaultConsistencyLevel.QUORUM)
        .setSerialConsistencyLevel(DefaultConsistencyLevel.SERIAL)
        .setIdempotence(false)
        .build();
  }

  private boolean applied(String cql, Object... values) throws EngineException {
    return applied(statement(cql, values));
  }

  private boolean applied(SimpleStatement statement) throws EngineException {
    try {
      return session.execute(statement).wasApplied();
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Reads what the last transaction has written, also one that is still being finished. */
  private Row one(String cql, Object... values) throws EngineException {
    SimpleStatement read =
        statement(cql, values)
            .setConsistencyLevel(DefaultConsistencyLevel.SERIAL)
            .setIdempotent(true);
    try {
      // Transactions and reads of several processes can outvote each other for a moment.
      return CassandraErrors.ANSWERS.ask(
          cluster, READ_LIMIT, READ_PAUSE, again -> session.execute(read).one());
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private EngineException failed(RuntimeException e) {
    return new EngineException(
        cluster + ": keyspace " + Keyspaces.CONTROL + ": " + CassandraErrors.line(e), e);
  }

  private boolean exists() {
    return session
        .getMetadata()
        .getKeyspace(Keyspaces.CONTROL)
        .filter(k -> k.getTable("state").isPresent())
        .isPresent();
  }

  @Override
  public Optional<byte[]> read(String document) throws EngineException {
    return exists() ? documents.read(document) : Optional.empty();
  }

  @Override
  public Optional<Holder> holder() throws EngineException {
    return exists() ? holder(this, watched, nanos) : Optional.empty();
  }

  /**
   * Who has the lock, and whether it lives.
   *
   * @param watched what was seen of it before
   */
  static Optional<Holder> holder(CqlLock.Rows rows, HolderWatch watched, LongSupplier nanos)
      throws EngineException {
    long sentAtNs = nanos.getAsLong();
    LockRow row = rows.lock();
    if (row.holder().isEmpty()) {
      return Optional.empty();
    }
    ControllerId holder = ControllerId.parse(row.holder());
    Life life = watched.look(row, sentAtNs, nanos.getAsLong());
    boolean died = holder.diedBeside(ControllerId.of(ProcessHandle.current(), ""));
    return Optional.of(new Holder(holder.toString(), died ? Life.GONE : life));
  }

  @Override
  public void requestStop(String by) throws EngineException {
    if (!exists()) {
      // No controller has ever acted here.
      return;
    }
    try {
      session.execute(
          statement(
              "INSERT INTO %s.state (part, cell) VALUES (?, ?) USING TTL " + STOP_KEPT_S,
              STOPS,
              UUID.randomUUID() + " by " + by));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public Set<String> stopRequests() throws EngineException {
    Set<String> stops = new TreeSet<>();
    if (exists()) {
      try {
        session
            .execute(
                statement("SELECT cell FROM %s.state WHERE part = ?", STOPS).setIdempotent(true))
            .forEach(row -> Optional.ofNullable(row.getString("cell")).ifPresent(stops::add));
      } catch (RuntimeException e) {
        throw failed(e);
      }
    }
    return stops;
  }
}
