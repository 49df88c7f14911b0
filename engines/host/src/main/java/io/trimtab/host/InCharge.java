package io.trimtab.host;

import io.trimtab.engineapi.LostControlException;

/**
 * What a verb of an engine asks before each request that changes something: many verbs repeat for
 * minutes or have several steps, and control may be lost in between.
 */
@FunctionalInterface
public interface InCharge {
  /** Of a process that never took control, such as a tool for one cluster of its own. */
  InCharge ANYBODY = () -> {};

  /**
   * @throws LostControlException unless the lock is held under which the verb began
   */
  void require() throws LostControlException;
}
