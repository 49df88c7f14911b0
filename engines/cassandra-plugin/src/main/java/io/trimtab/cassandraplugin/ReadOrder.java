package io.trimtab.cassandraplugin;

import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.ReplicaCollection;

/**
 * The order of a read's replicas: those of the coordinator's data centre by their rank, then the
 * others as they were. Whatever goes wrong, the order is the one that was given.
 */
final class ReadOrder {
  /** Clients' requests are worked on by threads of this name. */
  private static final String REQUESTS = "Native-Transport-Requests";

  private final IEndpointSnitch topology;
  private final CoordinatorRanking ranking;

  ReadOrder(IEndpointSnitch topology, CoordinatorRanking ranking) {
    this.topology = topology;
    this.ranking = ranking;
  }

  /** Whether this thread works on a client's request. Sources of streams are chosen by others. */
  static boolean isForClient() {
    return Thread.currentThread().getName().startsWith(REQUESTS);
  }

  /**
   * @param self this node
   * @param stock the replicas in the order that they would have without a ranking
   */
  <C extends ReplicaCollection<? extends C>> C of(InetAddressAndPort self, C stock) {
    if (!isForClient()) {
      return stock;
    }
    RequestReads.current().ordered();
    if (stock.size() < 2 || !ranking.isOn()) {
      return stock;
    }
    try {
      return ranked(self, stock);
    } catch (RuntimeException | LinkageError e) {
      ranking.failed(e);
      ranking.fellBack();
      return stock;
    }
  }

  private <C extends ReplicaCollection<? extends C>> C ranked(InetAddressAndPort self, C stock) {
    int near = near(self, stock);
    if (near < 2) {
      return stock;
    }
    int[] replicas = new int[near];
    for (int i = 0; i < near; i++) {
      replicas[i] = ranking.peers().number(stock.get(i).endpoint());
      if (replicas[i] == Peers.NONE) {
        ranking.fellBack();
        return stock;
      }
    }
    ranking.order(self, replicas);
    if (stock instanceof EndpointsForToken) {
      ranking.partition(replicas[0]);
    }
    return stock.sorted(
        (one, other) ->
            Integer.compare(place(replicas, one.endpoint()), place(replicas, other.endpoint())));
  }

  /** How many, from the first on, are in this node's data centre; 0 where they are not alike. */
  private int near(InetAddressAndPort self, ReplicaCollection<?> stock) {
    String here = topology.getDatacenter(self);
    int near = 0;
    while (near < stock.size() && here.equals(topology.getDatacenter(stock.get(near).endpoint()))) {
      if (stock.get(near).isTransient()) {
        // A read needs a replica that has everything among the first.
        return 0;
      }
      near++;
    }
    return near;
  }

  /** Those that are not ranked are behind all others, and stay in their order. */
  private int place(int[] replicas, InetAddressAndPort endpoint) {
    int number = ranking.peers().number(endpoint);
    int place = 0;
    while (place < replicas.length && replicas[place] != number) {
      place++;
    }
    return place;
  }
}
