package io.trimtab.lab.testbed;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import java.time.Duration;

/**
 * What the bed's first node did during some seconds.
 *
 * @param usage shares of what the node may use
 * @param hitRatio of the block cache for data blocks, by its own counters, in [0, 1]; NaN without
 *     requests
 * @param cacheBytes the most that the cache may hold
 * @param opsPerSecond that the clients were served
 */
public record NodeWindow(NodeUsage usage, double hitRatio, long cacheBytes, double opsPerSecond) {

  /** Follows the load for so long, and measures. */
  public static NodeWindow measure(
      Testbed bed, TestbedLoad load, Console console, String label, Duration time)
      throws EngineException, InterruptedException {
    // A node's usage is that since the snapshot before.
    NodeState before = bed.measured();
    int from = load.second();
    load.follow(console, label, time);
    NodeState after = bed.measured();
    NodeGauges was = before.gauges();
    NodeGauges is = after.gauges();
    double hits = is.cacheHits() - was.cacheHits();
    double misses = is.cacheMisses() - was.cacheMisses();
    return new NodeWindow(
        known(after),
        hits / (hits + misses),
        is.cacheMaxBytes(),
        RunResult.mean(load.total(), from, load.second()));
  }

  /** The same without any load. */
  public static NodeWindow idle(Testbed bed, Console console, String label, Duration time)
      throws EngineException, InterruptedException {
    bed.measured();
    bed.pause(console, label, time);
    NodeState after = bed.measured();
    return new NodeWindow(known(after), Double.NaN, after.gauges().cacheMaxBytes(), 0);
  }

  /** Of NaN no report could say that it was no measurement. */
  private static NodeUsage known(NodeState node) throws EngineException {
    if (!node.usage().known()) {
      throw new EngineException(
          "the usage of node " + node.id() + " is unknown: what it is read from has changed");
    }
    return node.usage();
  }
}
