package io.trimtab.formats.connections;

import io.trimtab.config.Secret;

/**
 * By what the two ends of a TLS connection prove who they are. Stores are PKCS #12 or JKS, and are
 * read again when they change.
 *
 * @param trustStore whom to trust; null: whom the JDK trusts
 * @param trustPassword null: the store has none
 * @param keyStore this side's key and certificate, where the other side asks for them; null: none
 * @param keyPassword of the store and the key in it
 * @param hostNames what a certificate must name; default: {@code address}
 */
public record TlsStores(
    String trustStore,
    Secret trustPassword,
    String keyStore,
    Secret keyPassword,
    HostNames hostNames) {

  /** What the certificate of the other side must name. */
  public enum HostNames {
    /** The name or the address by which it is known: as given, or as its cluster tells it. */
    ADDRESS,
    /** The name that the network's name service has for its address. */
    DNS,
    /** Nothing: whoever has any trusted certificate may pretend to be any node. */
    NONE
  }

  public TlsStores {
    hostNames = hostNames == null ? HostNames.ADDRESS : hostNames;
    if (trustStore == null && trustPassword != null) {
      throw new IllegalArgumentException("trustPassword is of no use without trustStore");
    }
    if ((keyStore == null) != (keyPassword == null)) {
      throw new IllegalArgumentException(
          keyStore == null
              ? "keyPassword is of no use without keyStore"
              : "keyStore needs keyPassword");
    }
  }
}
