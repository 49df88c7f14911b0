package io.trimtab.runtime.service;

import io.trimtab.config.TokenFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;

/** Tells by its token whose clients a request comes from. */
final class Tokens {
  private static final String SCHEME = "Bearer ";

  private final Map<String, String> byTenant;

  private Tokens(Map<String, String> byTenant) {
    this.byTenant = byTenant;
  }

  /**
   * @throws io.trimtab.config.UserError if the file is invalid, or others than its owner may use it
   */
  static Tokens read(Path file) {
    return new Tokens(TokenFile.read("slo.tokens", file).tokens());
  }

  boolean has(String tenant) {
    return byTenant.containsKey(tenant);
  }

  /**
   * Whose token a request carries; empty if it carries none that is known. How long this takes does
   * not depend on what the tokens have in common.
   *
   * @param authorization the request's header, null where there is none
   */
  Optional<String> tenant(String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    byte[] sent = authorization.substring(SCHEME.length()).getBytes(StandardCharsets.UTF_8);
    String tenant = null;
    for (Map.Entry<String, String> known : byTenant.entrySet()) {
      if (MessageDigest.isEqual(known.getValue().getBytes(StandardCharsets.UTF_8), sent)) {
        tenant = known.getKey();
      }
    }
    return Optional.ofNullable(tenant);
  }
}
