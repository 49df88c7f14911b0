package io.trimtab.controller.place;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.HashMap;
import java.util.Map;

/**
 * What a wanted cluster is expected to be better by: the greater of two shares in [0, 1]. (1) How
 * much the most loaded node's requests fall, relative to now. (2) How much more of all requests is
 * served by a node configured for its class.
 */
public final class Gain {
  private Gain() {}

  public static double of(TargetState.Input in, TargetState wanted) {
    Map<NodeId, Profile> profiles = new HashMap<>();
    for (NodeState node : in.snapshot().nodes()) {
      node.profile().ifPresent(p -> profiles.put(node.id(), p));
    }
    Sums now = now(in, in.snapshot(), profiles);
    Sums then = then(in, wanted);
    double even = now.fullest() > 0 ? Math.max(0, 1 - then.fullest() / now.fullest()) : 0;
    double fit = then.fit() - now.fit();
    return Math.max(even, Math.max(0, fit));
  }

  /** Of one placement; added up in the order in which its partitions come. */
  private static final class Sums {
    private final TargetState.Input in;
    private final Map<NodeId, Profile> profiles;
    private final Map<NodeId, double[]> load = new HashMap<>();
    private double all;
    private double right;

    Sums(TargetState.Input in, Map<NodeId, Profile> profiles) {
      this.in = in;
      this.profiles = profiles;
    }

    void add(PartitionId id, NodeId node) {
      double own = in.load(id);
      load.computeIfAbsent(node, n -> new double[1])[0] += own;
      all += own;
      Profile profile = profiles.get(node);
      if (profile != null && profile.sameMemory(Classifier.profile(in.classes().get(id)))) {
        right += own;
      }
    }

    /** Requests per second of the most loaded node. */
    double fullest() {
      return load.values().stream().mapToDouble(sum -> sum[0]).max().orElse(0);
    }

    /** Share of the requests that a node configured for them serves, in [0, 1]. */
    double fit() {
      return all > 0 ? right / all : 0;
    }
  }

  private static Sums now(
      TargetState.Input in, ClusterSnapshot snapshot, Map<NodeId, Profile> profiles) {
    Sums sums = new Sums(in, profiles);
    snapshot.partitions().forEach(p -> p.node().ifPresent(n -> sums.add(p.id(), n)));
    return sums;
  }

  private static Sums then(TargetState.Input in, TargetState wanted) {
    Sums sums = new Sums(in, wanted.profiles());
    wanted.placement().forEach(sums::add);
    return sums;
  }

  /** Whether a placement is as good as one from scratch, to within a tolerance. */
  public static boolean goodEnough(
      ClusterSnapshot snapshot, TargetState.Input in, TargetState best) {
    double most = (1 + in.settings().tolerance()) * then(in, best).fullest();
    return now(in, snapshot, Map.of()).fullest() <= most;
  }
}
