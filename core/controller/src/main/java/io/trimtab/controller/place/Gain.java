package io.trimtab.controller.place;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.util.Arrays;
import java.util.function.Function;

/**
 * What a target cluster is expected to be better by: the greater of two shares in [0, 1]. (1) How
 * much the most loaded node's load falls (its requests, or its predicted usage where that is
 * balanced), relative to now. (2) How much more of all requests is served by a node configured for
 * its class.
 */
public final class Gain {
  private Gain() {}

  public static double of(PlacementInput in, TargetState target) {
    Sums now = now(in);
    Sums then = then(in, target);
    double fullest = now.fullest();
    double even = fullest > 0 ? Math.max(0, 1 - then.fullest() / fullest) : 0;
    double fit = then.fit() - now.fit();
    return Math.max(even, Math.max(0, fit));
  }

  /** Of one placement; added up in the order in which its partitions come. */
  private static final class Sums {
    private final Partitions partitions;
    private final Balancer balancer;

    /** By node, its partitions in the order in which they come. */
    private final IntList[] held;

    private final Profile[] profiles;

    /** By node and class, whether the node is configured for it. */
    private final boolean[][] configured;

    private double all;
    private double right;

    Sums(PlacementInput in, Function<NodeId, Profile> profileOf) {
      partitions = in.partitions();
      balancer = in.balancer();
      held = new IntList[in.nodeCount()];
      Arrays.setAll(held, n -> new IntList());
      profiles = new Profile[in.nodeCount()];
      AccessClass[] classes = AccessClass.values();
      configured = new boolean[in.nodeCount()][classes.length];
      for (int n = 0; n < in.nodeCount(); n++) {
        Profile profile = profileOf.apply(in.name(n));
        profiles[n] = profile;
        for (AccessClass c : classes) {
          configured[n][c.ordinal()] = profile != null && profile.sameMemory(Classifier.profile(c));
        }
      }
    }

    void add(int p, int node) {
      double own = partitions.load(p);
      held[node].add(p);
      all += own;
      if (configured[node][partitions.accessClass(p).ordinal()]) {
        right += own;
      }
    }

    /** Of the most loaded node, by what is balanced. */
    double fullest() {
      double most = 0;
      for (int n = 0; n < held.length; n++) {
        most = Math.max(most, balancer.load(held[n].toArray(), profiles[n]));
      }
      return most;
    }

    /** Share of the requests that a node configured for them serves, in [0, 1]. */
    double fit() {
      return all > 0 ? right / all : 0;
    }
  }

  private static Sums now(PlacementInput in) {
    Sums sums = new Sums(in, in::current);
    for (int p : in.partitions().asListed()) {
      if (in.at(p) >= 0) {
        sums.add(p, in.at(p));
      }
    }
    return sums;
  }

  private static Sums then(PlacementInput in, TargetState target) {
    Sums sums = new Sums(in, target.profiles()::get);
    for (int p : target.placed()) {
      sums.add(p, target.node(p));
    }
    return sums;
  }

  /** Whether a placement is as good as one from scratch, to within a tolerance. */
  public static boolean goodEnough(PlacementInput in, TargetState best) {
    double most = (1 + in.settings().tolerance()) * then(in, best).fullest();
    return now(in).fullest() <= most;
  }
}
