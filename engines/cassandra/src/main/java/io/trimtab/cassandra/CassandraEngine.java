package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.cassandra.versions.CassandraVersions;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.SharedState;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.host.Clocks;
import io.trimtab.host.ControllerId;
import io.trimtab.host.GivenLock;
import io.trimtab.host.InCharge;
import io.trimtab.host.control.HolderWatch;
import io.trimtab.host.control.LockWatch;
import io.trimtab.host.control.SuspendAwareTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Cassandra cluster, by CQL and JMX. Tokens decide which node has which data, so that there is
 * nothing to move, split or merge: nodes join, tidy up and leave.
 */
public final class CassandraEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(CassandraEngine.class);

  /** For leases and rates: goes on while the machine is suspended, and does not jump. */
  private static final LongSupplier UPTIME_NS =
      new SuspendAwareTime(Path.of("/proc"), System::nanoTime);

  private static final Duration LOCK_LIMIT = Duration.ofSeconds(30);
  private static final Duration LOCK_PAUSE = Duration.ofSeconds(1);
  private static final Duration CLEAR_LIMIT = Duration.ofSeconds(30);

  private final CassandraContact contact;
  private final CqlSession session;
  private final JmxPool jmx;
  private final NodeProfile.Threads threads = new NodeProfile.Threads();
  private String clusterId;
  private final RingSnapshots snapshots;
  private final Clocks clocks;

  /** Of all who hold none of their own. */
  private final UsageReadings readings = new UsageReadings();

  private final Membership membership;
  private final CqlControl control;
  private final ControlKeyspace keyspace;
  private final GivenLock given = new GivenLock();

  /** What this process has seen of the lock's holder, while it waits for its end. */
  private final HolderWatch holder = new HolderWatch(LockWatch.LEASE);

  CassandraEngine(CassandraContact contact, CqlSession session, Clocks clocks) {
    this.contact = contact;
    this.clocks = clocks;
    this.session = session;
    this.jmx = new JmxPool(contact);
    this.snapshots = new RingSnapshots(session, jmx, this::clusterId, clocks, UPTIME_NS);
    this.control = new CqlControl(session, "Cassandra at " + contact.text(), UPTIME_NS);
    this.keyspace = new ControlKeyspace(session, "Cassandra at " + contact.text());
    this.membership = new Membership(session, jmx, clocks);
  }

  /**
   * Connects.
   *
   * @throws EngineException when no node answers within some seconds, the user is refused, a node's
   *     version is not supported, or no node's certificate is trusted, for CQL or for JMX
   */
  public static CassandraEngine connect(CassandraContact contact) throws EngineException {
    return connect(contact, Clocks.SYSTEM);
  }

  /** As {@link #connect(CassandraContact)}, with a time of the caller's. */
  public static CassandraEngine connect(CassandraContact contact, Clocks clocks)
      throws EngineException {
    contact.requireJmxPassword();
    return supported(open(contact, clocks));
  }

  /** Closes it if it is of a ring that it can't drive, or can't read. */
  static CassandraEngine supported(CassandraEngine engine) throws EngineException {
    try {
      CassandraVersions.of(engine.session.getMetadata().getNodes().values())
          .require("Cassandra at " + engine.contact.text());
      engine.jmx.requireTrust(engine.session.getMetadata().getNodes().values());
      return engine;
    } catch (EngineException e) {
      engine.close();
      throw e;
    }
  }

  private static CassandraEngine open(CassandraContact contact, Clocks clocks)
      throws EngineException {
    CqlSession session = contact.session();
    try {
      return new CassandraEngine(contact, session, clocks);
    } catch (RuntimeException e) {
      session.close();
      throw failed(contact, e);
    }
  }

  private static EngineException failed(CassandraContact contact, RuntimeException e) {
    return new EngineException(
        "Cassandra at " + contact.text() + ": " + CassandraErrors.line(e), e);
  }

  /**
   * Connects only with what the ring keeps about its controllers; no node is asked by JMX. A
   * controller can be stopped on a ring of any version.
   */
  public static ControlAccess control(CassandraContact contact) throws EngineException {
    CassandraEngine engine = open(contact, Clocks.SYSTEM);
    try {
      return ControlAccess.of(engine, engine.clusterId());
    } catch (RuntimeException e) {
      engine.close();
      throw failed(contact, e);
    }
  }

  /** Read when it is needed: with most nodes down it can't be, and those that are up can be set. */
  private synchronized String clusterId() {
    if (clusterId == null) {
      clusterId = ControlKeyspace.clusterId(session);
    }
    return clusterId;
  }

  @Override
  public ClusterSnapshot snapshot() throws EngineException {
    return snapshot(readings);
  }

  @Override
  public ClusterSnapshot snapshot(UsageReadings held) throws EngineException {
    try {
      return snapshots.read(held);
    } catch (RuntimeException e) {
      throw failed(contact, e);
    }
  }

  /** There is none: data move only when nodes do. */
  @Override
  public void setBalancer(BalancerState target) {}

  @Override
  public void pauseBalancer(Duration limit) {}

  private static EngineException placedByTokens() {
    return new EngineException("Cassandra places data by the nodes' tokens: nothing can be moved");
  }

  @Override
  public void move(PartitionId partition, NodeId to, Duration limit) throws EngineException {
    throw placedByTokens();
  }

  @Override
  public List<SplitHint> splitHints() {
    return List.of();
  }

  @Override
  public RingRequests ringRequests(int tokensMax, Duration watch) throws EngineException {
    return new RingSampler(session, jmx).sample(tokensMax, watch);
  }

  /** No plug-in of Cassandra counts blocks. */
  @Override
  public void startCounting() {}

  @Override
  public List<BlockHistogram> histograms() {
    return List.of();
  }

  @Override
  public void split(PartitionId partition, RowKey key, NodeId rightTo, Duration limit)
      throws EngineException {
    throw placedByTokens();
  }

  @Override
  public void merge(PartitionId left, PartitionId right, KeyRange range, Duration limit)
      throws EngineException {
    throw placedByTokens();
  }

  /** Its row cache and its threads; what its memtables may take waits for the next start. */
  @Override
  public void applyProfile(NodeId node, Profile profile, Duration limit) throws EngineException {
    NodeProfile.apply(jmx, threads, node, profile, given.inCharge());
  }

  @Override
  public void set(NodeId node, NodeSetting setting, int value, Duration limit)
      throws EngineException {
    NodeSettings.apply(jmx, node, setting, value, given.inCharge());
  }

  /** How many of a node's threads read with a profile, the others write; at least two of each. */
  public static int readers(Profile profile, int threads) {
    return NodeProfile.readers(profile, threads);
  }

  @Override
  public void setBlockSize(String table, int bytes, Duration limit) throws EngineException {
    throw new EngineException("table " + table + ": Cassandra has no block size to set");
  }

  /** A table on a node: all its files become one. */
  @Override
  public void compact(PartitionId partition, Duration limit) throws EngineException {
    String[] table = partition.table().split("\\.", 2);
    if (table.length < 2) {
      throw new EngineException(
          "table " + partition.table() + " has no keyspace: it must be keyspace.table");
    }
    maintain(
        new NodeId(partition.name()),
        "compact " + partition.table(),
        limit,
        service -> service.compact(table[0], table[1], limit));
  }

  /** Flushes a keyspace's memtables on a node. */
  public void flush(NodeId node, String keyspace, Duration limit) throws EngineException {
    maintain(node, "flush " + keyspace, limit, service -> service.flush(keyspace, limit));
  }

  /** Empties a node's row cache, for measurements that are to begin with nothing in it. */
  public void clearRowCache(NodeId node) throws EngineException {
    maintain(node, "empty its row cache", CLEAR_LIMIT, StorageService::clearRowCache);
  }

  private interface Maintenance {
    void on(StorageService service) throws IOException;
  }

  private void maintain(NodeId node, String what, Duration limit, Maintenance work)
      throws EngineException {
    InCharge control = given.inCharge();
    try (NodeJmx own = jmx.connect(node)) {
      control.require();
      work.on(new StorageService(own));
    } catch (IOException e) {
      throw new EngineException(
          "node %s can't %s within %d s: %s"
              .formatted(node, what, limit.toSeconds(), CassandraErrors.line(e)),
          e);
    }
  }

  @Override
  public void setDraining(NodeId node, boolean draining) throws EngineException {
    if (draining) {
      throw new EngineException("node " + node + ": a Cassandra node serves what it owns");
    }
  }

  /** Until it is {@code NORMAL} and every live node knows that. */
  @Override
  public void awaitNode(NodeId node, long incarnationBefore, Duration limit)
      throws EngineException {
    InCharge control = given.inCharge();
    membership.awaitNormal(node, incarnationBefore, limit, control);
    keyspace.adapt(control);
  }

  /** Decommissions a live node, or removes a dead one from the ring; other nodes get its data. */
  @Override
  public void vacate(NodeId node, Duration limit) throws EngineException {
    InCharge control = given.inCharge();
    keyspace.adaptTo(
        control,
        session.getMetadata().getNodes().values().stream()
            .filter(n -> Member.of(n).filter(m -> m.id().equals(node)).isEmpty())
            .toList());
    membership.leave(node, limit, control);
  }

  @Override
  public void cleanup(NodeId node, Duration limit) throws EngineException {
    membership.cleanup(node, limit, given.inCharge());
  }

  @Override
  public ControlLock takeControl(String owner) throws EngineException {
    String cluster = "Cassandra at " + contact.text();
    UUID attempt = UUID.randomUUID();
    try {
      jmx.requireOperations(session.getMetadata().getNodes().values());
      return CassandraErrors.NEW_TABLES.ask(
          cluster,
          LOCK_LIMIT,
          LOCK_PAUSE,
          again -> {
            if (again) {
              LOG.info("{}: the lock is asked for again, because too few nodes answered", cluster);
            }
            createControl();
            return take(cluster, owner, attempt);
          });
    } catch (RuntimeException e) {
      throw new EngineException(
          "%s: the lock in keyspace %s can't be taken: %s"
              .formatted(cluster, Keyspaces.CONTROL, CassandraErrors.line(e)),
          e);
    }
  }

  private ControlLock take(String cluster, String owner, UUID attempt) throws EngineException {
    Row earlier =
        session
            .execute(
                "SELECT value FROM %s.control WHERE name = 'controller'"
                    .formatted(Keyspaces.CONTROL))
            .one();
    if (earlier != null) {
      String other = ControllerId.parse(earlier.getString("value")).toString();
      throw new ControlTakenException(
          "%s: a controller of an earlier version is in charge of this cluster: %s"
              .formatted(cluster, other),
          other,
          Duration.ZERO);
    }
    ControlLock lock = CqlLock.take(control, cluster, owner, attempt, holder, UPTIME_NS);
    boolean adapted = false;
    try {
      keyspace.adapt(lock::require);
      adapted = true;
      return given.give(lock);
    } finally {
      if (!adapted) {
        lock.close();
      }
    }
  }

  @Override
  public SharedState shared() {
    return control;
  }

  /** The plug-in that ranks the replicas of reads. */
  public RankingPlugin ranking() {
    return new RankingPlugin(new JmxRanking(session, jmx));
  }

  private void createControl() {
    String id = clusterId();
    keyspace.create();
    session.execute(
        SimpleStatement.newInstance(
            "INSERT INTO "
                + Keyspaces.CONTROL
                + ".control (name, value) VALUES ('cluster', ?) IF NOT EXISTS",
            id));
  }

  @Override
  public void close() {
    snapshots.close();
    jmx.close();
    session.close();
  }
}
