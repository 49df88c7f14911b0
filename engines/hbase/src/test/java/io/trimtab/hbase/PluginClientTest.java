package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.BlockingRpcChannel;
import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.hbasewire.ResizeRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.junit.jupiter.api.Test;

/** Against plug-ins of other versions. HBase's refusals are worded as 2.6.4 words them. */
class PluginClientTest {
  private static final ServerName SERVER = ServerName.valueOf("n1,16020,1");
  private static final NodeReport REPORT =
      NodeReport.builder().put(Field.PLUGIN_VERSION, "0.0.9").build();

  private final List<String> calls = new ArrayList<>();

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
    return new PluginClient(
        (Admin)
            Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, called, arguments) -> channel(server)));
  }

  private static CoprocessorRpcChannel channel(BlockingRpcChannel server) {
    return (CoprocessorRpcChannel)
        Proxy.newProxyInstance(
            CoprocessorRpcChannel.class.getClassLoader(),
            new Class<?>[] {CoprocessorRpcChannel.class},
            (proxy, called, a) -> {
              return server.callBlockingMethod(
                  (com.google.protobuf.Descriptors.MethodDescriptor) a[0],
                  (com.google.protobuf.RpcController) a[1],
                  (Message) a[2],
                  (Message) a[3]);
            });
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
}
