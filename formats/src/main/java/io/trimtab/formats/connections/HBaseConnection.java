package io.trimtab.formats.connections;

/**
 * How to reach an HBase cluster; exactly one of {@code conf} and {@code zookeeper} says where it
 * is.
 *
 * @param conf folders with {@code hbase-site.xml}, {@code core-site.xml} and {@code hdfs-site.xml},
 *     as clients have them, separated by commas; each is taken as it is
 * @param zookeeper {@code host[,host…][:port]}, for a cluster without security
 * @param kerberos null: no Kerberos
 * @param pages the processes' information pages; null: as the site files say
 * @param nameNode HDFS's {@code host:port} for its information page; null: as the master says
 */
public record HBaseConnection(
    String conf, String zookeeper, Kerberos kerberos, Pages pages, String nameNode) {
  public HBaseConnection {
    if ((conf == null) == (zookeeper == null)) {
      throw new IllegalArgumentException(
          conf == null ? "needs either conf or zookeeper" : "has both conf and zookeeper");
    }
    if (zookeeper != null && kerberos != null) {
      throw new IllegalArgumentException(
          "kerberos needs conf: the site files have the servers' principals");
    }
  }

  /**
   * Who this side is to Kerberos; either a keytab or a ticket cache proves it.
   *
   * @param principal {@code name@REALM}; null: the ticket cache's
   * @param keytab a file with the principal's keys
   * @param ticketCache a file that something else renews, as {@code kinit} and {@code k5start} do
   * @param krb5 Kerberos's own configuration; one for the whole process; null: the JDK's default
   * @param zookeeper whether ZooKeeper knows users by Kerberos as well; default: true
   */
  public record Kerberos(
      String principal, String keytab, String ticketCache, String krb5, Boolean zookeeper) {
    public Kerberos {
      if ((keytab == null) == (ticketCache == null)) {
        throw new IllegalArgumentException(
            keytab == null ? "needs either keytab or ticketCache" : "has keytab and ticketCache");
      }
      if (keytab != null && principal == null) {
        throw new IllegalArgumentException("keytab needs a principal");
      }
      zookeeper = zookeeper == null || zookeeper;
    }
  }

  /**
   * The information pages of HBase's and Hadoop's processes, from which metrics are read.
   *
   * @param https null: as {@code hbase.ssl.enabled} and {@code dfs.http.policy} say
   * @param tls null: whom the JDK trusts
   */
  public record Pages(Boolean https, TlsStores tls) {}
}
