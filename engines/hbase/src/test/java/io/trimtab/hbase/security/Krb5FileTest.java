package io.trimtab.hbase.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.security.auth.kerberos.KerberosPrincipal;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Kerberos has once for a whole process; nothing logs in. */
class Krb5FileTest {
  private static final String PROPERTY = "java.security.krb5.conf";

  @TempDir private Path folder;
  private String before;

  @BeforeEach
  void whatTheProcessHas() {
    before = System.getProperty(PROPERTY);
    System.clearProperty(PROPERTY);
  }

  @AfterEach
  void itHasAgain() {
    if (before == null) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, before);
    }
  }

  private Path file(String realm) throws IOException {
    return Files.writeString(
        folder.resolve(realm), "[libdefaults]\n  default_realm = " + realm + "\n");
  }

  private static String realm() {
    return new KerberosPrincipal("trimtab").getRealm();
  }

  @Test
  void aFileIsReadAlsoIfTheProcessHasReadAnotherOneBefore() throws IOException {
    Krb5File.use(Optional.of(file("FIRST.TEST")));
    assertThat(realm()).isEqualTo("FIRST.TEST");

    System.clearProperty(PROPERTY);
    Krb5File.use(Optional.of(file("SECOND.TEST")));
    assertThat(realm()).isEqualTo("SECOND.TEST");
  }

  @Test
  void aProcessHasOneFileHoweverItIsWritten() throws IOException {
    Path file = file("FIRST.TEST");
    Krb5File.use(Optional.of(file));
    Krb5File.use(Optional.of(folder.resolve("elsewhere/../FIRST.TEST")));
    Krb5File.use(Optional.empty());

    Path other = file("SECOND.TEST");
    assertThatThrownBy(() -> Krb5File.use(Optional.of(other)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            other + ": this process uses " + file + " already; Kerberos has one file for all");
  }

  /** Hadoop would apply the last cluster's to all. */
  @Test
  void aProcessHasOneSetOfRulesForUsersNames() throws IOException {
    Configuration none = new Configuration(false);
    Configuration same = new Configuration(false);
    same.set("hadoop.security.auth_to_local", "DEFAULT");
    Configuration others = new Configuration(false);
    others.set("hadoop.security.auth_to_local", "RULE:[1:$1] DEFAULT");

    KerberosLogin.firstRules(none);
    assertThat(KerberosLogin.firstRules(same)).isFalse();
    assertThatThrownBy(() -> KerberosLogin.firstRules(others))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("hadoop.security.auth_to_local");
  }
}
