package io.trimtab.workload;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.OptionsMap;
import com.datastax.oss.driver.api.core.config.TypedDriverOption;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.trimtab.config.UserError;
import io.trimtab.workload.driver.RoundRobinPolicy;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Cassandra through its public driver: token-aware, follows nodes that come and go by itself. All
 * statements are idempotent, because versions are timestamps, so the driver may try another node;
 * {@link TenantRun} sees and counts what that does not mend.
 */
public final class CassandraTarget implements Target {
  /** Holds the tenants' tables. */
  public static final String KEYSPACE = "trimtab";

  private static final int IN_FLIGHT = 64;
  private static final int READ_THREADS = 4;
  private static final int RANGES = 32;
  private static final int ROWS_AT_ONCE = 500;
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(10);
  private static final Duration SCHEMA_LIMIT = Duration.ofSeconds(60);
  private static final BigInteger FIRST = BigInteger.valueOf(Long.MIN_VALUE);

  private final CqlSession session;
  private final int replication;

  /** Which node a client asks. */
  public enum Routing {
    /** One that has the data; the driver's default. */
    TOKEN_AWARE("DcInferringLoadBalancingPolicy"),
    /** All in turn. */
    ROUND_ROBIN(RoundRobinPolicy.class.getName());

    private final String policy;

    Routing(String policy) {
      this.policy = policy;
    }
  }

  /** By what they say, with the table's name. */
  private final Map<String, PreparedStatement> prepared = new ConcurrentHashMap<>();

  private CassandraTarget(CqlSession session, int replication) {
    this.session = session;
    this.replication = replication;
  }

  /**
   * Connects.
   *
   * @param points some nodes' CQL addresses
   * @param replication copies of each datum, for the keyspace if it must be made
   */
  public static CassandraTarget connect(List<InetSocketAddress> points, int replication)
      throws IOException {
    return connect(points, replication, Routing.TOKEN_AWARE);
  }

  /** As {@link #connect(List, int)}, asking nodes in another way. */
  public static CassandraTarget connect(
      List<InetSocketAddress> points, int replication, Routing routing) throws IOException {
    return connect(points, replication, routing, Optional.empty());
  }

  /**
   * As {@link #connect(List, int)}, of a cluster that asks for more than an address.
   *
   * @param driver a file of the driver's options, {@code application.conf}: user, TLS, …
   */
  public static CassandraTarget connect(
      List<InetSocketAddress> points, int replication, Optional<Path> driver) throws IOException {
    return connect(points, replication, Routing.TOKEN_AWARE, driver);
  }

  private static CassandraTarget connect(
      List<InetSocketAddress> points, int replication, Routing routing, Optional<Path> driver)
      throws IOException {
    OptionsMap own = new OptionsMap();
    own.put(TypedDriverOption.CONNECTION_CONNECT_TIMEOUT, REQUEST_LIMIT);
    own.put(TypedDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, REQUEST_LIMIT);
    own.put(TypedDriverOption.CONTROL_CONNECTION_TIMEOUT, REQUEST_LIMIT);
    own.put(TypedDriverOption.REQUEST_TIMEOUT, REQUEST_LIMIT);
    own.put(TypedDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true);
    own.put(TypedDriverOption.LOAD_BALANCING_POLICY_CLASS, routing.policy);
    own.put(TypedDriverOption.RECONNECTION_POLICY_CLASS, "ConstantReconnectionPolicy");
    own.put(TypedDriverOption.RECONNECTION_BASE_DELAY, Duration.ofSeconds(1));
    own.put(TypedDriverOption.NETTY_DAEMON, true);
    own.put(TypedDriverOption.NETTY_IO_SIZE, 2);
    own.put(TypedDriverOption.NETTY_ADMIN_SIZE, 1);
    DriverConfigLoader rest =
        driver
            .map(file -> DriverConfigLoader.fromFile(file.toFile()))
            .orElseGet(() -> DriverConfigLoader.programmaticBuilder().build());
    DriverConfigLoader config = DriverConfigLoader.compose(DriverConfigLoader.fromMap(own), rest);
    try {
      CqlSession session =
          CqlSession.builder().addContactPoints(points).withConfigLoader(config).build();
      return new CassandraTarget(session, replication);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  public CqlSession session() {
    return session;
  }

  private static IOException failed(Throwable e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return new IOException(text.strip().split("\n", 2)[0], e);
  }

  private static String table(TenantSpec tenant) {
    return KEYSPACE + "." + CqlIdentifier.fromInternal(tenant.table()).asCql(true);
  }

  private static String columns(TenantSpec tenant) {
    return IntStream.range(0, tenant.fields())
        .mapToObj(field -> "field" + field)
        .collect(Collectors.joining(", "));
  }

  private BoundStatement bound(TenantSpec tenant, String cql, Object... values) {
    return prepared
        .computeIfAbsent(cql, session::prepare)
        .bind(values)
        .setConsistencyLevel(DefaultConsistencyLevel.valueOf(tenant.consistency().name()));
  }

  private void schema(String cql) {
    session.execute(SimpleStatement.builder(cql).setTimeout(SCHEMA_LIMIT).build());
  }

  @Override
  public void create(TenantSpec tenant, boolean drop) throws IOException {
    if (!tenant.table().matches("\\w{1,48}")) {
      throw new UserError(
          "table "
              + tenant.table()
              + ": Cassandra takes 1 to 48 of A-Z a-z 0-9 _; give the tenant another table");
    }
    try {
      schema(
          ("CREATE KEYSPACE IF NOT EXISTS %s WITH replication ="
                  + " {'class': 'SimpleStrategy', 'replication_factor': %d}")
              .formatted(KEYSPACE, replication));
      boolean exists =
          session
              .refreshSchema()
              .getKeyspace(KEYSPACE)
              .flatMap(k -> k.getTable(CqlIdentifier.fromInternal(tenant.table())))
              .isPresent();
      if (exists && !drop) {
        throw new UserError(
            "table " + tenant.table() + " exists; replace it with --drop, or use another table");
      }
      if (exists) {
        schema("DROP TABLE " + table(tenant));
      }
      String fields =
          IntStream.range(0, tenant.fields())
              .mapToObj(field -> "field" + field + " blob")
              .collect(Collectors.joining(", "));
      schema(
          ("CREATE TABLE %s (key blob PRIMARY KEY, %s)"
                  + " WITH caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}")
              .formatted(table(tenant), fields));
      prepared.clear();
    } catch (UserError e) {
      throw e;
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private BoundStatement insert(TenantSpec tenant, byte[] key, long version, byte[][] values) {
    String marks = "?, ".repeat(tenant.fields()) + "?";
    String cql =
        "INSERT INTO %s (key, %s) VALUES (%s) USING TIMESTAMP ?"
            .formatted(table(tenant), columns(tenant), marks);
    Object[] bound = new Object[values.length + 2];
    bound[0] = ByteBuffer.wrap(key);
    for (int field = 0; field < values.length; field++) {
      bound[field + 1] = ByteBuffer.wrap(values[field]);
    }
    bound[values.length + 1] = version;
    return bound(tenant, cql, bound);
  }

  @Override
  public void load(TenantSpec tenant, long version, List<Row> rows) throws IOException {
    try {
      ArrayDeque<CompletableFuture<AsyncResultSet>> under = new ArrayDeque<>();
      for (Row row : rows) {
        if (under.size() == IN_FLIGHT) {
          await(under.removeFirst());
        }
        under.addLast(
            session
                .executeAsync(insert(tenant, row.key(), version, row.values()))
                .toCompletableFuture());
      }
      for (CompletableFuture<AsyncResultSet> each : under) {
        await(each);
      }
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private static void await(CompletableFuture<AsyncResultSet> result) throws IOException {
    try {
      result.get();
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /**
   * The commit log has it; a flush is JMX's business and changes nothing that a client could see.
   */
  @Override
  public void loaded(TenantSpec tenant) {}

  @Override
  public byte[][] read(TenantSpec tenant, byte[] key) throws IOException {
    String cql = "SELECT %s FROM %s WHERE key = ?".formatted(columns(tenant), table(tenant));
    try {
      var row = session.execute(bound(tenant, cql, ByteBuffer.wrap(key))).one();
      return row == null ? null : values(tenant, row, 0);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public List<Row> scan(TenantSpec tenant, byte[] key, int limit) throws IOException {
    String cql =
        "SELECT key, %s FROM %s WHERE token(key) >= token(?) LIMIT ?"
            .formatted(columns(tenant), table(tenant));
    try {
      var rows = new ArrayList<Row>(limit);
      session
          .execute(
              bound(tenant, cql, ByteBuffer.wrap(key), limit).setPageSize(tenant.fetched(limit)))
          .forEach(row -> rows.add(new Row(bytes(row.getByteBuffer(0)), values(tenant, row, 1))));
      return rows;
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public void write(TenantSpec tenant, byte[] key, long version, byte[][] values)
      throws IOException {
    try {
      session.execute(insert(tenant, key, version, values));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public void forEach(TenantSpec tenant, Consumer<Row> visitor) throws IOException {
    BigInteger step = BigInteger.ONE.shiftLeft(64).divide(BigInteger.valueOf(RANGES));
    var jobs = new ArrayList<Callable<Void>>();
    for (int i = 0; i < RANGES; i++) {
      // No row has the least token, so ranges may leave out their first.
      long after = FIRST.add(step.multiply(BigInteger.valueOf(i))).longValueExact();
      long upTo =
          i == RANGES - 1
              ? Long.MAX_VALUE
              : FIRST.add(step.multiply(BigInteger.valueOf(i + 1L))).longValueExact();
      jobs.add(
          () -> {
            range(tenant, after, upTo, visitor);
            return null;
          });
    }
    ExecutorService pool = Executors.newFixedThreadPool(READ_THREADS);
    try {
      Loader.all(pool, jobs);
    } finally {
      pool.shutdownNow();
    }
  }

  private void range(TenantSpec tenant, long after, long upTo, Consumer<Row> visitor)
      throws IOException {
    String cql =
        "SELECT key, %s FROM %s WHERE token(key) > ? AND token(key) <= ?"
            .formatted(columns(tenant), table(tenant));
    try {
      session
          .execute(bound(tenant, cql, after, upTo).setPageSize(ROWS_AT_ONCE))
          .forEach(
              row -> visitor.accept(new Row(bytes(row.getByteBuffer(0)), values(tenant, row, 1))));
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private static byte[][] values(
      TenantSpec tenant, com.datastax.oss.driver.api.core.cql.Row row, int first) {
    byte[][] values = new byte[tenant.fields()][];
    for (int field = 0; field < values.length; field++) {
      values[field] = bytes(row.getByteBuffer(first + field));
    }
    return values;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    if (buffer == null) {
      return null;
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Override
  public void close() {
    session.close();
  }
}
