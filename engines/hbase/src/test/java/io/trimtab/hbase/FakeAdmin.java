package io.trimtab.hbase;

import com.google.protobuf.BlockingRpcChannel;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcController;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;

/** HBase's interfaces, of which tests use a few methods. */
final class FakeAdmin {
  private FakeAdmin() {}

  static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
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
