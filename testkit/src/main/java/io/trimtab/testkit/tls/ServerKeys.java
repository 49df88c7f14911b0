package io.trimtab.testkit.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * TLS of servers at 127.0.0.1, of which a client that trusts one authority takes the first only.
 *
 * @param authority certificate of the authority, as PEM
 * @param good signed by it
 * @param strange signed by another one
 * @param misnamed signed by it for another host
 * @param expired signed by it, until some days ago
 */
public record ServerKeys(
    String authority,
    SSLContext good,
    SSLContext strange,
    SSLContext misnamed,
    SSLContext expired) {

  /** Each key is a process that takes a second. */
  private static ServerKeys made;

  /** The same ones for all tests of a process. */
  public static synchronized ServerKeys get() {
    if (made == null) {
      try {
        Path folder = Files.createTempDirectory("server-keys");
        try {
          made = in(folder);
        } finally {
          delete(folder);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException | GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
    return made;
  }

  private static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(folder)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }

  private static ServerKeys in(Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Authority trusted = new Authority(folder, "trusted");
    Authority other = new Authority(folder, "other");
    String here = "127.0.0.1";
    return new ServerKeys(
        trusted.certificate(),
        trusted.server("good", here),
        other.server("strange", here),
        trusted.server("misnamed", "127.0.0.9"),
        trusted.server("expired", here, "-startdate", "-9d", "-validity", "2"));
  }
}
