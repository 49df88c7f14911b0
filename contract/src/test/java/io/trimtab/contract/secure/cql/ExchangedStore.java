package io.trimtab.contract.secure.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.contract.secure.Checks;
import io.trimtab.engineapi.EngineException;
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

/** One of a client's stores for CQL, which is exchanged while connections are open. */
public final class ExchangedStore {
  private static final String PASSWORD = "hunter2hunter2";
  private static final String STRANGER = "stranger";

  /** Which of them; the other one is the lab's. */
  public enum Kind {
    /** The key that the client shows; nodes trust the certificates of all of the lab's keys. */
    KEY("client", "node", "set cql.tls.keyStore to a key whose certificate the nodes trust") {
      @Override
      Path strange(Keytool keytool) throws IOException, InterruptedException {
        return keytool.key(STRANGER);
      }
    },
    /** Whom the client trusts. */
    TRUST(
        "trust", "trust", "add the certificate of the authority that signed the server's to cql") {
      @Override
      Path strange(Keytool keytool) throws IOException, InterruptedException {
        keytool.key(STRANGER);
        return keytool.trust(STRANGER);
      }
    };

    private final String first;
    private final String second;
    private final String mend;

    /**
     * @param first a store of the lab's
     * @param second another one by which connections come about
     * @param mend what the check says where none does
     */
    Kind(String first, String second, String mend) {
      this.first = first;
      this.second = second;
      this.mend = mend;
    }

    /** A store with which no new connection comes about. */
    abstract Path strange(Keytool keytool) throws IOException, InterruptedException;
  }

  private final Kind kind;
  private final Path secure;
  private final Path folder;
  private final Path store;
  private final String labs;
  private final CassandraContact contact;
  private volatile String password;

  /**
   * @param folder an empty one
   */
  public ExchangedStore(Kind kind, CassandraLab lab, Path folder) throws IOException {
    this.kind = kind;
    this.secure = lab.dir().secure();
    this.folder = folder;
    this.store = folder.resolve("exchanged.p12");
    this.labs = Files.readString(secure.resolve("store.password")).strip();
    this.contact =
        lab.client()
            .with(
                new Protection(
                    Optional.of(new Tls(of(Kind.TRUST), of(Kind.KEY), HostNames.ADDRESS)),
                    lab.client().protection().jmx(),
                    Optional.empty()));
    beTheLabs(kind.first);
  }

  private Optional<Store> of(Kind which) {
    return Optional.of(
        which == kind
            ? new Store(store, () -> password)
            : new Store(secure.resolve(which.first + ".p12"), () -> labs));
  }

  private void beTheLabs(String name) throws IOException {
    replace(
        Files.copy(
            secure.resolve(name + ".p12"),
            folder.resolve(name + "-copy.p12"),
            StandardCopyOption.REPLACE_EXISTING),
        labs);
  }

  /** From now on no new connection comes about. */
  void beStrange() throws IOException, InterruptedException {
    Path own = Files.createTempDirectory(folder, STRANGER);
    replace(kind.strange(new Keytool(own, PASSWORD)), PASSWORD);
  }

  /** From now on one does, by another file than the first. */
  void beGood() throws IOException {
    beTheLabs(kind.second);
  }

  private void replace(Path by, String its) throws IOException {
    password = its;
    Files.move(by, store, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Checks that connections which are open stay, and that each new one goes by the store that is
   * there by then: those of other engines, and of a driver that has lost a node.
   */
  public void assertExchanged() throws Exception {
    try (CassandraEngine open = CassandraEngine.connect(contact)) {
      beStrange();
      assertThatThrownBy(() -> CassandraEngine.connect(contact))
          .isInstanceOf(EngineException.class)
          .message()
          .startsWith("Cassandra at 127.77.")
          .containsPattern("certificat(e|ion)")
          .doesNotContain("\n");
      assertThat(Checks.failed(contact))
          .isNotEmpty()
          .allMatch(step -> step.contains("; to mend it: " + kind.mend));
      assertThat(open.shared().holder()).isEmpty();

      beGood();
      try (CassandraEngine next = CassandraEngine.connect(contact)) {
        assertThat(next.snapshot().gaps()).isEmpty();
      }
      assertThat(open.snapshot().gaps()).isEmpty();
    }
    try (CqlSession open = contact.session()) {
      LostNode.assertIsFoundBy(open, this);
    }
  }
}
