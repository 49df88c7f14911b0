package io.trimtab.engineapi;

/**
 * State of the engine's own components that move partitions; they must be off while a plan runs.
 */
public record BalancerState(boolean balancer, boolean normalizer) {
  public static final BalancerState PAUSED = new BalancerState(false, false);
}
