package io.trimtab.hbase;

import com.google.protobuf.BlockingRpcChannel;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcController;
import io.trimtab.hbase.tables.SplitRules;
import io.trimtab.host.Clocks;
import io.trimtab.host.GivenLock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;

/** HBase's interfaces, of which tests use a few methods. */
final class FakeAdmin {
  private FakeAdmin() {}

  static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** One of which nothing may be used. */
  static <T> T unused(Class<T> type) {
    return of(
        type,
        (proxy, called, a) -> {
          throw new AssertionError(called.getName());
        });
  }

  /** Of a cluster whose data is not on HDFS, with HBase's defaults. */
  static ClusterFacts facts(String version) {
    SplitRules splits = SplitRules.of(Map.of());
    return new ClusterFacts("c", version, 3, List.of(), false, false, false, splits, true);
  }

  /**
   * An engine of a cluster without a plug-in.
   *
   * @param asking for what changes nothing
   * @param changing for the rest
   */
  static HBaseEngine engine(Connection connection, Admin asking, Admin changing, GivenLock given) {
    return engine(Clocks.SYSTEM, connection, asking, changing, given);
  }

  /** The same, by a time of the caller's. */
  static HBaseEngine engine(
      Clocks clocks, Connection connection, Admin asking, Admin changing, GivenLock given) {
    HBaseContact contact = HBaseContact.of(Map.of("hbase.zookeeper.quorum", "zk"));
    return engine(new Cluster(contact, clocks, connection, asking, changing), given);
  }

  /** The same, of a connection with a cluster. */
  static HBaseEngine engine(Cluster cluster, GivenLock given) {
    return new HBaseEngine(cluster, facts("2.6.4"), given);
  }

  /** A plug-in's service. */
  static CoprocessorRpcChannel channel(BlockingRpcChannel server) {
    return of(
        CoprocessorRpcChannel.class,
        (proxy, called, a) ->
            server.callBlockingMethod(
                (MethodDescriptor) a[0], (RpcController) a[1], (Message) a[2], (Message) a[3]));
  }
}
