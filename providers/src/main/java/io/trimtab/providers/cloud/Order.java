package io.trimtab.providers.cloud;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A machine that is asked for.
 *
 * @param attempt how many machines of the request have ended before, ≥ 0
 * @param type of machine, in the cloud's words
 * @param userData what it runs at its first start; empty: nothing
 * @param present the cluster's machines that there are
 */
public record Order(
    String cluster,
    String requestId,
    int attempt,
    String type,
    Map<String, String> marks,
    String userData,
    List<CloudMachine> present) {
  private static final int TOKEN_CHARS = 32;
  private static final int NAME_CHARS = 12;

  /** The same for the same attempt of the same request, and for no other. */
  public String token() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(
                  String.join("\n", cluster, requestId, String.valueOf(attempt))
                      .getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, TOKEN_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** A name for the machine that is also a host's name. */
  public String name() {
    return "trimtab-" + token().substring(0, NAME_CHARS);
  }
}
