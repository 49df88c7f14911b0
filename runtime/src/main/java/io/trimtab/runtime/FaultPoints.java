package io.trimtab.runtime;

/**
 * Named points in the execution of a plan at which tests kill the controller. They have no effect
 * in production.
 */
@FunctionalInterface
public interface FaultPoints {
  FaultPoints NONE = point -> {};

  void reached(String point);
}
