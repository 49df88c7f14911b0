package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ServiceException;
import io.trimtab.hbasewire.ControllerEpoch;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.hbasewire.ResizeRequest;
import io.trimtab.host.Clocks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.junit.jupiter.api.Test;

/** Servers that refuse older epochs, as the plug-in does, and one that has no plug-in. */
class EpochHeraldTest {
  private static final ServerName ONE = ServerName.valueOf("n1,16020,1");
  private static final ServerName TWO = ServerName.valueOf("n2,16020,1");
  private static final ServerName WITHOUT = ServerName.valueOf("n3,16020,1");
  private static final ServerName AWAY = ServerName.valueOf("n4,16020,1");
  private static final ResizeRequest RESIZE = new ResizeRequest(0.4, 0.2, false);

  private final Map<ServerName, Long> greatest = new ConcurrentHashMap<>();
  private boolean masterAnswers = true;

  private final Admin admin =
      FakeAdmin.of(
          Admin.class,
          (proxy, called, a) -> {
            if (called.getName().equals("getRegionServers")) {
              if (!masterAnswers) {
                throw new IOException("the master is away");
              }
              return List.of(AWAY, WITHOUT, ONE, TWO);
            }
            ServerName server = (ServerName) a[0];
            return FakeAdmin.channel(
                (method, controller, request, prototype) -> {
                  if (server.equals(AWAY)) {
                    throw new ServiceException(new IOException("no route to host"));
                  }
                  if (server.equals(WITHOUT)) {
                    throw new ServiceException(
                        new UnknownProtocolException(null, "no registered service"));
                  }
                  long epoch = ControllerEpoch.of(request);
                  boolean old = greatest.merge(server, epoch, Math::max) > epoch;
                  return NodeReport.builder()
                      .put(Field.REFUSAL, old ? "epoch " + epoch + " is older" : "")
                      .build()
                      .message();
                });
          });

  private final PluginClient earlier = new PluginClient(admin, () -> 7);
  private final PluginClient next = new PluginClient(admin, () -> 8);

  private String resize(PluginClient client, ServerName server) throws IOException {
    return client.resize(server, RESIZE).orElseThrow().text(Field.REFUSAL);
  }

  private void announce() {
    Cluster cluster =
        new Cluster(
            HBaseContact.of(Map.of("hbase.zookeeper.quorum", "zk")),
            Clocks.SYSTEM,
            null,
            admin,
            admin);
    new EpochHerald(cluster, next).announce();
  }

  @Test
  void everyServerRefusesTheEarlierControllerAtOnce() throws IOException {
    assertThat(resize(earlier, ONE)).isEmpty();
    announce();
    for (ServerName server : List.of(ONE, TWO)) {
      assertThat(resize(earlier, server)).isEqualTo("epoch 7 is older");
      assertThat(resize(next, server)).isEmpty();
    }
  }

  @Test
  void aMasterThatIsAwayIsNoReasonToFail() {
    masterAnswers = false;
    announce();
    assertThat(greatest).isEmpty();
  }
}
