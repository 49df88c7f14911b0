package io.trimtab.engineapi;

/** Held by a cluster's only controller. */
public interface ControlLock extends AutoCloseable {

  /** Whether it is still held; false after a lost session, and then nothing may be done. */
  boolean held();

  @Override
  void close();
}
