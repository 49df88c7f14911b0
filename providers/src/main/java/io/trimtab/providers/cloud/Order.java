package io.trimtab.providers.cloud;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * A machine that is asked for.
 *
 * @param attempt how many machines of the request are known to have ended before, ≥ 0
 * @param type of machine, in the cloud's words
 * @param userData what it runs at its first start; empty: nothing
 */
public record Order(
    String cluster,
    String requestId,
    int attempt,
    String type,
    Map<String, String> marks,
    String userData) {
  private static final int TOKEN_CHARS = 32;
  private static final int NAME_CHARS = 12;

  /** The same after one more machine of the request that has ended. */
  Order next() {
    return new Order(cluster, requestId, attempt + 1, type, marks, userData);
  }

  /**
   * The same for the same attempt of the same request at the same place, and for no other.
   *
   * @param place of several that a machine can be put into; empty if there is no choice
   */
  public String token(String place) {
    String text = String.join("\n", cluster, requestId, String.valueOf(attempt));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(
                  (place.isEmpty() ? text : text + "\n" + place).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, TOKEN_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** A name for the machine that is also a host's name. */
  public String name() {
    return "trimtab-" + token("").substring(0, NAME_CHARS);
  }
}
