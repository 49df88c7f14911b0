package io.trimtab.hbase.zookeeper;

/** Where controllers of a cluster keep what they share. */
record ControlPaths(String clusterId) {
  /** Above those of all clusters that share a ZooKeeper. */
  static final String TOP = "/trimtab";

  String root() {
    return TOP + "/" + clusterId;
  }

  /** Ephemeral: the controller in charge. */
  String holder() {
    return root() + "/controller";
  }

  /** The number of the last controller; its version guards every document. */
  String epoch() {
    return root() + "/epoch";
  }

  String documents() {
    return root() + "/documents";
  }

  String document(String cell) {
    return documents() + "/" + cell;
  }

  /** Its last change is the last request to stop. */
  String stop() {
    return root() + "/stop";
  }
}
