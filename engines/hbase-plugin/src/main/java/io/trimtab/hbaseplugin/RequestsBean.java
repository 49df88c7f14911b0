package io.trimtab.hbaseplugin;

import io.trimtab.plugincore.BlockAccesses;
import io.trimtab.plugincore.SplitAdvice;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.util.Bytes;

/** {@link RegionRequests} in JMX. */
final class RequestsBean implements RequestsMXBean {
  static final String NAME = "io.trimtab:type=Requests";

  private RequestsBean() {}

  /** Registers it unless it is; the bean stays with the process. */
  static void register() {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName(NAME);
      if (!server.isRegistered(name)) {
        server.registerMBean(new RequestsBean(), name);
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
    RegionRequests.OF_SERVER
        .followers()
        .forEach((region, follower) -> views.put(region, view(follower)));
    return views;
  }

  private static RegionView view(RegionFollower follower) {
    SplitAdvice advice = follower.advice();
    Optional<BlockAccesses> accesses = follower.accesses();
    return new RegionView() {
      @Override
      public String getVerdict() {
        return advice.verdict().toString();
      }

      @Override
      public String getKey() {
        return Bytes.toStringBinary(advice.key());
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
      public double getRowsPerScan() {
        return accesses.map(a -> a.scanRows() / Math.max(1.0, a.scans())).orElse(0.0);
      }

      @Override
      public double getBlocksPerScan() {
        return accesses.map(a -> a.scanBlocks() / Math.max(1.0, a.scans())).orElse(0.0);
      }
    };
  }
}
