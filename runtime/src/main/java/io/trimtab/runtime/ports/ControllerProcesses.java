package io.trimtab.runtime.ports;

/** The processes of this machine. */
public interface ControllerProcesses {
  /** The id of this one. */
  long own();

  boolean alive(long id);
}
