package io.trimtab.formats.connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.formats.SettingsText;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionsTest {
  private static final String FLEET =
      """
      clusters:
        shop:
          cassandra:
            hosts: 10.0.0.1,10.0.0.2:9142
            cql:
              user: trimtab
              password: env:SHOP_PASSWORD
              tls: {trustStore: trust.p12, trustPassword: "file:trust.pw", hostNames: dns}
            jmx:
              port: 7299
              user: trimtab
              password: command:pass show s3cret-path
            driver: application.conf
        logs:
          hbase:
            conf: /etc/hbase/conf,/etc/hadoop/conf
            kerberos: {principal: trimtab@EXAMPLE.COM, keytab: trimtab.keytab}
            pages: {https: true}
      """;

  private static Connections parse(String text) {
    return StrictYaml.parse("connections.yaml", text, Connections.class);
  }

  @Test
  void aFleetIsOneFile() {
    Connections fleet = parse(FLEET);
    CassandraConnection shop = fleet.named("shop", Path.of("f")).cassandra();
    assertThat(shop.hosts()).isEqualTo("10.0.0.1,10.0.0.2:9142");
    assertThat(shop.cql().user()).isEqualTo("trimtab");
    assertThat(shop.cql().tls().hostNames()).isEqualTo(TlsStores.HostNames.DNS);
    assertThat(shop.jmx().port()).isEqualTo(7299);
    assertThat(shop.jmx().tls()).isNull();
    HBaseConnection logs = fleet.named("logs", Path.of("f")).hbase();
    assertThat(logs.kerberos().keytab()).isEqualTo("trimtab.keytab");
    assertThat(logs.kerberos().zookeeper()).isTrue();
    assertThat(logs.pages().https()).isTrue();
    assertThat(fleet.named("logs", Path.of("f")).provider()).isNull();
  }

  @Test
  void whatStartsNodesAndWhoTellsOfThemAreKeptAsTheyStand() {
    Connection shop =
        parse(
                """
                clusters:
                  a:
                    cassandra: {hosts: h}
                    provider: {exec: {program: p}}
                    metrics: {period: 5s}
                """)
            .named("a", Path.of("f"));
    assertThat(shop.provider().path("exec").path("program").asText()).isEqualTo("p");
    assertThat(shop.metrics().path("period").asText()).isEqualTo("5s");
  }

  @Test
  void aClusterThatIsNotThereIsToldWithThoseThatAre() {
    assertThatThrownBy(() -> parse(FLEET).named("shopp", Path.of("c.yaml")))
        .isInstanceOf(UserError.class)
        .hasMessage("c.yaml: no cluster shopp; there are: logs, shop");
  }

  /** Not even what a command is given, which may be one. */
  @Test
  void noTextOfTheFileHasASecret() {
    Connections fleet = parse(FLEET);
    assertThat(fleet.toString()).contains("(secret)").doesNotContain("s3cret-path");
    assertThat(SettingsText.of(fleet))
        .contains("shop:")
        .contains("hosts: 10.0.0.1,10.0.0.2:9142")
        .contains("password: (secret)")
        .doesNotContain("s3cret-path");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "clusters: {} | 1: clusters: is missing or empty",
        "clusters: {a: {}} | 1: clusters.a: needs either hbase or cassandra",
        "clusters:;  a:;    hbase: {conf: c};    cassandra: {hosts: h}; | has both hbase and cass",
        "clusters:;  a:;    cassandra: {}; | 3: clusters.a.cassandra: hosts is missing",
        "clusters:;  a:;    cassandra:;      host: h; |"
            + " 4: clusters.a.cassandra.host: unknown key; did you mean hosts?",
        "clusters:;  a b:;    cassandra: {hosts: h}; | a name must be 1 to 60 of",
        "clusters:;  a:;    cassandra:;      hosts: h;      cql: {user: u}; |"
            + " 5: clusters.a.cassandra.cql.user: needs a password",
        "clusters:;  a:;    cassandra:;      hosts: h;      jmx: {port: 0}; |"
            + " 5: clusters.a.cassandra.jmx.port: must be in [1, 65535], not 0",
        "clusters:;  a:;    cassandra:;      hosts: h;      cql: {tls: {keyStore: k}}; |"
            + " cql.tls.keyStore: needs keyPassword",
        "clusters:;  a:;    cassandra:;      hosts: h;      cql: {tls: {hostNames: off}}; |"
            + " hostNames: must be one of address, dns, none",
        "clusters:;  a:;    cassandra:;      hosts: h;      cql: {tls: {hostNames: no one}}; |"
            + " hostNames: must be one of address, dns, none, not 'no one'",
        "clusters:;  a:;    hbase: {zookeeper: z, conf: c}; | has both conf and zookeeper",
        "clusters:;  a:;    hbase: {zookeeper: z, kerberos: {ticketCache: t}}; |"
            + " kerberos: needs conf",
        "clusters:;  a:;    hbase: {conf: c, kerberos: {principal: p}}; |"
            + " needs either keytab or ticketCache",
        "clusters:;  a:;    hbase: {conf: c, kerberos: {keytab: k}}; | needs a principal",
      })
  void badInputNamesLineAndKey(String text, String says) {
    assertThatThrownBy(() -> parse(text.strip().replace(';', '\n')))
        .isInstanceOf(UserError.class)
        .message()
        .startsWith("connections.yaml")
        .contains(says.strip())
        .doesNotContain("\n");
  }
}
