package io.trimtab.controller.observe;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.ReplicaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** A ring whose coordinators count what they choose, and whose time goes on by hand. */
final class RankedRing {
  final int nodes;
  final long[][] candidate;
  final long[][] first;
  final double[] serviceMs;
  final double[] queued;
  final long[] incarnation;
  final Set<Integer> ownFirst = new HashSet<>();
  final Set<Integer> withoutPlugin = new HashSet<>();
  final Set<Integer> dead = new HashSet<>();
  final Set<Integer> draining = new HashSet<>();
  final Set<Integer> absent = new HashSet<>();
  final Set<Integer> unread = new HashSet<>();
  final String[] dataCentre;
  List<String> gaps = List.of();
  long second;

  RankedRing(int nodes) {
    this.nodes = nodes;
    candidate = new long[nodes][nodes];
    first = new long[nodes][nodes];
    serviceMs = new double[nodes];
    queued = new double[nodes];
    incarnation = new long[nodes];
    dataCentre = new String[nodes];
    for (int i = 0; i < nodes; i++) {
      dataCentre[i] = "dc";
      // The third node's reads take long, whoever chooses it or not.
      serviceMs[i] = i == 2 ? 31 : 6;
      queued[i] = Double.NaN;
    }
  }

  static NodeId id(int node) {
    return new NodeId("n" + node);
  }

  /** A coordinator gets reads of which each replica gets some first; all are candidates. */
  RankedRing reads(int coordinator, long... chosen) {
    long all = 0;
    for (long some : chosen) {
      all += some;
    }
    for (int i = 0; i < chosen.length; i++) {
      candidate[coordinator][i] += all;
      first[coordinator][i] += chosen[i];
    }
    return this;
  }

  /** Its process begins anew, and its counters with it. */
  RankedRing restart(int node) {
    incarnation[node]++;
    candidate[node] = new long[nodes];
    first[node] = new long[nodes];
    return this;
  }

  private static String silence(int node) {
    return "node " + id(node) + ": no answer";
  }

  private NodeState node(int node) {
    if (unread.contains(node)) {
      return new NodeState(
              id(node),
              -1,
              true,
              false,
              Optional.empty(),
              false,
              NodeUsage.UNKNOWN,
              NodeGauges.UNKNOWN)
          .in(dataCentre[node], "r")
          .with(NodeRead.failed(silence(node)));
    }
    NodeState plain =
        new NodeState(
                id(node),
                incarnation[node],
                !dead.contains(node),
                draining.contains(node),
                Optional.empty(),
                false,
                NodeUsage.UNKNOWN,
                NodeGauges.UNKNOWN)
            .in(dataCentre[node], "r");
    if (withoutPlugin.contains(node) || dead.contains(node)) {
      return plain;
    }
    List<ReplicaView> views = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      views.add(
          new ReplicaView(
              id(i),
              OptionalDouble.of(serviceMs[i]),
              OptionalLong.of(0),
              OptionalDouble.of(queued[i]),
              OptionalDouble.of(serviceMs[i]),
              OptionalDouble.of(0),
              OptionalLong.of(candidate[node][i]),
              OptionalLong.of(first[node][i])));
    }
    return plain.with(new CoordinatorView("trimtab", ownFirst.contains(node), views));
  }

  /** After some more seconds. */
  ClusterSnapshot after(int seconds) {
    second += seconds;
    List<NodeState> all = new ArrayList<>();
    List<String> missing = new ArrayList<>(gaps);
    unread.forEach(node -> missing.add(silence(node)));
    for (int i = 0; i < nodes; i++) {
      if (!absent.contains(i)) {
        all.add(node(i));
      }
    }
    return new ClusterSnapshot(
            Instant.EPOCH,
            "c",
            "test",
            Ownership.TOKENS,
            "1",
            nodes,
            all,
            List.of(),
            0,
            List.of(),
            BalancerState.PAUSED,
            missing)
        .at(Instant.EPOCH, OptionalLong.of(second * 1_000_000_000));
  }
}
