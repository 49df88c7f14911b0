package io.trimtab.runtime;

/** The processes of this machine. */
public interface Processes {
  /** The id of this one. */
  long own();

  boolean alive(long id);
}
