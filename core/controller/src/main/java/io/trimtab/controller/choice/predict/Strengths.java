package io.trimtab.controller.choice.predict;

import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How much of a node the same load uses, relative to a usual node of the cluster: a quarter on a
 * node with four times as many cores. What nobody tells of a node is taken to be usual. (Their
 * memory counts by the size of their caches.)
 */
public final class Strengths {
  private final double[] cpu;
  private final double[] disk;
  private final boolean apart;

  private Strengths(double[] cpu, double[] disk, boolean apart) {
    this.cpu = cpu;
    this.disk = disk;
    this.apart = apart;
  }

  /**
   * Of nodes by index.
   *
   * @param apart whether CPU and disk are told apart; where they are not, the weaker one of a node
   *     counts for both
   */
  public static Strengths of(List<NodeState> nodes, boolean apart) {
    double[] cpu = shares(nodes, NodeLimits::cores);
    double[] disk = shares(nodes, NodeLimits::readsPerSecond);
    return new Strengths(cpu, disk, apart);
  }

  /** NaN of a node that does not tell. */
  private static double[] shares(List<NodeState> nodes, ToDoubleFunction<NodeLimits> limit) {
    double[] limits =
        nodes.stream().mapToDouble(node -> limit.applyAsDouble(node.usage().limits())).toArray();
    // Of a disk 0 is no limit at all, which says nothing of what it can do.
    double[] known = Arrays.stream(limits).filter(value -> value > 0).sorted().toArray();
    double usual = known.length == 0 ? Double.NaN : known[(known.length - 1) / 2];
    return Arrays.stream(limits).map(value -> value > 0 ? usual / value : Double.NaN).toArray();
  }

  /** What the same load uses of a node's CPU, as a multiple of what it uses of a usual one. */
  public double cpu(int node) {
    return apart ? greatest(node, cpu) : greatest(node, cpu, disk);
  }

  /** The same of its disk. */
  public double disk(int node) {
    return apart ? greatest(node, disk) : greatest(node, cpu, disk);
  }

  /** Of what is known; a node that is added is as weak as the weakest. */
  private static double greatest(int node, double[]... shares) {
    double greatest = Double.NaN;
    for (double[] of : shares) {
      int first = node < of.length ? node : 0;
      int last = node < of.length ? node : of.length - 1;
      for (int n = first; n <= last; n++) {
        greatest = of[n] > greatest || Double.isNaN(greatest) ? of[n] : greatest;
      }
    }
    return Double.isNaN(greatest) ? 1 : greatest;
  }
}
