package io.trimtab.hbaseplugin;

import io.trimtab.plugincore.SplitAdvice;
import java.lang.management.ManagementFactory;
import java.util.Map;
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
    RegionRequests.OF_SERVER.all().forEach((region, advice) -> views.put(region, view(advice)));
    return views;
  }

  private static RegionView view(SplitAdvice advice) {
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
    };
  }
}
