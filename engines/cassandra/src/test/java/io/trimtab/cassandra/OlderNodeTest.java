package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeSetting;
import java.io.IOException;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the beans of Cassandra 4.0 lack. */
class OlderNodeTest {
  private final MBeanServer beans = MBeanServerFactory.newMBeanServer();
  private ServedBeans served;
  private NodeJmx jmx;

  /** As in Cassandra 4.0. */
  public interface OlderMBean {
    int getCompactionThroughputMbPerSec();
  }

  /** See {@link OlderMBean}. */
  public static final class Older implements OlderMBean {
    @Override
    public int getCompactionThroughputMbPerSec() {
      return 32;
    }
  }

  /** As in Cassandra 4.1. */
  public interface NewerMBean {
    double getCompactionThroughtputMibPerSecAsDouble();

    int getCompactionThroughputMbPerSec();

    String getToken(String keyspace, String table, String key);
  }

  /** See {@link NewerMBean}. */
  public static final class Newer implements NewerMBean {
    @Override
    public double getCompactionThroughtputMibPerSecAsDouble() {
      return 24.0;
    }

    @Override
    public int getCompactionThroughputMbPerSec() {
      throw new IllegalStateException("it would have to be rounded");
    }

    @Override
    public String getToken(String keyspace, String table, String key) {
      throw new IllegalArgumentException("Unknown table '" + table + "'");
    }
  }

  @BeforeEach
  void listen() throws IOException {
    served = ServedBeans.of(beans);
    jmx = served.connect();
  }

  @AfterEach
  void stop() throws IOException {
    jmx.close();
    served.close();
  }

  private void ring(Object bean) throws JMException {
    beans.registerMBean(bean, NodeJmx.name(StorageService.BEAN));
  }

  @Test
  void anOlderNodeTellsWholeNumbersAndNoTokensOfKeys() throws Exception {
    ring(new Older());

    assertThat(NodeSettings.read(jmx)).isEqualTo(Map.of(NodeSetting.COMPACTION_THROUGHPUT, 32));
    assertThat(new StorageService(jmx).tellsTokens()).isFalse();
  }

  /** A key that it does not know is no reason to take it for an older one. */
  @Test
  void aNewerNodeTellsItsOwnNumberAndTokensOfKeys() throws Exception {
    ring(new Newer());

    assertThat(NodeSettings.read(jmx)).isEqualTo(Map.of(NodeSetting.COMPACTION_THROUGHPUT, 24));
    assertThat(new StorageService(jmx).tellsTokens()).isTrue();
  }
}
