package io.trimtab.engineapi;

/** The engine's own movers of partitions, which must rest while a plan runs. */
public record BalancerState(boolean balancer, boolean normalizer) {
  public static final BalancerState PAUSED = new BalancerState(false, false);
}
