package io.trimtab.calibrate;

import io.trimtab.lab.cluster.Database;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.workload.TenantSpec;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

/**
 * What a provisioning table is measured from (Chalkiadaki 2013, §3.3).
 *
 * @param lab of the smallest cluster; its nodes' limits are the node type
 * @param nodeType what the table calls it
 * @param tenant whose loads are measured; the table calls the workload as it is called
 * @param clients that ask at the same time, ascending, each in [1, 10,000]
 * @param nodesFrom the smallest cluster, ≥ 1
 * @param nodesTo the greatest, in [nodesFrom, 50]
 * @param fill how long the caches fill before a cluster is measured, ≥ 1 s
 * @param measure of each measurement, ≥ 1 s
 * @param repeats measurements that a row is the mean of, in [1, 100]
 * @param helps the least share by which one more node must shorten some row's response time, for
 *     another one to be tried, in [0, 1); 0 = all are tried
 * @param pageCache that a node keeps while it is measured, bytes; 0 = all that its memory limit
 *     leaves
 */
public record TablePlan(
    LabConfig lab,
    String nodeType,
    TenantSpec tenant,
    List<Integer> clients,
    int nodesFrom,
    int nodesTo,
    Duration fill,
    Duration measure,
    int repeats,
    double helps,
    long pageCache) {

  /** A response time that got shorter by less is not shorter. */
  public static final double HELPS = 0.05;

  public TablePlan {
    clients = List.copyOf(new TreeSet<>(clients));
    check(!clients.isEmpty(), "clients", "given", clients);
    check(clients.get(0) >= 1, "clients", "at least 1", clients.get(0));
    int most = clients.get(clients.size() - 1);
    check(most <= 10_000, "clients", "at most 10000", most);
    check(nodesFrom >= 1, "nodes", "at least 1", nodesFrom);
    check(nodesTo >= nodesFrom && nodesTo <= 50, "nodes", "in [" + nodesFrom + ", 50]", nodesTo);
    if (lab.database() == Database.CASSANDRA) {
      int copies = lab.cassandra().replication();
      check(nodesFrom >= copies, "nodes", "at least cassandra.replication, " + copies, nodesFrom);
    }
    check(fill.toSeconds() >= 1, "fill", "at least 1s", fill);
    check(measure.toSeconds() >= 1, "measure", "at least 1s", measure);
    check(repeats >= 1 && repeats <= 100, "repeats", "in [1, 100]", repeats);
    check(helps >= 0 && helps < 1, "helps", "in [0, 1)", helps);
    check(
        nodeType.matches("[A-Za-z0-9_.-]{1,60}"),
        "node-type",
        "1 to 60 of A-Z a-z 0-9 _ . -",
        nodeType);
  }

  private static void check(boolean good, String what, String expected, Object value) {
    if (!good) {
      throw new IllegalArgumentException(what + " must be " + expected + ", not " + value);
    }
  }
}
