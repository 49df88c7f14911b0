package io.trimtab.hbase.security;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Who this side is to Kerberos, and what proves it: a keytab or a ticket cache.
 *
 * @param principal {@code name@REALM}; with a ticket cache it may be empty: the cache's own
 * @param keytab a file with the principal's keys; empty: {@code ticketCache} is given
 * @param ticketCache a file that something else renews; empty: {@code keytab} is given
 * @param krb5 Kerberos's configuration, one for the whole process; empty: the JDK's default
 * @param zookeeper whether ZooKeeper knows users by Kerberos, too
 */
public record Kerberos(
    Optional<String> principal,
    Optional<Path> keytab,
    Optional<Path> ticketCache,
    Optional<Path> krb5,
    boolean zookeeper) {
  public Kerberos {
    if (keytab.isPresent() == ticketCache.isPresent()) {
      throw new IllegalArgumentException("kerberos needs either a keytab or a ticket cache");
    }
    if (keytab.isPresent() && principal.isEmpty()) {
      throw new IllegalArgumentException("a keytab needs a principal");
    }
  }

  /** The file that proves who this side is. */
  public Path proof() {
    return keytab.or(() -> ticketCache).orElseThrow();
  }

  /** For messages. */
  @Override
  public String toString() {
    return principal.orElse("the user of the ticket cache") + " by " + proof();
  }
}
