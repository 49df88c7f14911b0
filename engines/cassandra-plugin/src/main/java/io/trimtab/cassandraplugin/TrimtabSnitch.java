package io.trimtab.cassandraplugin;

import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snitch to name in cassandra.yaml, with {@code dynamic_snitch: false}. It knows data centres
 * and racks as the snitch that it wraps, and ranks the replicas of clients' reads; all other orders
 * are those of the wrapped one.
 */
public final class TrimtabSnitch implements IEndpointSnitch {
  /** JVM property: the snitch to wrap, named as in cassandra.yaml. */
  public static final String WRAPPED = "trimtab.snitch";

  private static final String DEFAULT = "GossipingPropertyFileSnitch";
  private static final String PACKAGE = "org.apache.cassandra.locator.";
  private static final Logger LOG = LoggerFactory.getLogger(TrimtabSnitch.class);
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private final IEndpointSnitch wrapped;
  private final ReadOrder order;
  private final Runnable install;

  /** As Cassandra makes it. */
  public TrimtabSnitch() throws ConfigurationException {
    this(
        made(System.getProperty(WRAPPED, DEFAULT)),
        CoordinatorRanking.INSTANCE,
        TrimtabSnitch::hooks);
  }

  TrimtabSnitch(IEndpointSnitch wrapped, CoordinatorRanking ranking, Runnable install) {
    this.wrapped = wrapped;
    this.install = install;
    this.order = new ReadOrder(wrapped, ranking);
  }

  /** A node starts and serves even where its Cassandra lacks what the hooks are made of. */
  private static void hooks() {
    if (Offered.HERE == Offered.NOTHING) {
      if (TOLD.compareAndSet(false, true)) {
        CoordinatorRanking.INSTANCE.choose(CoordinatorRanking.OFF);
        LOG.error(
            "replicas are read in the order of the snitch: Trimtab ranks them on Cassandra 4.1 and"
                + " 5.0, not on {}",
            FBUtilities.getReleaseVersionString());
      }
      return;
    }
    try {
      Hooks.install();
    } catch (LinkageError e) {
      CoordinatorRanking.INSTANCE.choose(CoordinatorRanking.OFF);
      CoordinatorRanking.INSTANCE.failed(e);
    }
  }

  private static IEndpointSnitch made(String name) throws ConfigurationException {
    String type = name.contains(".") ? name : PACKAGE + name;
    if (type.equals(TrimtabSnitch.class.getName())) {
      throw new ConfigurationException(WRAPPED + ": " + name + " can't wrap itself");
    }
    return FBUtilities.construct(type, WRAPPED);
  }

  @Override
  public <C extends ReplicaCollection<? extends C>> C sortedByProximity(
      InetAddressAndPort self, C replicas) {
    if (ReadOrder.isForClient()) {
      // After a change of the snitch at run time nobody tells it that gossip starts.
      install.run();
    }
    return order.of(self, wrapped.sortedByProximity(self, replicas));
  }

  @Override
  public int compareEndpoints(InetAddressAndPort target, Replica one, Replica other) {
    return wrapped.compareEndpoints(target, one, other);
  }

  @Override
  public void gossiperStarting() {
    wrapped.gossiperStarting();
    install.run();
  }

  @Override
  public boolean isWorthMergingForRangeQuery(
      ReplicaCollection<?> merged, ReplicaCollection<?> one, ReplicaCollection<?> other) {
    return wrapped.isWorthMergingForRangeQuery(merged, one, other);
  }

  @Override
  public String getRack(InetAddressAndPort endpoint) {
    return wrapped.getRack(endpoint);
  }

  @Override
  public String getDatacenter(InetAddressAndPort endpoint) {
    return wrapped.getDatacenter(endpoint);
  }

  @Override
  public boolean validate(Set<String> datacenters, Set<String> racks) {
    return wrapped.validate(datacenters, racks);
  }
}
