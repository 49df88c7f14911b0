package io.trimtab.simulator.replicas;

/**
 * How reads are made.
 *
 * @param local whether the servers themselves are the coordinators, without a network to
 *     themselves; then there are as many clients as servers
 * @param sizeSkew standard deviation of the logarithm of records' sizes, to which service times are
 *     proportional; 0: all alike
 * @param hedgeMs after how long without an answer the next replica is asked, too; 0: never
 */
public record Shape(boolean local, double sizeSkew, double hedgeMs) {
  public static final Shape PLAIN = new Shape(false, 0, 0);
}
