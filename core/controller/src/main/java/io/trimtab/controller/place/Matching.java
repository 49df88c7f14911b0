package io.trimtab.controller.place;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which target set goes to which node, at least cost (Cruz 2016, §3.2.2, Stage D, Algorithm 3). The
 * thesis takes the most similar set node by node; here the assignment problem is solved exactly by
 * shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987), O(n³) at worst.
 */
public final class Matching {
  /** Instead of the node of a set that must go there. */
  static final int ANY = -1;

  private Matching() {}

  /**
   * The node of each set, at the least sum of costs.
   *
   * @param cost [set][node], finite; as many sets as nodes
   */
  public static int[] exact(double[][] cost) {
    int n = cost.length;
    double[] rowPrice = new double[n + 1];
    double[] columnPrice = new double[n + 1];
    int[] rowOf = new int[n + 1];
    int[] way = new int[n + 1];
    for (int row = 1; row <= n; row++) {
      rowOf[0] = row;
      int column = 0;
      double[] least = new double[n + 1];
      Arrays.fill(least, Double.POSITIVE_INFINITY);
      boolean[] used = new boolean[n + 1];
      do {
        used[column] = true;
        int r = rowOf[column];
        int next = 0;
        double delta = Double.POSITIVE_INFINITY;
        double[] costs = cost[r - 1];
        double price = rowPrice[r];
        for (int j = 1; j <= n; j++) {
          if (used[j]) {
            continue;
          }
          double reduced = costs[j - 1] - price - columnPrice[j];
          if (reduced < least[j]) {
            least[j] = reduced;
            way[j] = column;
          }
          if (least[j] < delta) {
            delta = least[j];
            next = j;
          }
        }
        for (int j = 0; j <= n; j++) {
          if (used[j]) {
            rowPrice[rowOf[j]] += delta;
            columnPrice[j] -= delta;
          } else {
            least[j] -= delta;
          }
        }
        column = next;
      } while (rowOf[column] != 0);
      do {
        int previous = way[column];
        rowOf[column] = rowOf[previous];
        column = previous;
      } while (column != 0);
    }
    int[] nodeOfSet = new int[n];
    for (int j = 1; j <= n; j++) {
      nodeOfSet[rowOf[j] - 1] = j - 1;
    }
    return nodeOfSet;
  }

  /**
   * As above, where some sets must go to a certain node.
   *
   * @param held by set, that node, no two the same; {@link #ANY} for the others
   */
  static int[] exact(double[][] cost, int[] held) {
    boolean[] taken = new boolean[cost.length];
    Arrays.stream(held).filter(node -> node != ANY).forEach(node -> taken[node] = true);
    int[] sets = IntStream.range(0, held.length).filter(set -> held[set] == ANY).toArray();
    int[] nodes = IntStream.range(0, taken.length).filter(node -> !taken[node]).toArray();
    // A high cost of all other nodes would do as well, but take digits from the true costs.
    int[] free =
        exact(
            Arrays.stream(sets)
                .mapToObj(set -> Arrays.stream(nodes).mapToDouble(n -> cost[set][n]).toArray())
                .toArray(double[][]::new));
    int[] nodeOfSet = held.clone();
    for (int i = 0; i < sets.length; i++) {
      nodeOfSet[sets[i]] = nodes[free[i]];
    }
    return nodeOfSet;
  }

  public static double cost(double[][] cost, int[] nodeOfSet) {
    double sum = 0;
    for (int set = 0; set < nodeOfSet.length; set++) {
      sum += cost[set][nodeOfSet[set]];
    }
    return sum;
  }
}
