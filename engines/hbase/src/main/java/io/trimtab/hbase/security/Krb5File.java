package io.trimtab.hbase.security;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Kerberos's own configuration, of which the JDK has one for the whole process. */
final class Krb5File {
  private static final String PROPERTY = "java.security.krb5.conf";

  private Krb5File() {}

  /**
   * Makes it the process's; to be called before anything logs in.
   *
   * @param file empty: whatever the process has
   * @throws IOException if the process has another one
   */
  static synchronized void use(Optional<Path> file) throws IOException {
    if (file.isEmpty()) {
      return;
    }
    String wanted = file.get().toString();
    String present = System.getProperty(PROPERTY);
    if (present != null && !present.equals(wanted)) {
      throw new IOException(
          wanted + ": this process uses " + present + " already; Kerberos has one file for all");
    }
    System.setProperty(PROPERTY, wanted);
  }
}
