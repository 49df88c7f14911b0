package io.trimtab.cassandraplugin;

/**
 * What a thread has done for the client's request that it works on. Cassandra orders the replicas
 * of all of a request's partitions before it reads the first one, so that the number of orders
 * tells a read of one partition from one of several.
 */
final class RequestReads {
  private static final ThreadLocal<RequestReads> CURRENT =
      ThreadLocal.withInitial(RequestReads::new);

  private int ordered;
  private boolean began;
  private boolean local;

  static RequestReads current() {
    return CURRENT.get();
  }

  /** The replicas of a partition are ordered; after reads have begun, for the next request. */
  void ordered() {
    if (began) {
      ordered = 0;
      began = false;
      local = false;
    }
    ordered++;
  }

  /** A read is sent to another node. */
  void sent() {
    began = true;
  }

  /** This node's own data are about to be read: whether it is the only partition's first read. */
  boolean isOnlyLocal() {
    boolean only = ordered == 1 && !local;
    began = true;
    local = true;
    return only;
  }
}
