package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;

/** Tells where the plug-in is loaded, and how to load it where it is not. */
public final class PluginInstall {
  /** The class that {@link #SETTING} must name. */
  public static final String ENDPOINT = "io.trimtab.hbaseplugin.ProfileEndpoint";

  public static final String SETTING = "hbase.coprocessor.regionserver.classes";

  /** The class that {@link #REGION_SETTING} must name, so that regions' requests are followed. */
  public static final String OBSERVER = "io.trimtab.hbaseplugin.RequestObserver";

  public static final String REGION_SETTING = "hbase.coprocessor.user.region.classes";

  /** HBase's class of a block cache with a bucket cache. */
  private static final String COMBINED = "CombinedBlockCache";

  private final Cluster cluster;
  private final PluginClient plugin;

  PluginInstall(Cluster cluster, PluginClient plugin) {
    this.cluster = cluster;
    this.plugin = plugin;
  }

  /**
   * One server's plug-in.
   *
   * @param version of the plug-in; empty where it is not loaded
   * @param followed regions whose requests are followed, for load splits; −1 where that is unknown
   * @param problem why it can't change the memory split though it is loaded, that it is older than
   *     this program, or why the server does not answer; empty if all is well
   */
  public record ServerPlugin(NodeId node, Optional<String> version, long followed, String problem) {
    public boolean works() {
      return version.isPresent() && problem.isEmpty();
    }
  }

  /**
   * Why a plug-in can't serve its server's bucket cache, one line: it is older than the support of
   * such caches, and refuses to resize what it could resize if it were renewed.
   *
   * @return empty if it can, or there is no bucket cache
   */
  static Optional<String> outdated(NodeReport report) {
    // One that fails tells nothing of memory, or stops there.
    boolean older =
        report.number(Field.MEMSTORE_USED_BYTES) >= 0 && report.number(Field.BUCKET_MAX_BYTES) < 0;
    return older && report.text(Field.CACHE_CLASS).equals(COMBINED)
        ? Optional.of(
            "the plug-in is too old for the server's bucket cache: update it"
                + " (trimtab plugin install hbase)")
        : Optional.empty();
  }

  /** All live servers, by name. */
  public Map<NodeId, ServerPlugin> servers() throws EngineException {
    Map<NodeId, ServerPlugin> servers = new TreeMap<>();
    try {
      for (ServerName server : cluster.admin().getRegionServers()) {
        servers.put(Cluster.node(server), ask(server));
      }
      return servers;
    } catch (IOException e) {
      throw HBaseErrors.failed(cluster.target().zookeeper(), e);
    }
  }

  private ServerPlugin ask(ServerName server) throws IOException {
    NodeId node = Cluster.node(server);
    try {
      Optional<NodeReport> report = plugin.report(server);
      if (report.isEmpty()) {
        return new ServerPlugin(node, Optional.empty(), -1, "");
      }
      String problem =
          outdated(report.get())
              .orElse(report.get().text(Field.REFUSAL) + report.get().text(Field.NOT_RESIZABLE));
      long speaks = report.get().number(Field.PROTOCOL);
      if (problem.isEmpty() && speaks < NodeProtocol.VERSION) {
        problem =
            "it speaks version %d of the protocol, this trimtab version %d: update the plug-in"
                .formatted(speaks, NodeProtocol.VERSION);
      }
      return new ServerPlugin(
          node,
          Optional.of(report.get().text(Field.PLUGIN_VERSION)),
          report.get().number(Field.FOLLOWED),
          problem);
    } catch (IOException e) {
      if (Interrupts.in(e)) {
        throw e;
      }
      return new ServerPlugin(node, Optional.empty(), -1, HBaseErrors.line(e));
    }
  }

  /**
   * What an operator must do, on each server without the plug-in.
   *
   * @param jar the plug-in's jar, as it is called on the operator's machine
   */
  public static String steps(String jar) {
    return """
        RegionServers need Java 11 or newer: on Java 8 one with the plug-in does not start.
        On each RegionServer that lacks the plug-in:
          1. Copy %s into HBase's lib folder.
          2. Add to its hbase-site.xml, after a comma where the setting exists already:
               <property>
                 <name>%s</name>
                 <value>%s</value>
               </property>
               <property>
                 <name>%s</name>
                 <value>%s</value>
               </property>
             The second follows requests, for load splits; profiles need only the first.
          3. Restart it, one after another: graceful_stop.sh --restart --reload HOST
        HBase 2.4 to 2.6 load RegionServer coprocessors at start-up only.
        Then run this command again: it asks every server.
        """
        .formatted(jar, SETTING, ENDPOINT, REGION_SETTING, OBSERVER);
  }
}
