package io.trimtab.hbase.security;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kerberos's own configuration, of which the JDK has one for the whole process. */
final class Krb5File {
  private static final Logger LOG = LoggerFactory.getLogger(Krb5File.class);
  private static final String PROPERTY = "java.security.krb5.conf";

  private Krb5File() {}

  /**
   * Makes it the process's.
   *
   * @param file empty: whatever the process has
   * @throws IOException if the process has another one
   */
  static synchronized void use(Optional<Path> file) throws IOException {
    if (file.isEmpty()) {
      return;
    }
    Path wanted = normal(file.get());
    String present = System.getProperty(PROPERTY);
    if (present == null) {
      System.setProperty(PROPERTY, wanted.toString());
      readAgain();
    } else if (!normal(Path.of(present)).equals(wanted)) {
      throw new IOException(
          wanted + ": this process uses " + present + " already; Kerberos has one file for all");
    }
  }

  private static Path normal(Path file) {
    return file.toAbsolutePath().normalize();
  }

  /**
   * The JDK and Hadoop may have read the default file before. The JDK's only documented way to read
   * it again is an option of its login module, which is done before anything else: without a proof
   * of a user the login itself fails.
   */
  private static void readAgain() {
    try {
      new LoginContext("read again", new Subject(), null, new ReadAgain()).login();
    } catch (LoginException e) {
      // A file that is wrong is told by the first login that is meant.
      LOG.debug("Kerberos's configuration was read again", e);
    }
    KerberosName.resetDefaultRealm();
  }

  private static final class ReadAgain extends Configuration {
    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
      return new AppConfigurationEntry[] {
        new AppConfigurationEntry(
            ZooKeeperUser.MODULE,
            LoginModuleControlFlag.REQUIRED,
            Map.of("refreshKrb5Config", "true", "doNotPrompt", "true"))
      };
    }
  }
}
