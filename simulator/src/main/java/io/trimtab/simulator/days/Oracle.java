package io.trimtab.simulator.days;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Scratch: what a layout gets by the cluster's own law, and the best that local search finds. */
public final class Oracle {
  private final ClosedBed bed;
  private final long seed;
  private final double protect;
  private Map<String, Double> start;

  public Oracle(ClosedBed bed, long seed, double protect) {
    this.bed = bed;
    this.seed = seed;
    this.protect = protect;
  }

  private static final class Candidate {
    int[] node;
    int[] profile;

    Candidate copy() {
      Candidate copy = new Candidate();
      copy.node = node.clone();
      copy.profile = profile.clone();
      return copy;
    }
  }

  private Map<String, Double> rates(Candidate its) throws EngineException {
    VirtualClock clock = new VirtualClock();
    InMemoryCluster cluster =
        new InMemoryCluster(
            bed.spec(seed), clock, time -> clock.advanceTo(clock.instant().plus(time)));
    cluster.engine().setBalancer(BalancerState.PAUSED);
    List<NodeId> ids = cluster.truth().nodes().stream().map(n -> n.id()).toList();
    int at = 0;
    for (ClosedBed.Tenant tenant : bed.tenants()) {
      List<PartitionId> partitions =
          cluster.truth().partitions().stream()
              .map(PartitionState::id)
              .filter(id -> id.table().equals(tenant.table()))
              .sorted()
              .toList();
      for (PartitionId id : partitions) {
        cluster.place(id, ids.get(its.node[at++]));
      }
    }
    for (int n = 0; n < its.profile.length; n++) {
      Profile profile = Profile.STANDARD.get(its.profile[n]);
      if (!profile.sameMemory(Profile.HOMOGENEOUS)) {
        cluster.engine().applyProfile(ids.get(n), profile, Duration.ofMinutes(1));
      }
    }
    clock.advanceTo(VirtualClock.START.plusSeconds(200));
    Map<String, Double> before = cluster.totals().operations();
    clock.advanceTo(VirtualClock.START.plusSeconds(240));
    Map<String, Double> rates = new TreeMap<>();
    cluster.totals().operations().forEach((t, done) -> rates.put(t, (done - before.get(t)) / 40));
    return rates;
  }

  private double value(Map<String, Double> rates) {
    double sum = 0;
    for (Map.Entry<String, Double> one : rates.entrySet()) {
      double times = Math.max(1e-3, one.getValue() / start.get(one.getKey()));
      sum += Math.log(times) - protect * Math.max(0, 0.95 - times);
    }
    return sum;
  }

  /** Prints the best found in so many tries. */
  public void run(int tries) throws EngineException {
    Candidate best = new Candidate();
    best.node = bed.tenants().stream().flatMap(t -> t.placement().stream()).mapToInt(n -> n).toArray();
    best.profile = new int[bed.nodes()];
    int homogeneous = 0;
    for (int p = 0; p < Profile.STANDARD.size(); p++) {
      homogeneous = Profile.STANDARD.get(p).sameMemory(Profile.HOMOGENEOUS) ? p : homogeneous;
    }
    Arrays.fill(best.profile, homogeneous);
    start = rates(best);
    double most = value(start);
    Map<String, Double> found = start;
    Random random = new Random(seed);
    for (int i = 0; i < tries; i++) {
      Candidate tried = best.copy();
      int steps = 1 + random.nextInt(3);
      for (int s = 0; s < steps; s++) {
        int kind = random.nextInt(10);
        if (kind < 4) {
          tried.node[random.nextInt(tried.node.length)] = random.nextInt(bed.nodes());
        } else if (kind < 8) {
          int a = random.nextInt(tried.node.length);
          int b = random.nextInt(tried.node.length);
          int swap = tried.node[a];
          tried.node[a] = tried.node[b];
          tried.node[b] = swap;
        } else {
          tried.profile[random.nextInt(bed.nodes())] = random.nextInt(Profile.STANDARD.size());
        }
      }
      Map<String, Double> rates = rates(tried);
      double value = value(rates);
      if (value > most) {
        best = tried;
        most = value;
        found = rates;
      }
    }
    List<String> text = new ArrayList<>();
    double level = 0;
    for (Map.Entry<String, Double> one : found.entrySet()) {
      double times = one.getValue() / start.get(one.getKey());
      level += Math.log(times) / found.size();
      text.add(String.format("%s %.2f", one.getKey(), times));
    }
    System.out.printf(
        "ORACLE seed %d protect %.0f level %.2f %s nodes %s profiles %s%n",
        seed, protect, Math.exp(level), text, Arrays.toString(best.node), Arrays.toString(best.profile));
  }
}
