package io.trimtab.engineapi.snapshot;

/**
 * What a node may use.
 *
 * @param cores its CPU quota if it is isolated, otherwise its machine's cores; &gt; 0; NaN if the
 *     engine does not provide the value
 * @param readsPerSecond read operations that may reach its disk; 0 if it is isolated without such a
 *     limit; NaN if it is not isolated, as nothing tells what a disk can do
 */
public record NodeLimits(double cores, double readsPerSecond) {
  public static final NodeLimits UNKNOWN = new NodeLimits(Double.NaN, Double.NaN);

  /** Of a node whose disk is not limited, as far as is known. */
  public static NodeLimits ofCores(double cores) {
    return new NodeLimits(cores, Double.NaN);
  }
}
