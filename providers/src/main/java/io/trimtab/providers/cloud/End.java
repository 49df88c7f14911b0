package io.trimtab.providers.cloud;

/** What becomes of a machine whose node is given back. */
public enum End {
  /** It is shut down, and kept with its disks until an operator deletes it. */
  STOP,
  /** It is shut down and deleted with its disks: right where the data are elsewhere. */
  DELETE
}
