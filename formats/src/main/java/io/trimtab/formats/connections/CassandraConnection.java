package io.trimtab.formats.connections;

import io.trimtab.config.Secret;

/**
 * How to reach a Cassandra cluster.
 *
 * @param hosts some of its nodes: {@code host[:port][,host[:port]…]}; the others are learnt from
 *     them
 * @param cql null: neither a user nor TLS
 * @param jmx null: port 7199, neither a user nor TLS
 * @param driver a file of the DataStax Java driver, {@code application.conf}; what this file sets
 *     as well goes first; null: none
 */
public record CassandraConnection(String hosts, Cql cql, Jmx jmx, String driver) {
  public CassandraConnection {
    if (hosts == null) {
      throw new IllegalArgumentException("hosts is missing");
    }
  }

  /**
   * By which queries go.
   *
   * @param user null: no authentication
   * @param tls null: no TLS, unless the driver's own file has it
   */
  public record Cql(String user, Secret password, TlsStores tls) {
    public Cql {
      requireBoth(user, password);
    }
  }

  /**
   * By which nodes are watched and set.
   *
   * @param port every node's, in [1, 65535]; null: 7199
   * @param user null: no authentication
   * @param tls null: no TLS
   */
  public record Jmx(Integer port, String user, Secret password, TlsStores tls) {
    public Jmx {
      requireBoth(user, password);
      if (port != null && (port < 1 || port > 65_535)) {
        throw new IllegalArgumentException("port must be in [1, 65535], not " + port);
      }
    }
  }

  private static void requireBoth(String user, Secret password) {
    if ((user == null) != (password == null)) {
      throw new IllegalArgumentException(
          user == null ? "password is of no use without user" : "user needs a password");
    }
  }
}
