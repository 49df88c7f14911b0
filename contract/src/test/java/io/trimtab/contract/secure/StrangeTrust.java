package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client that trusts a certificate which no node has.
 *
 * @param connections a lab's own file
 * @param cluster its name there
 * @param folder of strange certificates, an empty one
 */
record StrangeTrust(Path connections, String cluster, Path folder) {
  private static final String PASSWORD = "hunter2hunter2";
  private static final String LABS =
      "trustStore: trust.p12, trustPassword: \"file:store.password\"";

  /**
   * Checks that each command ends with exit code 2 and says in a line where, what, and what mends
   * it.
   *
   * @param way {@code cql} or {@code jmx}; the other one has the lab's store
   * @param port every node's for that
   */
  void assertRefused(String way, int port) throws IOException, InterruptedException {
    EditedConnections file = strange(way);
    String what = ":" + port + ": PKIX path";
    String mend =
        "; to mend it: add the certificate of the authority that signed the server's to "
            + way
            + ".tls.trustStore";
    assertThat(Refused.command(file.arguments("connect", "check")).out().lines())
        .filteredOn(line -> line.startsWith("FAILED"))
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("FAILED  TLS with 127.77.")
                    .contains(what)
                    .endsWith(mend));
    for (List<String> words :
        List.of(file.arguments("plan"), file.arguments("run", "--act", "--plans", "1"))) {
      assertThat(Refused.command(words).line())
          .startsWith("trimtab: Cassandra at 127.77.")
          .contains("TLS with 127.77.", what)
          .endsWith(mend);
    }
  }

  private EditedConnections strange(String way) throws IOException, InterruptedException {
    Keytool keytool = new Keytool(folder, PASSWORD);
    keytool.key(way);
    String strange =
        "trustStore: \"%s\", trustPassword: \"command:echo %s\""
            .formatted(keytool.trust(way), PASSWORD);
    return EditedConnections.write(
        connections,
        cluster,
        "strange-" + way,
        text ->
            text.replaceFirst(
                "(?s)(" + way + ":.*?)" + Pattern.quote(LABS),
                "$1" + Matcher.quoteReplacement(strange)));
  }
}
