package io.trimtab.contract.secure.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.internal.core.context.EventBus;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.metadata.TopologyEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A node that an open session takes for down, and comes back to. */
final class LostNode {
  private static final long LIMIT_S = 60;

  private LostNode() {}

  /**
   * Checks that a session which has lost a node asks for it with the store that is there by then:
   * again and again in vain while it is a stranger's, and with another one it gets through.
   */
  static void assertIsFoundBy(CqlSession open, ExchangedStore store)
      throws IOException, InterruptedException {
    EventBus driver = ((InternalDriverContext) open.getContext()).getEventBus();
    Collection<Node> nodes = open.getMetadata().getNodes().values();
    // One to each, and one by which the driver hears of the ring.
    await(() -> nodes.stream().mapToInt(Node::getOpenConnections).sum() > nodes.size());
    Node node = nodes.stream().filter(n -> n.getOpenConnections() == 1).findFirst().orElseThrow();
    InetSocketAddress address = node.getBroadcastRpcAddress().orElseThrow();

    driver.fire(TopologyEvent.forceDown(address));
    await(() -> node.getState() == NodeState.FORCED_DOWN && node.getOpenConnections() == 0);
    store.beStrange();
    driver.fire(TopologyEvent.forceUp(address));
    await(() -> node.getState() == NodeState.DOWN && node.isReconnecting());
    assertThat(node.getOpenConnections()).isZero();

    store.beGood();
    await(() -> node.getState() == NodeState.UP && node.getOpenConnections() == 1);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }
}
