package io.trimtab.runtime.ports;

/** The processes of this machine. */
public interface ControllerProcesses {
  /** The id of the current process. */
  long own();

  boolean alive(long id);

  /**
   * Identifies this machine's running kernel and, in a container, its process ids: those of another
   * one mean nothing here.
   */
  String space();
}
