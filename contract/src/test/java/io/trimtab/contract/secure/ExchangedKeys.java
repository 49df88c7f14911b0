package io.trimtab.contract.secure;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** A client's store of keys for CQL, which is exchanged while connections are open. */
final class ExchangedKeys {
  private static final String STRANGERS_PASSWORD = "hunter2hunter2";

  private final Path secure;
  private final Path folder;
  private final Path store;
  private final CassandraContact contact;
  private volatile String password;

  /**
   * @param folder an empty one
   */
  ExchangedKeys(CassandraLab lab, Path folder) throws IOException {
    this.secure = lab.dir().secure();
    this.folder = folder;
    this.store = folder.resolve("keys.p12");
    String labs = Files.readString(secure.resolve("store.password")).strip();
    Tls tls =
        new Tls(
            Optional.of(new Store(secure.resolve("trust.p12"), () -> labs)),
            Optional.of(new Store(store, () -> password)),
            HostNames.ADDRESS);
    this.contact =
        lab.client()
            .with(
                new Protection(
                    Optional.of(tls), lab.client().protection().jmx(), Optional.empty()));
    be("client");
  }

  /** Which shows the certificate that is there when a connection is made. */
  CassandraContact contact() {
    return contact;
  }

  /** From now on it has a key of the lab's; the nodes trust the certificates of all of these. */
  void be(String name) throws IOException {
    password = Files.readString(secure.resolve("store.password")).strip();
    replace(Files.copy(secure.resolve(name + ".p12"), folder.resolve(name + "-copy.p12")));
  }

  /** From now on it has a key that no node trusts. */
  void beAStranger() throws IOException, InterruptedException {
    Path another = new Keytool(folder, STRANGERS_PASSWORD).key("stranger");
    password = STRANGERS_PASSWORD;
    replace(another);
  }

  private void replace(Path by) throws IOException {
    Files.move(by, store, StandardCopyOption.ATOMIC_MOVE);
  }
}
