package io.trimtab.hbaseplugin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the row keys that a region is requested, so that it can be split where its requests
 * halve, and so that a cache's hit ratio can be told before the region is in it. Loaded by {@code
 * hbase.coprocessor.user.region.classes}, or by a table's own descriptor. It never fails a request:
 * failures are counted and logged.
 */
public final class RequestObserver implements RegionCoprocessor, RegionObserver {
  private static final Logger LOG = LoggerFactory.getLogger(RequestObserver.class);
  private static final FailureLog FAILURES =
      new FailureLog(
          (what, total, cause) ->
              LOG.warn(
                  "Trimtab's plug-in failed in {} ({} failures since the start)",
                  what,
                  total,
                  cause));

  /** Of scanners that are followed from call to call: a row key each. */
  private static final int SCANNERS_MAX = 10_000;

  private volatile RegionFollower follower;
  private String region = "";

  /** The last row that each open scanner has returned. */
  private final Map<InternalScanner, byte[]> lastRows = new ConcurrentHashMap<>();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment environment) {
    try {
      RegionInfo info = ((RegionCoprocessorEnvironment) environment).getRegionInfo();
      if (info.getTable().isSystemTable() || !RegionReplicaUtil.isDefaultReplica(info)) {
        return;
      }
      region = info.getEncodedName();
      follower =
          RegionRequests.OF_SERVER.open(
              region,
              new RegionRequests.Range(
                  info.getTable().getNameAsString(), info.getStartKey(), info.getEndKey()));
      RequestsBean.register();
    } catch (RuntimeException | LinkageError e) {
      // An exception from here would stop the RegionServer.
      FAILURES.add("start", e, System.nanoTime());
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void stop(CoprocessorEnvironment environment) {
    if (follower != null) {
      RegionRequests.OF_SERVER.close(region);
      follower = null;
      lastRows.clear();
    }
  }

  private void follow(String what, Consumer<RegionFollower> request) {
    RegionFollower into = follower;
    if (into == null) {
      return;
    }
    try {
      request.accept(into);
    } catch (RuntimeException | LinkageError e) {
      FAILURES.add(what, e, System.nanoTime());
    }
  }

  private void read(byte[] row) {
    follow("counting a read", into -> into.read(row));
  }

  private void write(byte[] row) {
    follow("counting a write", into -> into.write(row));
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    read(get.getRow());
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) {
    follow("counting a scanner", RegionFollower::open);
  }

  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean hasNext) {
    follow("counting a scan's call", into -> call(into, scanner, results));
    return hasNext;
  }

  private void call(RegionFollower into, InternalScanner scanner, List<Result> results) {
    into.call(Optional.ofNullable(lastRows.get(scanner)), results)
        .ifPresent(
            last -> {
              if (lastRows.size() >= SCANNERS_MAX) {
                // What is lost is that a scan's next call goes on in a block it has.
                lastRows.clear();
              }
              lastRows.put(scanner, last);
            });
  }

  @Override
  public void postScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner) {
    follow("forgetting a scanner", into -> lastRows.remove(scanner));
  }

  /** HBase calls it for each put of a batch too; later versions by way of their own default. */
  @Override
  @SuppressWarnings("deprecation") // the one that 2.4 knows
  public void prePut(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Put put,
      WALEdit edit,
      Durability durability) {
    write(put.getRow());
  }

  /** As for puts. */
  @Override
  @SuppressWarnings("deprecation") // the one that 2.4 knows
  public void preDelete(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Delete delete,
      WALEdit edit,
      Durability durability) {
    write(delete.getRow());
  }

  @Override
  public Result preAppend(ObserverContext<RegionCoprocessorEnvironment> context, Append append) {
    read(append.getRow());
    return null;
  }

  @Override
  public Result preIncrement(
      ObserverContext<RegionCoprocessorEnvironment> context, Increment increment) {
    read(increment.getRow());
    return null;
  }
}
