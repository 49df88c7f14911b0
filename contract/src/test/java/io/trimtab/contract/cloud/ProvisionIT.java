package io.trimtab.contract.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.contract.CassandraCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.workload.CassandraTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** A ring of Cassandra nodes, of which each machine has one. */
@Tag("beside-others")
class ProvisionIT extends ProvisionContract {
  private static CassandraLab lab;
  private CassandraCluster ring;

  @BeforeAll
  static void place() throws IOException {
    System.setProperty("trimtab.home", home.toString());
    lab =
        CassandraLab.place(
            CassandraCluster.config("it-provision", 1, CassandraSettings.DEFAULTS), Owner.PROCESS);
    prepare(
        lab,
        "cassandra",
        "shop.orders",
        List.of(
            "--cassandra",
            node(lab, 1),
            "--jmx-port",
            Integer.toString(lab.state().addresses().jmxPort())));
  }

  @Override
  protected TestCluster cluster() {
    return ring;
  }

  @Override
  void connected(Work work) throws Exception {
    try (CassandraEngine engine = lab.engine();
        CassandraTarget target = CassandraTarget.connect(lab.points(), NODES)) {
      ring = new CassandraCluster(lab, engine, target);
      ordersAreTaken(target.session());
      work.run();
      for (NodeState node : engine.snapshot().liveNodes()) {
        engine.flush(node.id(), "shop", LIMIT);
      }
    }
  }

  /** In the table that the command has created, with as many copies as it has said. */
  private static void ordersAreTaken(CqlSession session) {
    KeyspaceMetadata shop = session.getMetadata().getKeyspace("shop").orElseThrow();
    assertThat(shop.getReplication()).containsEntry("datacenter1", Integer.toString(NODES));
    assertThat(shop.getTable("orders")).isPresent();
    PreparedStatement insert =
        session.prepare("INSERT INTO shop.orders (key, value) VALUES (?, ?)");
    for (int i = 0; i < ORDERS; i++) {
      ByteBuffer order = ByteBuffer.wrap(("order-" + i).getBytes(StandardCharsets.UTF_8));
      session.execute(insert.bind(order, order).setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    assertThat(session.execute("SELECT key FROM shop.orders").all()).hasSize(ORDERS);
  }

  /** Machines that were given back have what they had. */
  @Override
  void assertOrdersAreKept() throws IOException {
    for (int number = 1; number <= NODES; number++) {
      Path data = lab.dir().retired("n" + number + "-cassandra");
      assertThat(ordersIn(data)).as("files of the table in %s", data).isNotEmpty();
    }
  }

  private static List<Path> ordersIn(Path data) throws IOException {
    try (Stream<Path> all = Files.walk(data)) {
      return all.filter(file -> file.toString().contains("/shop/orders-"))
          .filter(file -> file.toString().endsWith("-Data.db"))
          .toList();
    }
  }
}
