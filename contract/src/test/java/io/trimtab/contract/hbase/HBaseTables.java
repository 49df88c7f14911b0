package io.trimtab.contract.hbase;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;

/** Tables of one column family with rows of 1,000 bytes. */
final class HBaseTables {
  static final byte[] FAMILY = {'f'};
  private static final byte[] VALUE = new byte[1000];

  private final Connection connection;

  HBaseTables(Connection connection) {
    this.connection = connection;
  }

  TableName create(String name, String... splits) throws IOException {
    TableName table = TableName.valueOf(name);
    byte[][] keys = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      keys[i] = bytes(splits[i]);
    }
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(descriptor, splits.length == 0 ? null : keys);
    }
    return table;
  }

  void fill(TableName name, int rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      puts.add(put((i % 10) + "-" + i));
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
  }

  static Put put(String row) {
    return new Put(bytes(row)).addColumn(FAMILY, FAMILY, VALUE);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static int rows(Table table, String from, String to) throws IOException {
    Scan scan = new Scan().withStartRow(bytes(from)).withStopRow(bytes(to)).setCaching(1000);
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  /** When each region of a table was last opened, by its sequence number of then. */
  Map<String, Long> openings(TableName name) throws IOException {
    Map<String, Long> openings = new TreeMap<>();
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      for (HRegionLocation location : locator.getAllRegionLocations()) {
        openings.put(location.getRegion().getEncodedName(), location.getSeqNum());
      }
    }
    return openings;
  }

  /** Counts the data blocks in a table's files. */
  long dataBlocks(String rootFolder, TableName name) throws IOException {
    Configuration conf = new Configuration(connection.getConfiguration());
    org.apache.hadoop.fs.Path folder =
        new org.apache.hadoop.fs.Path(rootFolder + "/data/default/" + name);
    long blocks = 0;
    try (FileSystem hdfs = FileSystem.newInstance(folder.toUri(), conf)) {
      RemoteIterator<LocatedFileStatus> files = hdfs.listFiles(folder, true);
      while (files.hasNext()) {
        org.apache.hadoop.fs.Path file = files.next().getPath();
        if (file.getParent().getName().equals("f")) {
          try (HFile.Reader reader =
              HFile.createReader(hdfs, file, CacheConfig.DISABLED, true, conf)) {
            blocks += reader.getTrailer().getDataIndexCount();
          }
        }
      }
    }
    return blocks;
  }

  static int count(Table table) throws IOException {
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }
}
