package io.trimtab.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.hbase.pages.HttpJmx;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.security.KerberosLogin;
import io.trimtab.hbase.zookeeper.ClusterZooKeeper;
import io.trimtab.host.Clocks;
import io.trimtab.host.Interrupts;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;

/** A connection, and the translation between the engine's names and HBase's. */
final class Cluster implements AutoCloseable {
  private static final String MASTER = "Hadoop:service=HBase,name=Master,sub=Server";
  private static final String DRAINING = "tag.drainingRegionServers";

  private final HBaseContact target;
  private final Connection connection;
  private final Admin admin;
  private final Admin changes;
  private final Optional<KerberosLogin> login;
  private final Opening waiting;
  private final HttpJmx jmx;
  private final Clocks clocks;

  /**
   * @param changes as {@link #changes()}, of a connection of its own
   */
  Cluster(HBaseContact target, Clocks clocks, Connection connection, Admin admin, Admin changes) {
    this(
        target,
        clocks,
        connection,
        admin,
        changes,
        conf -> CompletableFuture.failedFuture(new IOException("not given")));
  }

  /**
   * @param waiting opens a connection for each long request
   */
  Cluster(
      HBaseContact target,
      Clocks clocks,
      Connection connection,
      Admin admin,
      Admin changes,
      Opening waiting) {
    this(target, clocks, connection, admin, changes, Optional.empty(), waiting);
  }

  private Cluster(
      HBaseContact target,
      Clocks clocks,
      Connection connection,
      Admin admin,
      Admin changes,
      Optional<KerberosLogin> login,
      Opening waiting) {
    this.target = target;
    this.clocks = clocks;
    this.connection = connection;
    this.admin = admin;
    this.changes = changes;
    this.login = login;
    this.waiting = waiting;
    this.jmx = new HttpJmx(target.httpsPages(), target.protection().pages(), login);
  }

  static Cluster connect(HBaseContact target, Clocks clocks) throws EngineException {
    // HBase's client would retry for minutes; ZooKeeper knows whether there is a master.
    try (ClusterZooKeeper zookeeper = ClusterZooKeeper.open(target)) {
      zookeeper.requireMaster();
    }
    Optional<KerberosLogin> login = login(target);
    List<Connection> opened = new ArrayList<>();
    try {
      for (Configuration conf : List.of(target.configuration(), target.unretried())) {
        opened.add(open(conf, login));
      }
      Connection asking = opened.get(0);
      return new Cluster(
          target,
          clocks,
          asking,
          asking.getAdmin(),
          opened.get(1).getAdmin(),
          login,
          conf -> openWaiting(conf, login));
    } catch (IOException e) {
      opened.forEach(Cluster::close);
      login.ifPresent(KerberosLogin::close);
      throw HBaseErrors.failed(target.zookeeper(), e);
    }
  }

  /** Opens a connection. */
  @FunctionalInterface
  interface Opening {
    CompletableFuture<AsyncConnection> open(Configuration conf);
  }

  private static Connection open(Configuration conf, Optional<KerberosLogin> login)
      throws IOException {
    return login.isPresent()
        ? ConnectionFactory.createConnection(conf, User.create(login.get().user()))
        : ConnectionFactory.createConnection(conf);
  }

  private static CompletableFuture<AsyncConnection> openWaiting(
      Configuration conf, Optional<KerberosLogin> login) {
    return login.isPresent()
        ? ConnectionFactory.createAsyncConnection(conf, User.create(login.get().user()))
        : ConnectionFactory.createAsyncConnection(conf);
  }

  private static Optional<KerberosLogin> login(HBaseContact target) throws EngineException {
    Optional<Kerberos> how = target.protection().kerberos();
    if (how.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(KerberosLogin.open(how.get(), target.configuration()));
    } catch (IOException e) {
      throw HBaseErrors.failed("Kerberos, " + how.get(), e);
    }
  }

  HBaseContact target() {
    return target;
  }

  Admin admin() {
    return admin;
  }

  /**
   * For requests that change something: each is sent once. HBase's client would repeat one that was
   * not answered, for half a minute and without asking whether this controller is still in charge.
   */
  Admin changes() {
    return changes;
  }

  /** What a master is asked for that may take minutes to answer. */
  @FunctionalInterface
  interface LongRequest<T> {
    CompletableFuture<T> send(AsyncAdmin admin);
  }

  /** Sends a request that changes nothing once, and waits for its answer until a time limit. */
  <T> T ask(LongRequest<T> request, Duration limit) throws IOException {
    long begunNs = clocks.nowNs();
    // HBase's other client swallows an interrupt while it connects.
    CompletableFuture<AsyncConnection> opening = waiting.open(target.unretried());
    AsyncConnection own;
    try {
      own = answer(opening, limit);
    } catch (IOException e) {
      opening.thenAccept(Cluster::close);
      throw e;
    }
    try {
      Duration left = clocks.left(begunNs, limit);
      AsyncAdminBuilder admin = own.getAdminBuilder().setMaxAttempts(1);
      admin.setRpcTimeout(left.toNanos(), TimeUnit.NANOSECONDS);
      admin.setOperationTimeout(left.toNanos(), TimeUnit.NANOSECONDS);
      return answer(request.send(admin.build()), left);
    } finally {
      close(own);
    }
  }

  private static <T> T answer(CompletableFuture<T> asked, Duration limit) throws IOException {
    try {
      return asked.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no answer for " + limit.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  Connection connection() {
    return connection;
  }

  Clocks clocks() {
    return clocks;
  }

  HttpJmx jmx() {
    return jmx;
  }

  static NodeId node(ServerName server) {
    return new NodeId(server.getAddress().toString());
  }

  /** The server that runs under the node's name now. */
  Optional<ServerName> find(NodeId node) throws IOException {
    return admin.getRegionServers().stream().filter(s -> node(s).equals(node)).findFirst();
  }

  ServerName live(NodeId node) throws IOException, EngineException {
    return find(node).orElseThrow(() -> new EngineException(node + " is not a live RegionServer"));
  }

  static TableName table(PartitionId partition) {
    return TableName.valueOf(partition.table());
  }

  static PartitionId partition(RegionInfo region) {
    return new PartitionId(region.getTable().getNameAsString(), region.getEncodedName());
  }

  RegionInfo region(PartitionId partition) throws IOException, EngineException {
    return locations(table(partition)).stream()
        .map(HRegionLocation::getRegion)
        .filter(region -> region.getEncodedName().equals(partition.name()))
        .findFirst()
        .orElseThrow(() -> gone(partition));
  }

  /**
   * Where a table's regions are. Further replicas of a region are left out: they serve the same
   * rows, and what they count is what the first has counted already.
   */
  List<HRegionLocation> locations(TableName table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return locator.getAllRegionLocations().stream()
          // HBase lists a replica that is nowhere yet as null.
          .filter(Objects::nonNull)
          .filter(at -> at.getRegion().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID)
          .toList();
    }
  }

  /** Whether a server has another replica of a region, as {@link #location} found them last. */
  boolean hasReplica(RegionInfo region, ServerName server) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(region.getTable())) {
      return locator.getRegionLocations(region.getStartKey(), false).stream()
          .filter(Objects::nonNull)
          .anyMatch(at -> server.equals(at.getServerName()) && !at.getRegion().equals(region));
    }
  }

  /** Where hbase:meta says that a region is; empty while it is nowhere. */
  Optional<ServerName> location(RegionInfo region) throws IOException, EngineException {
    try (RegionLocator locator = connection.getRegionLocator(region.getTable())) {
      HRegionLocation at = locator.getRegionLocation(region.getStartKey(), true);
      if (!at.getRegion().getEncodedName().equals(region.getEncodedName())) {
        throw gone(partition(region));
      }
      return Optional.ofNullable(at.getServerName());
    }
  }

  private static EngineException gone(PartitionId partition) {
    return new EngineException(
        "region "
            + partition.table()
            + "/"
            + partition.name()
            + " is gone: split, merged, dropped");
  }

  /**
   * Servers that are closed for new regions. HBase tells them only to who may read every table;
   * others read them on the master's page, where they may be ten seconds old.
   */
  List<ServerName> draining() throws IOException {
    try {
      return admin.listDecommissionedRegionServers();
    } catch (AccessDeniedException e) {
      ClusterMetrics metrics =
          admin.getClusterMetrics(EnumSet.of(Option.MASTER, Option.MASTER_INFO_PORT));
      String page = metrics.getMasterName().getHostname() + ":" + metrics.getMasterInfoPort();
      return draining(page, jmx.beans(page, MASTER));
    }
  }

  /**
   * By what the master's page says.
   *
   * @throws IOException if it does not tell, as of a master that is just starting: none is not
   *     known to be closed then
   */
  static List<ServerName> draining(String page, List<JsonNode> beans) throws IOException {
    JsonNode told =
        beans.stream()
            .map(bean -> bean.path(DRAINING))
            .filter(JsonNode::isTextual)
            .findFirst()
            .orElseThrow(
                () ->
                    new IOException(
                        page
                            + ": the page does not tell which servers are closed for new regions ("
                            + DRAINING
                            + ")"));
    List<ServerName> draining = new ArrayList<>();
    for (String server : told.textValue().split(";")) {
      if (!server.isBlank()) {
        draining.add(ServerName.valueOf(server.strip()));
      }
    }
    return draining;
  }

  @Override
  public void close() {
    close(changes.getConnection());
    close(connection);
    login.ifPresent(KerberosLogin::close);
  }

  private static void close(Closeable connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // Ignored: nothing is lost, because all state is on the cluster.
      Interrupts.in(e);
    }
  }
}
