package io.trimtab.runtime;

/**
 * Named moments of a plan at which tests kill the controller. In production nothing happens at
 * them.
 */
@FunctionalInterface
public interface FaultPoints {
  FaultPoints NONE = point -> {};

  void reached(String point);
}
