package io.trimtab.cli.connect;

import io.trimtab.formats.connections.HBaseConnection;
import io.trimtab.formats.connections.TlsStores;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.security.Protection;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Makes the connection of an HBase cluster into what its adapter takes. */
record HBaseTarget(Path folder) {

  /**
   * Reads the site files.
   *
   * @throws IllegalArgumentException naming the key or file
   */
  HBaseContact contact(HBaseConnection c) {
    HBaseContact contact =
        c.conf() == null ? HBaseContact.of(c.zookeeper()) : HBaseContact.ofFolders(folders(c));
    return contact
        .withNameNode(Optional.ofNullable(c.nameNode()))
        .with(
            new Protection(
                Optional.ofNullable(c.kerberos()).map(this::kerberos),
                Optional.ofNullable(c.pages()).map(HBaseConnection.Pages::https),
                Optional.ofNullable(c.pages())
                    .map(HBaseConnection.Pages::tls)
                    .map(HBaseTarget::checked)
                    .flatMap(stores -> DatabaseTarget.tls(stores, folder))));
  }

  private List<Path> folders(HBaseConnection c) {
    return Arrays.stream(c.conf().split(",")).map(String::strip).map(folder::resolve).toList();
  }

  /** The JDK's client of HTTP always looks for the name that was asked for. */
  private static TlsStores checked(TlsStores stores) {
    if (stores.hostNames() != TlsStores.HostNames.ADDRESS) {
      throw new IllegalArgumentException("pages.tls.hostNames can only be address");
    }
    return stores;
  }

  private Kerberos kerberos(HBaseConnection.Kerberos k) {
    return new Kerberos(
        Optional.ofNullable(k.principal()),
        Optional.ofNullable(k.keytab()).map(folder::resolve),
        Optional.ofNullable(k.ticketCache()).map(folder::resolve),
        Optional.ofNullable(k.krb5()).map(folder::resolve),
        k.zookeeper());
  }
}
