package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.hbasewire.SplitList;
import io.trimtab.host.Clocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.junit.jupiter.api.Test;

/** What is asked of all servers, also while one of them does not answer. */
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
    return new RequestReader(
        cluster, new PluginClient(admin, () -> 0), silent, () -> FakeAdmin.facts("2.6.4"));
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

  private static final TableName TABLE = TableName.valueOf("t");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();

  /** A server that advises to split the only region of a table. */
  private static RequestReader advised(TableDescriptor table) {
    Admin advising =
        FakeAdmin.of(
            Admin.class,
            (proxy, called, a) ->
                switch (called.getName()) {
                  case "getRegionServers" -> List.of(ANSWERS);
                  case "listTableNames" -> new TableName[] {TABLE};
                  case "listTableDescriptors" -> List.of(table);
                  default -> FakeAdmin.channel((method, controller, request, p) -> advice());
                });
    Connection connection =
        FakeAdmin.of(
            Connection.class,
            (proxy, called, a) ->
                FakeAdmin.of(
                    RegionLocator.class,
                    (p, of, b) -> List.of(new HRegionLocation(REGION, ANSWERS))));
    Cluster cluster =
        new Cluster(
            HBaseContact.of(Map.of("hbase.zookeeper.quorum", "zk")),
            Clocks.SYSTEM,
            connection,
            advising,
            advising);
    return new RequestReader(
        cluster,
        new PluginClient(advising, () -> 0),
        server -> false,
        () -> FakeAdmin.facts("2.6.4"));
  }

  private static Message advice() {
    FieldDescriptor region = SplitList.prototype().getDescriptorForType().findFieldByName("region");
    Descriptor one = region.getMessageType();
    return DynamicMessage.newBuilder(region.getContainingType())
        .addRepeatedField(
            region,
            DynamicMessage.newBuilder(one)
                .setField(one.findFieldByName("region"), REGION.getEncodedName())
                .setField(one.findFieldByName("verdict"), "split")
                .setField(one.findFieldByName("reason"), "its requests halve there")
                .build())
        .build();
  }

  private static TableDescriptorBuilder table() {
    return TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
  }

  /** Otherwise policies would propose a split again and again that is then refused. */
  @Test
  void whatMustNotBeSplitIsNotWorthIt() throws EngineException {
    assertThat(advised(table().build()).hints())
        .singleElement()
        .extracting(SplitHint::verdict)
        .isEqualTo(SplitHint.Verdict.SPLIT);

    String policy = "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy";
    assertThat(advised(table().setRegionSplitPolicyClassName(policy).build()).hints())
        .singleElement()
        .satisfies(
            hint -> {
              assertThat(hint.verdict()).isEqualTo(SplitHint.Verdict.NOT_WORTH_IT);
              assertThat(hint.reason()).contains(policy);
            });
  }
}
