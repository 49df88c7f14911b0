package io.trimtab.contract;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.trimtab.lab.cluster.LabNode;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that read one row after another, each from a coordinator of its own; until closed. */
final class ReadsOfNodes implements AutoCloseable {
  private static final int CLIENTS = 2;

  private final CqlSession session;
  private final String select;
  private final int rows;
  private final List<Thread> clients = new ArrayList<>();
  private final AtomicLong failed = new AtomicLong();
  private volatile boolean ending;

  /**
   * @param select reads a row, with its number to be added
   * @param rows how many there are
   */
  ReadsOfNodes(CqlSession session, List<LabNode> coordinators, String select, int rows) {
    this.session = session;
    this.select = select;
    this.rows = rows;
    for (LabNode coordinator : coordinators) {
      Node node =
          session.getMetadata().getNodes().values().stream()
              .filter(each -> name(each).equals(coordinator.id().name()))
              .findFirst()
              .orElseThrow();
      for (int i = 0; i < CLIENTS; i++) {
        Thread client = new Thread(() -> read(node), "reads");
        clients.add(client);
        client.start();
      }
    }
  }

  private static String name(Node node) {
    InetSocketAddress address = (InetSocketAddress) node.getEndPoint().resolve();
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  private void read(Node node) {
    for (int i = 0; !ending; i++) {
      try {
        session.execute(
            SimpleStatement.newInstance(select + i % rows)
                // At ONE a node that has everything itself would ask none of the others.
                .setConsistencyLevel(ConsistencyLevel.QUORUM)
                .setTimeout(KnownRows.LIMIT)
                .setNode(node));
        // A thousand in a second from all would take what the nodes need themselves.
        TimeUnit.MILLISECONDS.sleep(1);
      } catch (DriverException e) {
        failed.incrementAndGet();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Reads that were not answered. */
  long failed() {
    return failed.get();
  }

  @Override
  public void close() throws InterruptedException {
    ending = true;
    for (Thread client : clients) {
      client.join();
    }
  }
}
