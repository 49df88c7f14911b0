package io.trimtab.cassandra.ranking;

import io.trimtab.cassandra.ranking.RankingNodes.Bean;
import io.trimtab.engineapi.NodeId;
import java.io.IOException;
import java.util.Optional;

/**
 * One node's plug-in.
 *
 * @param answers whether the node has said whether it has the plug-in
 * @param loaded what it does; empty where it is not loaded, or not known to be
 * @param problem why the node can't be asked or must not have the plug-in, or what went wrong in
 *     it; empty if there is nothing
 */
public record NodePlugin(NodeId node, boolean answers, Optional<Loaded> loaded, String problem) {
  /**
   * What a plug-in does.
   *
   * @param ranking its name; {@code off} where reads keep the order of the snitch
   * @param localFirst whether a coordinator that has a copy itself comes first
   * @param rackPenalty by which the expected time of replicas in other racks is multiplied, ≥ 1
   * @param inlineReads whether reads of a coordinator's own copy may run in the request's thread
   * @param ranked reads since the node started
   * @param fallenBack reads that should have been ranked and were not
   * @param hedgeShare of reads that may be made again, 0 to 1
   */
  public record Loaded(
      String version,
      String ranking,
      boolean localFirst,
      double rackPenalty,
      boolean inlineReads,
      long ranked,
      long fallenBack,
      double hedgeShare) {}

  /** Whether it is there, and nothing has gone wrong in it. */
  public boolean works() {
    return loaded.isPresent() && problem.isEmpty();
  }

  /** Whether it could be there, and is not. */
  public boolean lacksIt() {
    return answers && loaded.isEmpty() && problem.isEmpty();
  }

  static NodePlugin silent(NodeId node, String problem) {
    return new NodePlugin(node, false, Optional.empty(), problem);
  }

  static NodePlugin absent(NodeId node, String unfit) {
    return new NodePlugin(node, true, Optional.empty(), unfit);
  }

  static NodePlugin read(NodeId node, Bean bean, String unfit) throws IOException {
    // Errors in the plug-in harm no read.
    long failures = (Long) bean.get("Failures");
    Loaded loaded =
        new Loaded(
            (String) bean.get("Version"),
            (String) bean.get("Ranking"),
            (Boolean) bean.get("LocalFirst"),
            (Double) bean.get("RackPenalty"),
            (Boolean) bean.get("InlineReads"),
            (Long) bean.get("Ranked"),
            (Long) bean.get("FallenBack"),
            (Double) bean.get("HedgeShare"));
    String problem =
        failures > 0 ? failures + " errors in the plug-in; the first is in the node's log" : unfit;
    return new NodePlugin(node, true, Optional.of(loaded), problem);
  }
}
