package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ServiceException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.hbase.RegionServerReader.MetricsSample;
import io.trimtab.hbase.pages.HttpJmx;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.host.Clocks;
import io.trimtab.host.GivenLock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** By the pages of a server with a bucket cache, and by what its plug-in answers. */
class RegionServerReaderTest {
  private static final ServerName SERVER = ServerName.valueOf("127.0.0.1", 16020, 1);

  /** Of a plug-in before bucket caches were supported: one size for both caches. */
  private static final NodeReport OLDER =
      NodeReport.builder()
          .put(Field.PLUGIN_VERSION, "0.0.9")
          .put(Field.CACHE_CLASS, "CombinedBlockCache")
          .put(Field.CACHE_MAX_BYTES, 12000)
          .put(Field.CACHE_USED_BYTES, 5300)
          .put(Field.MEMSTORE_MAX_BYTES, 3000)
          .put(Field.MEMSTORE_USED_BYTES, 10)
          .put(
              Field.NOT_RESIZABLE,
              "the server has a bucket cache, and its data blocks are not on the heap")
          .build();

  private static final String SERVER_BEAN =
      """
      {"beans": [{"regionCount": 0, "blockCacheSize": 5300, "blockCacheFreeSize": 6700,
       "blockCacheMissCachingCount": 220, "l1CacheMissCount": 20,
       "l2CacheSize": 5000, "l2CacheFreeSize": 3000, "l2CacheHitCount": 800,
       "l2CacheMissCount": 230}]}
      """;
  private static final String HEAP_BEAN =
      """
      {"beans": [{"name": "java.lang:type=Memory",
       "HeapMemoryUsage": {"used": 3000, "max": 10000}}]}
      """;
  private static final String CONF =
      """
      {"properties": [{"key": "hbase.regionserver.global.memstore.size", "value": "0.3"},
       {"key": "hbase.defaults.for.version", "value": "%s"}]}
      """;

  private final AtomicInteger confRead = new AtomicInteger();
  private volatile String version = "2.6.4-hadoop3";
  private volatile Optional<NodeReport> report = Optional.empty();
  private HttpServer pages;
  private RegionServerReader reader;

  @BeforeEach
  void listen() throws IOException {
    pages = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    pages.createContext("/jmx", asked -> answer(asked, beans(asked.getRequestURI().getQuery())));
    pages.createContext(
        "/conf",
        asked -> {
          confRead.incrementAndGet();
          answer(asked, CONF.formatted(version));
        });
    pages.start();
    reader = new RegionServerReader(new HttpJmx(), plugin(), Clocks.SYSTEM);
  }

  @AfterEach
  void stop() {
    pages.stop(0);
  }

  /** The master, and the servers' plug-ins. */
  private Object answer(String called) {
    return switch (called) {
      case "coprocessorService" ->
          FakeAdmin.channel(
              (method, controller, request, prototype) -> {
                if (report.isPresent()) {
                  return report.get().message();
                }
                throw new ServiceException(
                    new UnknownProtocolException(null, "No registered executorService"));
              });
      case "getRegionServers" -> List.of(SERVER);
      case "getClusterMetrics" ->
          FakeAdmin.of(
              ClusterMetrics.class,
              (proxy, of, a) ->
                  of.getName().equals("getLiveServerMetrics")
                      ? Map.of(SERVER, metrics())
                      : of.getReturnType().equals(List.class) ? List.of() : Map.of());
      case "listTableDescriptors", "listDecommissionedRegionServers" -> List.of();
      default -> false;
    };
  }

  private ServerMetrics metrics() {
    return FakeAdmin.of(
        ServerMetrics.class,
        (proxy, of, a) ->
            of.getReturnType().equals(int.class)
                ? (Object) pages.getAddress().getPort()
                : Map.of());
  }

  private Admin admin() {
    return FakeAdmin.of(Admin.class, (proxy, called, a) -> answer(called.getName()));
  }

  private PluginClient plugin() {
    return new PluginClient(admin(), () -> 0);
  }

  private Cluster cluster() {
    HBaseContact contact = HBaseContact.of(Map.of("hbase.zookeeper.quorum", "zk"));
    Clocks impatient = new Clocks(Clocks.SYSTEM.wall(), System::nanoTime, time -> {});
    return new Cluster(contact, impatient, null, admin(), admin());
  }

  private static String beans(String query) {
    if (query.endsWith("sub=Server")) {
      return SERVER_BEAN;
    }
    return query.endsWith("java.lang:*") ? HEAP_BEAN : "{\"beans\": []}";
  }

  private static void answer(HttpExchange asked, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    asked.sendResponseHeaders(200, body.length);
    asked.getResponseBody().write(body);
    asked.close();
  }

  /** As the process that was started then. */
  private MetricsSample read(long startCode) throws IOException {
    return reader.read(
        ServerName.valueOf("127.0.0.1", 16020, startCode),
        pages.getAddress().getPort(),
        Optional.empty());
  }

  /** During a rolling upgrade the master's version is not that of every server. */
  @Test
  void missesAreCountedByTheVersionOfTheServerItself() throws IOException {
    assertThat(read(1).gauges().cacheMisses()).isEqualTo(130);
    version = "2.5.6-hadoop3";
    assertThat(read(2).gauges().cacheMisses()).as("a process of another version").isEqualTo(230);
    assertThat(read(2).gauges().cacheMisses()).isEqualTo(230);
    assertThat(confRead).as("once for each process").hasValue(2);
  }

  @Test
  void aServerThatCouldNotBeReadIsSilentUntilItIs() throws IOException {
    assertThat(reader.silent(SERVER)).isFalse();
    assertThatThrownBy(() -> reader.read(SERVER, 0, Optional.empty()))
        .isInstanceOf(IOException.class);
    assertThat(reader.silent(SERVER)).isTrue();

    read(1);

    assertThat(reader.silent(SERVER)).isFalse();
  }

  /** Readers are fewer than servers: where many hang, some are never asked. */
  @Test
  void aServerThatThereWasNoTimeForIsSilentUntilItIsRead() throws IOException {
    reader.gaveUp(SERVER);
    assertThat(reader.silent(SERVER)).isTrue();

    read(1);

    assertThat(reader.silent(SERVER)).isFalse();
  }

  @Test
  void aMemorySplitIsThatOfTheHeap() throws IOException {
    MetricsSample seen = read(1);
    assertThat(seen.heapCacheMaxBytes()).isEqualTo(4000);
    assertThat(seen.gauges().memstoreMaxBytes()).isEqualTo(3000);
    assertThat(seen.gauges().cacheMaxBytes()).isEqualTo(8000);
    assertThat(seen.gauges().cacheBesideHeap()).isTrue();
    assertThat(seen.online()).isFalse();
  }

  /** A plan would restart the server for what a newer plug-in does online. */
  @Test
  void behindAnOlderPlugInTheMemorySplitIsUnknown() throws IOException {
    report = Optional.of(OLDER);

    MetricsSample seen = read(1);

    assertThat(seen.heapCacheMaxBytes()).isEqualTo(-1);
    assertThat(seen.online()).isFalse();
    assertThat(seen.gauges().cacheMaxBytes()).as("of the bucket cache alone").isEqualTo(8000);
  }

  @Test
  void aPlugInThatFailsIsNotTakenForAnOlderOne() throws IOException {
    report = Optional.of(NodeReport.builder().put(Field.REFUSAL, "the plug-in failed: x").build());

    assertThat(read(1).heapCacheMaxBytes()).isEqualTo(4000);
    assertThat(read(1).online()).isFalse();
  }

  @Test
  void theOlderPlugInIsToldWithWhatToDo() throws EngineException {
    report = Optional.of(OLDER);

    assertThat(new PluginInstall(cluster(), plugin()).servers().values())
        .singleElement()
        .satisfies(
            server -> {
              assertThat(server.works()).isFalse();
              assertThat(server.problem())
                  .isEqualTo(
                      "the plug-in is too old for the server's bucket cache: update it (trimtab"
                          + " plugin install hbase)");
            });
  }

  /** It has no profile in snapshots, and was waited for in vain. */
  @Test
  void aServerWithAnOlderPlugInIsUpAllTheSame() throws EngineException {
    report = Optional.of(OLDER);
    HBaseEngine engine = new HBaseEngine(cluster(), FakeAdmin.facts("2.6.4"), new GivenLock());

    NodeId node = Cluster.node(SERVER);
    engine.awaitNode(node, 0, Duration.ofSeconds(20));

    assertThat(engine.snapshot().node(node).orElseThrow().profile()).isEmpty();
  }
}
