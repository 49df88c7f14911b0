package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.BlockingRpcChannel;
import com.google.protobuf.ServiceException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.PluginClient.OutdatedPluginException;
import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.ControllerEpoch;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.hbasewire.RegionHistory;
import io.trimtab.hbasewire.ResizeRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

/** Against plug-ins of other versions. HBase's refusals are worded as 2.6.4 words them. */
class PluginClientTest {
  private static final ServerName SERVER = ServerName.valueOf("n1,16020,1");
  private static final NodeReport REPORT =
      NodeReport.builder().put(Field.PLUGIN_VERSION, "0.0.9").build();

  private final List<String> calls = new ArrayList<>();
  private final AtomicLong epoch = new AtomicLong();

  /** A server whose plug-in knows one service with these methods. */
  private PluginClient client(String service, String... methods) {
    BlockingRpcChannel server =
        (method, controller, request, prototype) -> {
          String asked = method.getService().getFullName();
          calls.add(asked + "." + method.getName());
          if (!asked.equals(service)) {
            throw refused("No registered coprocessor executorService found for " + asked);
          }
          if (!Set.of(methods).contains(method.getName())) {
            throw refused(
                "Unknown method " + method.getName() + " called on executorService " + asked);
          }
          return REPORT.message();
        };
    return client(server);
  }

  private PluginClient client(BlockingRpcChannel server) {
    return new PluginClient(
        FakeAdmin.of(Admin.class, (proxy, called, a) -> FakeAdmin.channel(server)), epoch::get);
  }

  private static ServiceException refused(String why) {
    return new ServiceException(new UnknownProtocolException(null, why));
  }

  @Test
  void aPluginOfThisVersionIsCalledOnce() throws IOException {
    PluginClient client = client("trimtab.NodeService", "Report");

    assertThat(client.report(SERVER)).isPresent();
    assertThat(calls).containsExactly("trimtab.NodeService.Report");
  }

  @Test
  void aPluginOfVersion1IsCalledByItsOwnName() throws IOException {
    PluginClient client = client("trimtab.ProfileService", "Report", "Resize");

    assertThat(client.report(SERVER).orElseThrow().text(Field.PLUGIN_VERSION)).isEqualTo("0.0.9");
    assertThat(client.resize(SERVER, new ResizeRequest(0.4, 0.2, false))).isPresent();
    assertThat(NodeProtocol.VERSION).isGreaterThan(1);
  }

  @Test
  void whatAnOlderPluginLacksIsSaidAndTheRestGoesOn() throws IOException {
    PluginClient client = client("trimtab.ProfileService", "Report", "Resize");

    assertThatThrownBy(() -> client.splits(SERVER))
        .isInstanceOf(OutdatedPluginException.class)
        .hasMessage(
            "the plug-in on n1:16020 has no Splits: update the plug-in"
                + " (trimtab plugin install hbase)");
    assertThat(client.report(SERVER)).isPresent();
  }

  @Test
  void aServerWithoutThePluginIsNoError() throws IOException {
    assertThat(client("another.Service").report(SERVER)).isEmpty();
    assertThat(client("another.Service").splits(SERVER)).isEmpty();
  }

  @Test
  void onlyWhatChangesSomethingCarriesTheEpoch() throws IOException {
    Map<String, Long> epochs = new TreeMap<>();
    PluginClient client =
        client(
            (method, controller, request, prototype) -> {
              epochs.put(method.getName(), ControllerEpoch.of(request));
              return prototype;
            });

    for (long now : new long[] {0, 7}) {
      epoch.set(now);
      client.report(SERVER);
      client.resize(SERVER, new ResizeRequest(0.4, 0.2, false));
      client.cached(SERVER, "r");
      client.warm(SERVER, BlockList.of(List.of()));
      client.inherit(SERVER, RegionHistory.of("r", new byte[] {1}));
      client.evict(SERVER, BlockList.of(List.of()));
      client.splits(SERVER);
      client.histograms(SERVER);

      assertThat(epochs)
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  "Report",
                  0L,
                  "Splits",
                  0L,
                  "Histograms",
                  0L,
                  "Resize",
                  now,
                  "Cached",
                  now,
                  "Warm",
                  now,
                  "Inherit",
                  now,
                  "Evict",
                  now));
    }
  }

  /** As HBase's client hands it on: a class of its own, and the server's stack after the text. */
  @Test
  void aRefusalIsOneLineThatNamesThePermissionAndIsNotRetried() {
    String said = "user eve needs the global permission ADMIN for Resize";
    String stack =
        AccessDeniedException.class.getName() + ": " + said + "\n\tat a.b.Endpoint(E.java:1)";
    for (IOException sent : List.of(new AccessDeniedException(stack), new IOException(stack))) {
      PluginClient client =
          client(
              (method, controller, request, prototype) -> {
                throw new ServiceException("Error calling method", sent);
              });

      assertThatThrownBy(
              () ->
                  HBaseErrors.RETRY.until(
                      "applying READ to n1:16020",
                      Duration.ofSeconds(60),
                      Duration.ofMillis(1),
                      () -> client.resize(SERVER, new ResizeRequest(0.4, 0.2, false)).isPresent()))
          .isInstanceOf(EngineException.class)
          .hasMessage("applying READ to n1:16020: n1:16020: " + said);
    }
  }
}
