package io.trimtab.lab.slot;

/**
 * A lab's own addresses and ports. Slot s has the loopback network 127.77.s.0/24, so that every
 * node is a machine of its own to HBase and HDFS, and ten ports. IP addresses serve as host names:
 * they need no resolver, neither in the lab's processes nor in clients.
 *
 * @param number in [0, {@link #COUNT})
 */
public record LabSlot(int number) {
  public static final int COUNT = 250;
  static final int PORTS = 10;

  /** Below the ports that Linux gives to outgoing connections (32768 and above). */
  private static final int FIRST_PORT = 26_000;

  public LabSlot {
    if (number < 0 || number >= COUNT) {
      throw new IllegalArgumentException("slot must be in [0, " + COUNT + "), not " + number);
    }
  }

  /** Where the master and the NameNode are. */
  public String coordinator() {
    return "127.77." + number + ".1";
  }

  /** HQuorumPeer finds itself among the quorum only by the loopback interface's own address. */
  public String zookeeper() {
    return "127.0.0.1";
  }

  /** The address of node {@code index} ≥ 1. */
  public String node(int index) {
    return "127.77." + number + "." + (10 + index);
  }

  /** Of no process: where a slot is held before its processes listen. */
  String claim() {
    return "127.77." + number + ".254";
  }

  public int zookeeperPort() {
    return port(0);
  }

  /** By TLS; at {@link #zookeeper()}, where the NameNode's port of the same number is not. */
  public int zookeeperTlsPort() {
    return port(1);
  }

  public int nameNodePort() {
    return port(1);
  }

  public int nameNodeHttpPort() {
    return port(2);
  }

  public int masterPort() {
    return port(3);
  }

  public int masterInfoPort() {
    return port(4);
  }

  public int dataNodePort() {
    return port(5);
  }

  public int dataNodeHttpPort() {
    return port(6);
  }

  public int dataNodeIpcPort() {
    return port(7);
  }

  public int regionServerPort() {
    return port(8);
  }

  public int regionServerInfoPort() {
    return port(9);
  }

  /** Between Cassandra nodes. */
  public int storagePort() {
    return port(7);
  }

  /** A Cassandra node's, for clients. */
  public int cqlPort() {
    return port(8);
  }

  /** A Cassandra node's. */
  public int jmxPort() {
    return port(9);
  }

  /**
   * @param i in [0, {@link #PORTS})
   */
  int port(int i) {
    return FIRST_PORT + number * PORTS + i;
  }
}
