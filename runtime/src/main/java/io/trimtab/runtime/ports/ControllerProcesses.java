package io.trimtab.runtime.ports;

/** The processes of this machine. */
public interface ControllerProcesses {
  /** The id of the current process. */
  long own();

  boolean alive(long id);
}
