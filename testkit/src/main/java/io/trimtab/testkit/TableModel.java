package io.trimtab.testkit;

/** A table as it is now; guarded by its {@link ClusterState}. */
final class TableModel {
  final TableSpec spec;

  /** That new store files get. */
  int blockBytes;

  TableModel(TableSpec spec) {
    this.spec = spec;
    this.blockBytes = spec.blockBytes();
  }
}
