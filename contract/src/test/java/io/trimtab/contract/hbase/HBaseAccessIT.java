package io.trimtab.contract.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import io.trimtab.contract.HBaseCluster;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.PluginInstall;
import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.ControllerEpoch;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.hbasewire.ResizeRequest;
import io.trimtab.hbasewire.SplitList;
import io.trimtab.hbasewire.SplitList.RegionSplit;
import io.trimtab.lab.cluster.LabNode;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plug-in's calls on a real cluster with HBase's own authorization: {@code boss} has the global
 * permission ADMIN, {@code eve} may read one table. Users are who they say they are (simple
 * authentication), as far as HBase's permissions are concerned.
 */
@Tag("beside-others")
class HBaseAccessIT {
  private static final String CONTROLLER =
      "org.apache.hadoop.hbase.security.access.AccessController";

  private static final Map<String, String> SITE =
      Map.of(
          "hbase.security.authorization",
          "true",
          "hbase.coprocessor.master.classes",
          CONTROLLER,
          "hbase.coprocessor.region.classes",
          CONTROLLER,
          "hbase.coprocessor.regionserver.classes",
          CONTROLLER + "," + PluginInstall.ENDPOINT);

  @TempDir static Path home;
  @AutoClose private static HBaseCluster cluster;
  private static TableName open;
  private static TableName secret;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = HBaseCluster.up("access-it", home, SITE, c -> c.withNodes(2).withSpareNodes(0));
    HBaseTables tables = new HBaseTables(cluster.connection());
    open = tables.create("open");
    secret = tables.create("secret");
    tables.fill(open, 3_000);
    tables.fill(secret, 3_000);
    try (Admin admin = cluster.connection().getAdmin()) {
      Permission all = Permission.newBuilder().withActions(Action.ADMIN).build();
      Permission read = Permission.newBuilder(open).withActions(Action.READ).build();
      admin.grant(new UserPermission("boss", all), false);
      admin.grant(new UserPermission("eve", read), false);
    }
  }

  /** A call of every server's plug-in, as a user. */
  private static List<Message> call(
      String user, MethodDescriptor method, Message request, Message prototype) throws Exception {
    List<ServerName> servers;
    try (Admin admin = cluster.connection().getAdmin()) {
      servers = List.copyOf(admin.getRegionServers());
    }
    Configuration conf = new Configuration(cluster.connection().getConfiguration());
    PrivilegedExceptionAction<List<Message>> calls =
        () -> {
          List<Message> answers = new ArrayList<>();
          try (Connection connection = ConnectionFactory.createConnection(conf);
              Admin admin = connection.getAdmin()) {
            for (ServerName server : servers) {
              answers.add(
                  admin
                      .coprocessorService(server)
                      .callBlockingMethod(method, null, request, prototype));
            }
          }
          return answers;
        };
    try {
      return UserGroupInformation.createRemoteUser(user).doAs(calls);
    } catch (UndeclaredThrowableException e) {
      throw (Exception) e.getCause();
    }
  }

  private static List<Message> resize(String user) throws Exception {
    return call(
        user,
        NodeProtocol.RESIZE,
        new ResizeRequest(0.3, 0.3, false).message(),
        NodeReport.prototype());
  }

  /** What a user is told of the regions of both tables, by table. */
  private static Map<TableName, RegionSplit> splits(String user) throws Exception {
    Map<String, TableName> names = new TreeMap<>();
    try (Admin admin = cluster.connection().getAdmin()) {
      for (TableName table : List.of(open, secret)) {
        for (RegionInfo region : admin.getRegions(table)) {
          names.put(region.getEncodedName(), table);
        }
      }
    }
    Map<TableName, RegionSplit> splits = new TreeMap<>();
    for (Message list :
        call(user, NodeProtocol.SPLITS, SplitList.request(), SplitList.prototype())) {
      for (RegionSplit split : SplitList.parse(list.toByteArray()).regions()) {
        if (names.containsKey(split.region())) {
          splits.put(names.get(split.region()), split);
        }
      }
    }
    return splits;
  }

  private static List<Long> cacheLimits() throws Exception {
    List<Long> limits = new ArrayList<>();
    for (Message report :
        call("boss", NodeProtocol.REPORT, ResizeRequest.report(), NodeReport.prototype())) {
      limits.add(NodeReport.parse(report.toByteArray()).number(Field.CACHE_MAX_BYTES));
    }
    return limits;
  }

  @Test
  void onlyAnAdministratorMayResize() throws Exception {
    List<Long> before = cacheLimits();
    assertThatThrownBy(() -> resize("eve"))
        .isInstanceOf(ServiceException.class)
        .hasCauseInstanceOf(AccessDeniedException.class)
        .cause()
        .hasMessageContaining("'eve'");
    assertThat(cacheLimits()).isEqualTo(before);

    for (Message answer : resize("boss")) {
      assertThat(NodeReport.parse(answer.toByteArray()).text(Field.REFUSAL)).isEmpty();
    }
    assertThat(cacheLimits()).isNotEqualTo(before);
  }

  private static List<String> refusals(List<Message> answers) throws Exception {
    List<String> refusals = new ArrayList<>();
    for (Message answer : answers) {
      refusals.add(NodeReport.parse(answer.toByteArray()).text(Field.REFUSAL));
    }
    return refusals;
  }

  private static List<Message> evict(String user) throws Exception {
    return call(
        user, NodeProtocol.EVICT, BlockList.of(List.of()).message(), NodeReport.prototype());
  }

  @Test
  void onlyAnAdministratorMayEvict() throws Exception {
    assertThatThrownBy(() -> evict("eve"))
        .isInstanceOf(ServiceException.class)
        .hasCauseInstanceOf(AccessDeniedException.class)
        .cause()
        .hasMessageContaining("'eve'");

    assertThat(refusals(evict("boss"))).isNotEmpty().allMatch(String::isEmpty);
  }

  /** The greatest epoch stays: no other test of this class sends one. */
  @Test
  void aControllerOfAnEarlierEpochChangesNothing() throws Exception {
    Message nothing = BlockList.of(List.of()).message();
    List<Message> newer =
        call("boss", NodeProtocol.EVICT, epoch(nothing, 8), NodeReport.prototype());
    assertThat(refusals(newer)).isNotEmpty().allMatch(String::isEmpty);
    List<Long> before = cacheLimits();

    Message resize = new ResizeRequest(0.35, 0.25, false).message();
    List<Message> older =
        call("boss", NodeProtocol.RESIZE, epoch(resize, 7), NodeReport.prototype());

    assertThat(refusals(older))
        .isNotEmpty()
        .allMatch("epoch 7 is older than 8: another controller has taken over"::equals);
    assertThat(cacheLimits()).isEqualTo(before);
  }

  private static Message epoch(Message request, long epoch) {
    return ControllerEpoch.on(request, epoch);
  }

  /** HBase's information pages ask for no permission. */
  @Test
  void jmxShowsNoRowKeys() {
    int regions = 0;
    for (LabNode node : cluster.lab().nodes()) {
      // A server without a region that is followed has none.
      Optional<JsonNode> bean = cluster.lab().bean(node.id(), "io.trimtab:type=Requests");
      for (JsonNode region : bean.map(b -> b.path("Regions")).orElse(MissingNode.getInstance())) {
        JsonNode key = region.path("value").isMissingNode() ? region : region.path("value");
        assertThat(key.has("key")).as("%s", region).isTrue();
        assertThat(key.path("key").asText()).as("%s", region).isEmpty();
        regions++;
      }
    }
    assertThat(regions).isPositive();
  }

  /** HBase itself asks for ADMIN before any call reaches the plug-in. */
  @Test
  void splitKeysAreNotShownToWhoeverIsNoAdministrator() throws Exception {
    assertThatThrownBy(() -> splits("eve"))
        .isInstanceOf(ServiceException.class)
        .hasCauseInstanceOf(AccessDeniedException.class);

    Map<TableName, RegionSplit> seen = splits("boss");
    assertThat(seen).containsKeys(open, secret);
  }
}
