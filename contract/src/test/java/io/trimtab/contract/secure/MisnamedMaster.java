package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.security.Protection;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.LabStartException;
import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A lab's HBase master whose page shows the certificate of another host. Its client trusts that as
 * it trusts the lab's, so that nothing is wrong but the name. Once it is closed the right one runs.
 */
final class MisnamedMaster implements AutoCloseable {
  private static final String OTHER = "elsewhere";

  /** The lab itself does not take the certificate, and would wait for its master in vain. */
  private static final Duration UNAWAITED = Duration.ofSeconds(1);

  private static final int LOOKS = 120;

  private final HBaseLab lab;
  private final Duration limit;
  private final String password;
  private final Path shown;
  private final Path right;
  private final Path wrong;
  private final Path trust;

  /**
   * @param folder an empty one
   * @param limit for the master's start with the right certificate
   */
  MisnamedMaster(HBaseLab lab, Path folder, Duration limit)
      throws IOException, InterruptedException, GeneralSecurityException {
    this.lab = lab;
    this.limit = limit;
    Path secure = lab.dir().secure();
    this.password = Secrets.storePassword(secure);
    this.shown = secure.resolve("node.p12");
    this.right = folder.resolve("right.p12");
    this.wrong = new Keytool(folder, password).key(OTHER, "127.0.0.9");
    this.trust = folder.resolve("both.p12");
    Files.copy(shown, right, StandardCopyOption.COPY_ATTRIBUTES);
    KeyStore both = open(secure.resolve("trust.p12"));
    both.setCertificateEntry(OTHER, open(wrong).getCertificate(OTHER));
    try (OutputStream out = Files.newOutputStream(trust)) {
      both.store(out, password.toCharArray());
    }
  }

  private KeyStore open(Path store) throws IOException, GeneralSecurityException {
    return KeyStore.getInstance(store.toFile(), password.toCharArray());
  }

  /** Starts the master again; other processes keep the certificate that they have read. */
  void start() throws IOException {
    show(wrong);
    assertThatThrownBy(() -> lab.restartMaster(UNAWAITED)).isInstanceOf(LabStartException.class);
  }

  private void show(Path store) throws IOException {
    Files.copy(
        store, shown, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
  }

  /** The one step of {@code connect check} that fails, once the master is up. */
  String failedStep() throws InterruptedException {
    Protection ours = lab.client().protection();
    Tls tls =
        new Tls(Optional.of(new Store(trust, () -> password)), Optional.empty(), HostNames.ADDRESS);
    HBaseContact contact =
        lab.client().with(new Protection(ours.kerberos(), ours.https(), Optional.of(tls)));
    List<String> failed = Checks.failed(contact);
    for (int look = 0; look < LOOKS && !ofPageAlone(failed); look++) {
      Thread.sleep(1_000);
      failed = Checks.failed(contact);
    }
    if (!ofPageAlone(failed)) {
      throw new AssertionError("the master does not come up: " + failed);
    }
    return failed.get(0);
  }

  private static boolean ofPageAlone(List<String> failed) {
    return failed.size() == 1 && failed.get(0).contains("page of ");
  }

  /** The lab's own file with this client's trust. */
  EditedConnections connections(String cluster) throws IOException {
    return EditedConnections.write(
        lab.dir().secure().resolve("connections.yaml"),
        cluster,
        "misnamed",
        text -> text.replace("trustStore: trust.p12", "trustStore: \"" + trust + "\""));
  }

  @Override
  public void close() throws IOException {
    show(right);
    lab.restartMaster(limit);
  }
}
