package io.trimtab.cli.connect;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.config.Secret;
import io.trimtab.formats.connections.CassandraConnection;
import io.trimtab.formats.connections.Connection;
import io.trimtab.formats.connections.TlsStores;
import io.trimtab.host.tls.Tls;
import io.trimtab.sources.MetricsConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes a connection into what commands use.
 *
 * @param folder from which its relative paths are taken
 */
record DatabaseTarget(Path folder) {

  /**
   * A cluster without its provider; nothing is contacted and no password read.
   *
   * @throws IllegalArgumentException naming the key or file
   */
  ClusterHandle handle(String label, Connection connection, Optional<MetricsConfig> metrics) {
    return connection.cassandra() != null
        ? new CassandraHandle(label, contact(connection.cassandra()), metrics)
        : new HBaseHandle(label, new HBaseTarget(folder).contact(connection.hbase()), metrics);
  }

  private CassandraContact contact(CassandraConnection c) {
    Optional<CassandraConnection.Cql> cql = Optional.ofNullable(c.cql());
    Optional<CassandraConnection.Jmx> jmx = Optional.ofNullable(c.jmx());
    int jmxPort = jmx.map(CassandraConnection.Jmx::port).orElse(0);
    return CassandraContact.of(c.hosts(), jmxPort)
        .with(
            cql.flatMap(q -> credentials(q.user(), q.password())),
            jmx.flatMap(j -> credentials(j.user(), j.password())))
        .with(
            new Protection(
                cql.flatMap(q -> tls(q.tls(), folder)),
                jmx.flatMap(j -> tls(j.tls(), folder)),
                Optional.ofNullable(c.driver()).map(folder::resolve)));
  }

  private Optional<Credentials> credentials(String user, Secret password) {
    return Optional.ofNullable(user).map(u -> new Credentials(u, password(password, folder)));
  }

  /** Reads it whenever it is asked; an empty text where there is none. */
  private static Supplier<String> password(Secret secret, Path folder) {
    return secret == null ? () -> "" : secret.in(folder)::read;
  }

  /**
   * @param stores null: no TLS
   */
  static Optional<Tls> tls(TlsStores stores, Path folder) {
    return Optional.ofNullable(stores)
        .map(
            s ->
                new Tls(
                    store(s.trustStore(), s.trustPassword(), folder),
                    store(s.keyStore(), s.keyPassword(), folder),
                    Tls.HostNames.valueOf(s.hostNames().name())));
  }

  private static Optional<Tls.Store> store(String path, Secret secret, Path folder) {
    return Optional.ofNullable(path)
        .map(p -> new Tls.Store(folder.resolve(p), password(secret, folder)));
  }
}
