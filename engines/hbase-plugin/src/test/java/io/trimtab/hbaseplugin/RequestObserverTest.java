package io.trimtab.hbaseplugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.plugincore.BlockAccesses;
import io.trimtab.plugincore.ScanCounts;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The hooks as HBase calls them, for a region with blocks of ten rows of two cells. */
class RequestObserverTest {
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("observed")).build();

  private final RequestObserver observer = new RequestObserver();

  private static byte[] row(int number) {
    return String.format(Locale.ROOT, "row%08d", number).getBytes(StandardCharsets.US_ASCII);
  }

  /** Rows of two cells, up or down. */
  private static List<Result> rows(int first, int last) {
    List<Result> results = new ArrayList<>();
    int step = first <= last ? 1 : -1;
    for (int i = first; i != last + step; i += step) {
      List<Cell> cells = new ArrayList<>();
      for (byte column = 'a'; column <= 'b'; column++) {
        cells.add(new KeyValue(row(i), new byte[] {'f'}, new byte[] {column}, new byte[9]));
      }
      results.add(Result.create(cells));
    }
    return results;
  }

  private static <T> T proxy(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              switch (method.getName()) {
                case "getRegionInfo":
                  return REGION;
                case "hashCode":
                  return System.identityHashCode(self);
                case "equals":
                  return self == arguments[0];
                default:
                  return null;
              }
            }));
  }

  @BeforeEach
  void start() {
    List<byte[]> blocks = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      blocks.add(row(10 * i));
    }
    RegionRequests.OF_SERVER.expect(
        REGION.getEncodedName(), new BlockAccesses(blocks, new byte[0], new byte[0]));
    observer.start(proxy(RegionCoprocessorEnvironment.class));
  }

  @AfterEach
  void stop() {
    observer.stop(proxy(RegionCoprocessorEnvironment.class));
  }

  private InternalScanner open() {
    observer.preScannerOpen(null, new Scan());
    return proxy(InternalScanner.class);
  }

  private void call(InternalScanner scanner, List<Result> results) {
    assertThat(observer.postScannerNext(null, scanner, results, results.size(), true)).isTrue();
  }

  private static void assertCounts(long opened, long calls, long rows, long cells, long blocks) {
    RegionFollower follower =
        RegionRequests.OF_SERVER.follower(REGION.getEncodedName()).orElseThrow();
    ScanCounts scans = follower.accesses().orElseThrow().scans();
    assertThat(List.of(scans.opened(), scans.calls(), scans.rows(), scans.cells(), scans.blocks()))
        .containsExactly(opened, calls, rows, cells, blocks);
    assertThat(follower.accesses().orElseThrow().requests()).isEqualTo(blocks);
  }

  @Test
  void whatScannersAreAskedIsCountedFromCallToCall() throws IOException {
    InternalScanner first = open();
    InternalScanner second = open();
    // Blocks 0 and 1; block 5.
    call(first, rows(0, 14));
    call(second, rows(50, 54));
    // The rest of 1, and 2; the rest of 5.
    call(first, rows(15, 24));
    call(second, rows(55, 59));
    observer.postScannerClose(null, second);
    call(first, List.of());
    observer.postScannerClose(null, first);

    assertCounts(2, 5, 35, 70, 4);
  }

  @Test
  void aScannerThatGoesDownReadsTheSameBlocks() throws IOException {
    InternalScanner scanner = open();
    call(scanner, rows(24, 15));
    call(scanner, rows(14, 0));
    observer.postScannerClose(null, scanner);

    assertCounts(1, 2, 25, 50, 3);
  }

  @Test
  void ofAClosedScannerNothingIsKept() throws IOException {
    InternalScanner scanner = open();
    call(scanner, rows(0, 4));
    observer.postScannerClose(null, scanner);
    // As if another scanner had come to be the same object.
    call(scanner, rows(5, 9));

    assertCounts(1, 2, 10, 20, 2);
  }

  /** One request each, where its rows are; HBase's own counter of requests counts them alike. */
  @Test
  void aCallOfAScanIsARequestToWhereItsRowsAre() {
    for (int i = 0; i < 3_000; i++) {
      InternalScanner scanner = open();
      call(scanner, rows(i % 100, i % 100 + 1));
      call(scanner, rows(100 + i % 100, 101 + i % 100));
      observer.postScannerClose(null, scanner);
    }

    RegionFollower follower =
        RegionRequests.OF_SERVER.follower(REGION.getEncodedName()).orElseThrow();
    assertThat(follower.advice().requests()).isBetween(5_900L, 6_000L);
    assertThat(new String(follower.advice().key(), StandardCharsets.US_ASCII))
        .isBetween("row00000090", "row00000110");
  }
}
