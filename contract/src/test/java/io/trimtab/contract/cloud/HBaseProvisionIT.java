package io.trimtab.contract.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.workload.HBaseWorkloadTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * RegionServers, of which each machine has one, for a master that waits for the first: ZooKeeper,
 * HDFS and the master run already, and go on running. See {@code ./trimtab test --provision}.
 */
@Tag("provision")
class HBaseProvisionIT extends ProvisionContract {
  private static final TableName TABLE = TableName.valueOf("shop", "orders");
  private static final byte[] FAMILY = {'f'};

  private static HBaseLab lab;
  private HBaseCluster cluster;

  @BeforeAll
  static void place() throws IOException {
    System.setProperty("trimtab.home", home.toString());
    // HDFS has one DataNode, which is none of the provider's machines.
    lab =
        HBaseLab.place(
            HBaseCluster.config("it-provision-hbase", 1).withSite(Map.of("dfs.replication", "1")),
            Owner.PROCESS);
    prepare(
        lab,
        "regionserver",
        TABLE.getNameAsString(),
        List.of("--zookeeper", lab.zookeeperQuorum()));
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  @Override
  void connected(Work work) throws Exception {
    try (HBaseEngine engine = lab.engine();
        HBaseWorkloadTarget target = lab.target()) {
      Connection connection = target.connection();
      cluster = new HBaseCluster(lab, engine, target, connection);
      try (Admin admin = connection.getAdmin()) {
        assertThat(admin.listNamespaces()).contains("shop");
        assertThat(admin.getDescriptor(TABLE).hasColumnFamily(FAMILY)).isTrue();
        ordersAreTaken(connection);
        work.run();
        admin.flush(TABLE);
      }
    }
  }

  private static void ordersAreTaken(Connection connection) throws IOException {
    List<Put> orders = new ArrayList<>();
    for (int i = 0; i < ORDERS; i++) {
      byte[] order = Bytes.toBytes("order-" + i);
      orders.add(new Put(order).addColumn(FAMILY, Bytes.toBytes("value"), order));
    }
    try (Table table = connection.getTable(TABLE)) {
      table.put(orders);
      List<String> rows = new ArrayList<>();
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        for (Result row : scanner) {
          rows.add(Bytes.toString(row.getRow()));
        }
      }
      assertThat(rows).hasSize(ORDERS);
    }
  }

  /** HDFS has them, whoever served them. */
  @Override
  void assertOrdersAreKept() throws IOException {
    Path folder = new Path(lab.rootFolder() + "/data/shop/orders");
    List<Path> stored = new ArrayList<>();
    try (FileSystem hdfs = FileSystem.newInstance(folder.toUri(), HBaseConfiguration.create())) {
      RemoteIterator<LocatedFileStatus> files = hdfs.listFiles(folder, true);
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        if (file.getPath().getParent().getName().equals("f") && file.getLen() > 0) {
          stored.add(file.getPath());
        }
      }
    }
    assertThat(stored).as("files of the table in %s", folder).isNotEmpty();
  }
}
