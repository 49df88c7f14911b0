package io.trimtab.config;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;

/**
 * A file of secrets, one per tenant, by which the tenants' clients prove whose they are: {@code
 * tokens: {shop: 7f3a…, logs: 91bc…}}.
 *
 * @param tokens by tenant; each 16 to 200 characters that a header may carry (RFC 6750, §2.1)
 */
public record TokenFile(Map<String, String> tokens) {
  /** Shorter ones could be guessed. */
  private static final String TOKEN = "[A-Za-z0-9._~+/-]{16,200}=*";

  public TokenFile {
    if (tokens == null || tokens.isEmpty()) {
      throw new IllegalArgumentException("tokens must name at least one tenant");
    }
    tokens.forEach(
        (tenant, token) -> {
          // The message must not show what was meant to be a secret.
          if (token == null || !token.matches(TOKEN)) {
            throw new IllegalArgumentException(
                "the token of " + tenant + " must be 16 to 200 letters, digits or ._~+/-");
          }
        });
    tokens = Map.copyOf(tokens);
    if (new HashSet<>(tokens.values()).size() < tokens.size()) {
      throw new IllegalArgumentException("two tenants have the same token");
    }
  }

  /**
   * @param setting that names the file, for errors
   * @throws UserError if the file is invalid, or others than its owner may use it
   */
  public static TokenFile read(String setting, Path file) {
    PrivateFiles.requireOwnersOnly(setting, file);
    try {
      return StrictYaml.read(file, TokenFile.class);
    } catch (UserError e) {
      // Its causes quote what stands in the file, and go to logs.
      throw new UserError(e.getMessage());
    }
  }

  /** For logs: without the secrets. */
  @Override
  public String toString() {
    return "tokens of " + tokens.size() + " tenants";
  }
}
