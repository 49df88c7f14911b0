package io.trimtab.providers;

import io.trimtab.config.UserError;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * Checks of settings' values; the first word of a message is the key, by which its line is found.
 */
public final class Check {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private Check() {}

  /**
   * A whole number.
   *
   * @param value null: {@code missing}
   */
  public static int within(String key, Integer value, int missing, int min, int max) {
    int chosen = value == null ? missing : value;
    that(chosen >= min && chosen <= max, key, "from " + min + " to " + max, chosen);
    return chosen;
  }

  /** A duration, as {@link #within}. */
  public static Duration within(
      String key, Duration value, Duration missing, Duration min, Duration max) {
    Duration chosen = value == null ? missing : value;
    that(
        chosen.compareTo(min) >= 0 && chosen.compareTo(max) <= 0,
        key,
        "from " + min.toMillis() + "ms to " + max.toSeconds() + "s",
        chosen.toMillis() + "ms");
    return chosen;
  }

  /** The usual time from a request until a node runs, in [0 s, max]; null: not known. */
  public static Duration boot(Duration value, Duration max) {
    return value == null ? null : within("boot", value, value, Duration.ZERO, max);
  }

  /** A price, ≥ 0; null: not known. */
  public static Double price(String key, Double value) {
    that(value == null || value >= 0 && Double.isFinite(value), key, "at least 0", value);
    return value;
  }

  /** Text that is not empty. */
  public static String given(String key, String value) {
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(key + " is missing");
    }
    return value;
  }

  /** An address of a server, as {@code https://host:port/path}. */
  public static URI address(String key, String value) {
    withoutSecret(key, given(key, value));
    try {
      URI uri = new URI(value);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      that(http && uri.getHost() != null, key, "http://HOST or https://HOST", value);
      return uri;
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(key + " must be an address, not " + value, e);
    }
  }

  /** That messages, which have an address, show neither a password nor a token with it. */
  public static void withoutSecret(String key, String address) {
    if (address.contains("@") || address.contains("?")) {
      throw new IllegalArgumentException(
          key + " must have neither @ nor ?: messages show it, so it is no place for a secret");
    }
  }

  /**
   * That a file can be read.
   *
   * @param setting that names the file
   * @throws UserError if it is not there, or not for this user
   */
  public static void readable(String setting, String file) {
    if (!Files.isReadable(Path.of(file))) {
      throw new UserError(setting + ": " + file + ": no such file, or not readable");
    }
  }

  /** Whether what is sent to an address can be read by nobody on the way. */
  public static boolean unreadable(URI address) {
    return "https".equals(address.getScheme())
        || "http".equals(address.getScheme())
            && address.getHost() != null
            && LOOPBACK.contains(address.getHost());
  }

  private static void that(boolean holds, String key, String range, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(key + " must be " + range + ", not " + value);
    }
  }
}
