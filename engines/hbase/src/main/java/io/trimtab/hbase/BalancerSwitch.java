package io.trimtab.hbase;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.Permission;

/** Switches HBase's balancer and normalizer on and off. */
final class BalancerSwitch {
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** The master only notes it. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Cluster cluster;

  BalancerSwitch(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * @param control under which it is switched
   * @throws EngineException when the user may not, or the master does not answer
   */
  void set(BalancerState target, InCharge control) throws EngineException {
    Admin admin = cluster.admin();
    HBaseErrors.RETRY
        .under(control)
        .until(
            "switching balancer and normalizer",
            LIMIT,
            PAUSE,
            () -> {
              if (admin.isBalancerEnabled() != target.balancer()) {
                // Each answer of a slow master takes as long as a lock may be relied on.
                control.require();
                // Synchronous: it returns when no balancing is under way any more.
                cluster.changes().balancerSwitch(target.balancer(), true);
              }
              if (admin.isNormalizerEnabled() != target.normalizer()) {
                control.require();
                cluster.changes().normalizerSwitch(target.normalizer());
              }
              if (is(target)) {
                return true;
              }
              // Somebody else may have switched it back; it is tried again then.
              requireRight();
              return false;
            });
  }

  private boolean is(BalancerState target) throws IOException {
    Admin admin = cluster.admin();
    return admin.isBalancerEnabled() == target.balancer()
        && admin.isNormalizerEnabled() == target.normalizer();
  }

  /** The master only logs that a user may not switch its balancer. */
  private void requireRight() throws IOException {
    Admin admin = cluster.admin();
    Permission all = Permission.newBuilder().withActions(Permission.Action.ADMIN).build();
    if (admin.getSecurityCapabilities().contains(SecurityCapability.AUTHORIZATION)
        && !admin.hasUserPermissions(List.of(all)).get(0)) {
      throw new AccessDeniedException("Insufficient permissions (global, action=ADMIN)");
    }
  }
}
