package io.trimtab.hbaseplugin;

import io.trimtab.plugincore.BlockAccesses;
import io.trimtab.plugincore.ScanCounts;
import io.trimtab.plugincore.SplitAdvice;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.util.Bytes;

/** {@link RegionRequests} in JMX. */
final class RequestsBean implements RequestsMXBean {
  static final String NAME = "io.trimtab:type=Requests";

  /**
   * Setting of a RegionServer: whether row keys are shown. Not by default, since HBase's
   * permissions do not cover JMX.
   */
  static final String KEYS = "trimtab.jmx.keys";

  private static volatile boolean keysOfServer;

  private final RegionRequests requests;
  private final BooleanSupplier keys;

  RequestsBean(RegionRequests requests, BooleanSupplier keys) {
    this.requests = requests;
    this.keys = keys;
  }

  /** As the server's own configuration says; a table's owner can't change that. */
  static void showKeys(boolean shown) {
    keysOfServer = shown;
  }

  /** Registers it unless it is; the bean stays with the process. */
  static void register() {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName(NAME);
      if (!server.isRegistered(name)) {
        server.registerMBean(new RequestsBean(RegionRequests.OF_SERVER, () -> keysOfServer), name);
      }
    } catch (InstanceAlreadyExistsException e) {
      // Another region of this server was faster.
      return;
    } catch (JMException e) {
      throw new IllegalStateException(NAME + " can't be registered", e);
    }
  }

  @Override
  public Map<String, RegionView> getRegions() {
    Map<String, RegionView> views = new TreeMap<>();
    boolean shown = keys.getAsBoolean();
    requests
        .followers()
        .forEach((region, follower) -> views.put(region, new FollowedRegion(follower, shown)));
    return views;
  }

  /** What is known of a region at one moment. */
  private static final class FollowedRegion implements RegionView {
    private final SplitAdvice advice;
    private final Optional<BlockAccesses> accesses;
    private final boolean keyShown;

    FollowedRegion(RegionFollower follower, boolean keyShown) {
      advice = follower.advice();
      accesses = follower.accesses();
      this.keyShown = keyShown;
    }

    @Override
    public String getVerdict() {
      return advice.verdict().toString();
    }

    @Override
    public String getKey() {
      return keyShown ? Bytes.toStringBinary(advice.key()) : "";
    }

    @Override
    public double getLeftShare() {
      return Double.isNaN(advice.leftShare()) ? -1 : advice.leftShare();
    }

    @Override
    public double getBound() {
      return advice.bound();
    }

    @Override
    public long getRequests() {
      return advice.requests();
    }

    @Override
    public String getReason() {
      return advice.reason();
    }

    @Override
    public int getBlocks() {
      return accesses.map(BlockAccesses::blocks).orElse(-1);
    }

    @Override
    public long getBlockReads() {
      return accesses.map(BlockAccesses::requests).orElse(-1L);
    }

    @Override
    public double getCallsPerScan() {
      return perScan(ScanCounts::calls);
    }

    @Override
    public double getRowsPerScan() {
      return perScan(ScanCounts::rows);
    }

    @Override
    public double getCellsPerRow() {
      return mean(ScanCounts::cells, ScanCounts::rows);
    }

    @Override
    public double getBlocksPerScan() {
      return perScan(ScanCounts::blocks);
    }

    private double perScan(ToLongFunction<ScanCounts> what) {
      return mean(what, ScanCounts::opened);
    }

    private double mean(ToLongFunction<ScanCounts> what, ToLongFunction<ScanCounts> by) {
      return accesses
          .map(BlockAccesses::scans)
          .map(scans -> what.applyAsLong(scans) / Math.max(1.0, by.applyAsLong(scans)))
          .orElse(0.0);
    }
  }
}
