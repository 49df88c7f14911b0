package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ServiceException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trimtab.hbase.RegionServerReader.MetricsSample;
import io.trimtab.hbase.pages.HttpJmx;
import io.trimtab.host.Clocks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** By the pages of a server with a bucket cache, and by what its plug-in answers. */
class RegionServerReaderTest {
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
    PluginClient plugin =
        new PluginClient(
            FakeAdmin.of(
                Admin.class,
                (proxy, called, a) ->
                    FakeAdmin.channel(
                        (method, controller, request, prototype) -> {
                          throw new ServiceException(
                              new UnknownProtocolException(null, "No registered executorService"));
                        })),
            () -> 0);
    reader = new RegionServerReader(new HttpJmx(), plugin, Clocks.SYSTEM);
  }

  @AfterEach
  void stop() {
    pages.stop(0);
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
  void aMemorySplitIsThatOfTheHeap() throws IOException {
    MetricsSample seen = read(1);
    assertThat(seen.heapCacheMaxBytes()).isEqualTo(4000);
    assertThat(seen.gauges().memstoreMaxBytes()).isEqualTo(3000);
    assertThat(seen.gauges().cacheMaxBytes()).isEqualTo(8000);
    assertThat(seen.gauges().cacheBesideHeap()).isTrue();
    assertThat(seen.online()).isFalse();
  }
}
