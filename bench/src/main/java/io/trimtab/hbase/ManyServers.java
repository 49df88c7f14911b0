package io.trimtab.hbase;

import com.google.protobuf.ServiceException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trimtab.host.Clocks;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a cluster of many RegionServers answers: each has an information page of its own on a
 * loopback address, with a bean of regions as HBase 2.6.4 has it; the master's report comes as
 * bytes that are parsed as HBase's client does; hbase:meta is a list in memory. No plug-in is
 * loaded.
 */
final class ManyServers implements AutoCloseable {
  private static final int TABLES = 10;
  private static final int PORT = 16020;
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=";

  /** The counters of a region, as 2.6.4 lists them. */
  private static final List<String> COUNTERS =
      List.of(
          "storeFileCount",
          "storeFileSize",
          "currentRegionCacheRatio",
          "readRequestCount",
          "writeRequestCount",
          "scanCount",
          "putCount",
          "incrementCount",
          "deleteCount",
          "appendCount",
          "getCount");

  private static final CoprocessorRpcChannel NO_PLUGIN =
      of(
          CoprocessorRpcChannel.class,
          (proxy, called, a) -> {
            throw new ServiceException("UnknownProtocolException: no such service");
          });

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "page");
            thread.setDaemon(true);
            return thread;
          });
  private final List<HttpServer> pages = new ArrayList<>();
  private final Map<TableName, List<HRegionLocation>> meta = new HashMap<>();
  private final List<TableDescriptor> tables = new ArrayList<>();
  private final byte[] report;

  /**
   * @param servers RegionServers, in [1, 250]
   * @param regions of all of them together
   */
  ManyServers(int servers, int regions) throws IOException {
    List<String> hosts = new ArrayList<>();
    List<List<RegionInfo>> served = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      hosts.add("127.0.1." + (i + 1));
      served.add(new ArrayList<>());
    }
    for (int t = 0; t < TABLES; t++) {
      TableName table = TableName.valueOf("table" + t);
      tables.add(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
      List<HRegionLocation> locations = new ArrayList<>();
      int count = regions / TABLES + (t < regions % TABLES ? 1 : 0);
      for (int r = 0; r < count; r++) {
        RegionInfo region =
            RegionInfoBuilder.newBuilder(table)
                .setStartKey(r == 0 ? new byte[0] : Bytes.toBytes(r))
                .setEndKey(r == count - 1 ? new byte[0] : Bytes.toBytes(r + 1))
                .build();
        int server = (t + r) % servers;
        served.get(server).add(region);
        locations.add(new HRegionLocation(region, name(hosts.get(server))));
      }
      meta.put(table, locations);
    }
    Map<ServerName, ServerMetrics> live = new HashMap<>();
    for (int i = 0; i < servers; i++) {
      int port = page(hosts.get(i), served.get(i));
      live.put(name(hosts.get(i)), metrics(name(hosts.get(i)), port, served.get(i)));
    }
    report =
        ClusterMetricsBuilder.toClusterStatus(
                ClusterMetricsBuilder.newBuilder().setLiveServerMetrics(live).build())
            .toByteArray();
  }

  private static ServerName name(String host) {
    return ServerName.valueOf(host, PORT, 1);
  }

  private static ServerMetrics metrics(ServerName server, int infoPort, List<RegionInfo> regions) {
    List<RegionMetrics> metrics = new ArrayList<>();
    for (RegionInfo region : regions) {
      metrics.add(
          RegionMetricsBuilder.newBuilder(region.getRegionName())
              .setStoreFileSize(new Size(300, Size.Unit.MEGABYTE))
              .setDataLocality(1)
              .build());
    }
    return ServerMetricsBuilder.newBuilder(server)
        .setInfoServerPort(infoPort)
        .setRegionMetrics(metrics)
        .build();
  }

  /** Serves a server's information page; returns its port. */
  private int page(String host, List<RegionInfo> regions) throws IOException {
    Map<String, byte[]> beans = new HashMap<>();
    beans.put(BEAN + "Server", beans(serverBean(regions.size())));
    beans.put(BEAN + "Regions", beans(regionsBean(regions)));
    beans.put("java.lang:*", beans(jvmBeans()));
    byte[] none = beans("");
    byte[] settings = "{\"properties\":[]}".getBytes(StandardCharsets.UTF_8);
    HttpServer page = HttpServer.create(new InetSocketAddress(host, 0), 0);
    page.setExecutor(threads);
    page.createContext("/conf", exchange -> answer(exchange, settings));
    page.createContext(
        "/jmx",
        exchange ->
            answer(
                exchange,
                beans.getOrDefault(
                    exchange.getRequestURI().getQuery().substring("qry=".length()), none)));
    page.start();
    pages.add(page);
    return page.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, byte[] body) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static byte[] beans(String beans) {
    return ("{\"beans\":[" + beans + "]}").getBytes(StandardCharsets.UTF_8);
  }

  private static String serverBean(int regions) {
    return """
    {"name": "Hadoop:service=HBase,name=RegionServer,sub=Server", "regionCount": %d,
     "blockCacheSize": 2000000000, "blockCacheFreeSize": 1000000000, "memStoreHeapSize": 300000000,
     "blockCacheHitCount": 5000000, "blockCacheMissCount": 700000,
     "compactionQueueLength": 0, "flushQueueLength": 0}
    """
        .formatted(regions);
  }

  private static String regionsBean(List<RegionInfo> regions) {
    StringBuilder bean = new StringBuilder("{\"name\": \"" + BEAN + "Regions\"");
    for (RegionInfo region : regions) {
      String before =
          ",\n   \"Namespace_default_table_%s_region_%s_metric_"
              .formatted(region.getTable().getNameAsString(), region.getEncodedName());
      for (String counter : COUNTERS) {
        bean.append(before).append(counter).append("\": 123456");
      }
    }
    return bean.append("}").toString();
  }

  private static String jvmBeans() {
    return """
    {"name": "java.lang:type=Runtime", "Name": "elsewhere", "StartTime": 1700000000000},
    {"name": "java.lang:type=OperatingSystem", "ProcessCpuTime": %d, "AvailableProcessors": 8,
     "SystemLoadAverage": 1.5, "TotalPhysicalMemorySize": 32000000000,
     "FreePhysicalMemorySize": 8000000000},
    {"name": "java.lang:type=Memory", "HeapMemoryUsage": {"used": 4000000000, "max": 8000000000}},
    {"name": "java.lang:name=G1 Young Generation,type=GarbageCollector", "CollectionTime": 52}
    """
        .formatted(System.nanoTime());
  }

  /** A cluster whose master and servers these are. */
  Cluster cluster() {
    Admin admin = of(Admin.class, (proxy, called, a) -> master(called.getName()));
    Connection connection =
        of(Connection.class, (proxy, called, a) -> locator(meta.get((TableName) a[0])));
    HBaseContact contact = HBaseContact.of(Map.of("hbase.zookeeper.quorum", "none"));
    return new Cluster(contact, Clocks.SYSTEM, connection, admin, admin);
  }

  private Object master(String asked) throws IOException {
    return switch (asked) {
      case "getClusterMetrics" ->
          ClusterMetricsBuilder.toClusterMetrics(ClusterStatus.parseFrom(report));
      case "listTableDescriptors" -> tables;
      case "listDecommissionedRegionServers" -> List.of();
      case "isBalancerEnabled", "isNormalizerEnabled", "tableExists" -> false;
      case "coprocessorService" -> NO_PLUGIN;
      default -> throw new UnsupportedOperationException(asked);
    };
  }

  private static RegionLocator locator(List<HRegionLocation> locations) {
    return of(
        RegionLocator.class,
        (proxy, called, a) -> called.getName().equals("getAllRegionLocations") ? locations : null);
  }

  private static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public void close() {
    pages.forEach(page -> page.stop(0));
    threads.shutdownNow();
  }
}
