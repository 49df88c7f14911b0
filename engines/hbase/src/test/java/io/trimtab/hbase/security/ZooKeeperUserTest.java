package io.trimtab.hbase.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.zookeeper.Login;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;

/** How ZooKeeper's own client logs in; nothing is connected. */
class ZooKeeperUserTest {
  private static ZKClientConfig client(Optional<Path> keytab, Optional<Path> cache)
      throws IOException {
    ZKClientConfig client = new ZKClientConfig();
    Kerberos how =
        new Kerberos(Optional.of("trimtab@EXAMPLE.COM"), keytab, cache, Optional.empty(), true);
    ZooKeeperUser.logIn(how, client);
    return client;
  }

  /** ZooKeeper's own limit, a minute, makes a thread spin that nothing can interrupt. */
  @Test
  void aTicketOfAMinuteIsRenewedWithPauses() throws Exception {
    // Whoever opens a client has loaded this class.
    Class.forName("io.trimtab.hbase.zookeeper.ClusterZooKeeper");
    ZKClientConfig client = client(Optional.of(Path.of("trimtab.keytab")), Optional.empty());
    // That it is obeyed, HBaseSecureIT tests: here, servers of other tests may have read it before.
    assertThat(System.getProperty(Login.MIN_TIME_BEFORE_RELOGIN_CONFIG_KEY)).isEqualTo("1000");
    assertThat(client.getProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY)).isEqualTo("true");
    assertThat(client.getProperty(ZKClientConfig.KINIT_COMMAND)).isNull();
  }

  /** It would be the default cache of whoever runs this process, and not the one that is set. */
  @Test
  void nobodysTicketCacheIsRenewed() throws IOException {
    ZKClientConfig client = client(Optional.empty(), Optional.of(Path.of("cache")));
    assertThat(client.getProperty(ZKClientConfig.KINIT_COMMAND)).isEqualTo("true");
  }
}
