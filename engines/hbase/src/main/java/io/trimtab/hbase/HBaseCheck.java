package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.hbase.pages.RefusedPageException;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.security.KerberosErrors;
import io.trimtab.hbase.security.KerberosLogin;
import io.trimtab.hbase.zookeeper.ZooKeeperCheck;
import io.trimtab.host.Clocks;
import io.trimtab.host.connect.Reach;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;

/** Tries an HBase connection step by step, and changes nothing. */
public final class HBaseCheck {
  private static final String ALIVE = "java.lang:type=Runtime";

  private final HBaseContact target;
  private final Consumer<ConnectionStep> steps;

  /**
   * @param steps hears each step as it ends
   */
  public HBaseCheck(HBaseContact target, Consumer<ConnectionStep> steps) {
    this.target = target;
    this.steps = steps;
  }

  /** Tries all; what depends on a step that failed is left out. */
  public void run() {
    List<String> reached = new ArrayList<>();
    Reach reach = new Reach(steps);
    for (String server : target.zookeeper().split(",")) {
      int colon = server.lastIndexOf(':');
      if (reach.port(
          server.substring(0, colon),
          Integer.parseInt(server.substring(colon + 1)),
          Optional.empty(),
          "hbase.zookeeper.property")) {
        reached.add(server);
      }
    }
    ZooKeeperCheck zookeeper = new ZooKeeperCheck(target, steps);
    if (!reached.isEmpty() && zookeeper.tls(reached) && kerberos() && zookeeper.session()) {
      master();
    }
  }

  private boolean kerberos() {
    Optional<Kerberos> how = target.protection().kerberos();
    if (how.isEmpty()) {
      return true;
    }
    try (KerberosLogin login = KerberosLogin.open(how.get(), target.configuration())) {
      steps.accept(ConnectionStep.works("Kerberos", "as " + login.user().getUserName()));
      return true;
    } catch (IOException e) {
      String problem = HBaseErrors.line(e);
      steps.accept(ConnectionStep.fails("Kerberos", problem, KerberosErrors.mend(problem)));
      return false;
    }
  }

  private void master() {
    try (Cluster cluster = Cluster.connect(target, Clocks.SYSTEM)) {
      ClusterMetrics metrics =
          cluster
              .admin()
              .getClusterMetrics(
                  EnumSet.of(
                      Option.HBASE_VERSION,
                      Option.MASTER,
                      Option.MASTER_INFO_PORT,
                      Option.LIVE_SERVERS));
      steps.accept(
          ConnectionStep.works(
              "HBase's master", metrics.getLiveServerMetrics().size() + " RegionServers"));
      steps.accept(version(metrics.getHBaseVersion()));
      page(cluster, metrics.getMasterName(), metrics.getMasterInfoPort());
      for (Map.Entry<ServerName, ServerMetrics> server :
          metrics.getLiveServerMetrics().entrySet()) {
        page(cluster, server.getKey(), server.getValue().getInfoServerPort());
      }
      permissions(cluster);
    } catch (EngineException | IOException e) {
      String problem =
          e instanceof IOException io ? HBaseErrors.line(io) : String.valueOf(e.getMessage());
      steps.accept(
          ConnectionStep.fails(
              "HBase's master",
              problem,
              problem.contains("erberos") || problem.contains("GSS")
                  ? KerberosErrors.mend(problem)
                  : "check that this machine reaches the master's port, and that the site files are"
                      + " those of the cluster's clients"));
    }
  }

  /** That which the engine asks for when it connects. */
  static ConnectionStep version(String version) {
    String what = "version";
    return ClusterFacts.refusal(version)
        .map(
            why ->
                ConnectionStep.fails(
                    what, why, "use a release of Trimtab that supports it, if there is one"))
        .orElseGet(() -> ConnectionStep.works(what, "HBase " + version));
  }

  private void page(Cluster cluster, ServerName server, int port) {
    String address = server.getHostname() + ":" + port;
    String what = "page of " + address;
    try {
      cluster.jmx().beans(address, ALIVE);
      steps.accept(ConnectionStep.works(what, target.httpsPages() ? "by HTTPS" : ""));
    } catch (IOException e) {
      String problem = HBaseErrors.line(e);
      steps.accept(
          ConnectionStep.fails(
              what,
              problem,
              e instanceof RefusedPageException page
                  ? page.mend()
                  : "open the port to this machine, or correct pages.https"));
    }
  }

  private void permissions(Cluster cluster) throws IOException {
    if (!cluster.admin().getSecurityCapabilities().contains(SecurityCapability.AUTHORIZATION)) {
      steps.accept(ConnectionStep.works("permissions", "the cluster checks none"));
      return;
    }
    List<Boolean> has =
        cluster
            .admin()
            .hasUserPermissions(
                List.of(
                    Permission.newBuilder().withActions(Action.ADMIN).build(),
                    Permission.newBuilder().withActions(Action.READ).build()));
    String what = "permission ADMIN for all that acting needs";
    String user = target.protection().kerberos().flatMap(Kerberos::principal).orElse("USER");
    steps.accept(
        has.get(0)
            ? ConnectionStep.works(what, "")
            : ConnectionStep.fails(
                what, "missing", "in hbase shell: grant '" + name(user) + "', 'A'"));
    steps.accept(
        ConnectionStep.works(
            "servers closed for new regions",
            has.get(1) ? "told by the master" : "read on the master's page"));
  }

  /** HBase's name of a Kerberos user: without host and realm. */
  private static String name(String principal) {
    return principal.split("[/@]", 2)[0];
  }
}
