package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ServiceException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.Clocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.junit.jupiter.api.Test;

/** What is asked of all servers, while one of them does not answer. */
class RequestReaderTest {
  private static final ServerName ANSWERS = ServerName.valueOf("n1,16020,1");
  private static final ServerName SILENT = ServerName.valueOf("n2,16020,1");

  private final List<Object> asked = new ArrayList<>();

  private final Admin admin =
      FakeAdmin.of(
          Admin.class,
          (proxy, called, a) -> {
            if (called.getName().equals("getRegionServers")) {
              return List.of(SILENT, ANSWERS);
            }
            asked.add(a[0]);
            return FakeAdmin.channel(
                (method, controller, request, prototype) -> {
                  throw new ServiceException(
                      new UnknownProtocolException(null, "no registered service"));
                });
          });

  private RequestReader reader(Predicate<ServerName> silent) {
    Cluster cluster =
        new Cluster(
            HBaseContact.of(Map.of("hbase.zookeeper.quorum", "zk")),
            Clocks.SYSTEM,
            FakeAdmin.unused(Connection.class),
            admin,
            admin);
    return new RequestReader(cluster, new PluginClient(admin, () -> 0), silent);
  }

  /** A call takes as long as an RPC may, and servers are asked one after the other. */
  @Test
  void aServerThatCouldNotBeReadIsNotAsked() throws EngineException {
    reader(SILENT::equals).startCounting();

    assertThat(asked).isNotEmpty().containsOnly(ANSWERS);
  }

  /** It takes a scan for each table. */
  @Test
  void hbaseMetaIsNotReadForServersThatTellNothing() throws EngineException {
    RequestReader reader = reader(server -> false);

    assertThat(reader.hints()).isEmpty();
    assertThat(reader.histograms()).isEmpty();
    assertThat(asked).isNotEmpty();
  }
}
