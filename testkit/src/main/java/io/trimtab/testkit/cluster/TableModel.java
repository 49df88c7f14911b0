package io.trimtab.testkit.cluster;

import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;

/** A table as it is now; guarded by its {@link ClusterState}. */
final class TableModel {
  final TableSpec spec;

  /** By its clients, now. */
  Access asked = Access.NONE;

  /** Requests that clients have sent so far. */
  double wanted;

  /** Those of them that were served. */
  double served;

  /** What clients that wait for answers have had done. */
  double operations;

  /** That new store files get. */
  int blockBytes;

  TableModel(TableSpec spec) {
    this.spec = spec;
    this.blockBytes = spec.blockBytes();
  }
}
