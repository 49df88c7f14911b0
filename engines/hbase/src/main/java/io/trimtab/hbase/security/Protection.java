package io.trimtab.hbase.security;

import io.trimtab.host.tls.Tls;
import java.util.Optional;

/**
 * What protects connections with a cluster, as far as its site files do not say it.
 *
 * @param kerberos empty: users are who they say they are
 * @param https whether information pages are served by HTTPS; empty: as the site files say
 * @param pages whom to trust there; empty: whom the JDK trusts
 */
public record Protection(
    Optional<Kerberos> kerberos, Optional<Boolean> https, Optional<Tls> pages) {
  public static final Protection NONE =
      new Protection(Optional.empty(), Optional.empty(), Optional.empty());
}
