package io.trimtab.engineapi;

/** The lock of a cluster's only controller. */
public interface ControlLock extends AutoCloseable {

  /**
   * Whether the lock is still held. False after the session is lost; then nothing may be changed.
   */
  boolean held();

  @Override
  void close();
}
