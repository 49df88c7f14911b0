package io.trimtab.hbase;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.Permission;

/**
 * Switches HBase's balancer and normalizer on and off.
 *
 * <p>Never synchronously: the master would switch the balancer when the balancing that is under way
 * has ended, minutes later perhaps, and by then whoever asked for it may have given the balancer
 * back. The end of balancing is waited for apart, by a request that changes nothing however late it
 * is carried out. See decision 0004.
 */
final class BalancerSwitch {
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** The master only notes it. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final Duration BALANCING_PAUSE = Duration.ofSeconds(1);

  /**
   * For one answer about the end of balancing. Each request that waits takes one of the master's
   * threads, and one whose host is gone is never answered.
   */
  private static final Duration ATTEMPT_LIMIT = Duration.ofMinutes(2);

  /** HBase calculates for up to 30 s before it moves anything. */
  private static final Duration STILL = Duration.ofSeconds(35);

  private final Cluster cluster;
  private final String version;

  /** Off since the end of balancing was seen. Somebody else's on and off in between is missed. */
  private volatile boolean quiet;

  BalancerSwitch(Cluster cluster, String version) {
    this.cluster = cluster;
    this.version = version;
  }

  /**
   * @param control under which it is switched
   * @throws EngineException when the user may not, or the master does not answer
   */
  void set(BalancerState target, InCharge control) throws EngineException {
    Admin admin = cluster.admin();
    if (target.balancer()) {
      quiet = false;
    }
    HBaseErrors.RETRY
        .under(control)
        .until(
            "switching balancer and normalizer",
            LIMIT,
            PAUSE,
            () -> {
              if (admin.isBalancerEnabled() != target.balancer()) {
                quiet = false;
                // Each answer of a slow master takes as long as a lock may be relied on.
                control.require();
                cluster.changes().balancerSwitch(target.balancer(), false);
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

  /**
   * Switches both off, and waits until HBase balances no more.
   *
   * @param limit for the end of balancing; HBase balances for up to {@code
   *     hbase.balancer.max.balancing} at a time, by default 5 min
   */
  void pause(Duration limit, InCharge control) throws EngineException {
    set(BalancerState.PAUSED, control);
    if (quiet) {
      return;
    }
    long begunNs = cluster.clocks().nowNs();
    AtomicLong stillSinceNs = new AtomicLong(begunNs);
    HBaseErrors.RETRY
        .under(control)
        .until(
            "waiting for the end of HBase's own balancing (hbase.balancer.max.balancing)",
            limit,
            BALANCING_PAUSE,
            () -> {
              if (!is(BalancerState.PAUSED)) {
                // Somebody else has switched it on meanwhile.
                set(BalancerState.PAUSED, control);
                stillSinceNs.set(cluster.clocks().nowNs());
              }
              boolean ended =
                  version.startsWith("2.4.") ? still(stillSinceNs) : ended(begunNs, limit);
              return ended && is(BalancerState.PAUSED);
            });
    quiet = true;
  }

  /**
   * HBase balances one at a time, so that the answer comes when no other balancing is under way. It
   * comes at once, and says nothing, where regions are in transition when it is its turn.
   */
  private boolean ended(long begunNs, Duration limit) throws IOException {
    Duration left = cluster.clocks().left(begunNs, limit);
    Duration wait = left.compareTo(ATTEMPT_LIMIT) < 0 ? left : ATTEMPT_LIMIT;
    BalanceRequest calculated = BalanceRequest.newBuilder().setDryRun(true).build();
    return cluster.ask(admin -> admin.balance(calculated), wait).isBalancerRan() || noneMoves();
  }

  /** 2.4 has no dry run. */
  private boolean still(AtomicLong sinceNs) throws IOException {
    long now = cluster.clocks().nowNs();
    if (!noneMoves()) {
      sinceNs.set(now);
    }
    return now - sinceNs.get() > STILL.toNanos();
  }

  private boolean noneMoves() throws IOException {
    return cluster
        .admin()
        .getClusterMetrics(EnumSet.of(Option.REGIONS_IN_TRANSITION))
        .getRegionStatesInTransition()
        .isEmpty();
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
