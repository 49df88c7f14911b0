package io.trimtab.controller.place;

import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.UsageEstimate;
import io.trimtab.models.usage.UsageModel.Load;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Shares partitions out to nodes so that the greatest predicted usage is as small as can be (Cruz
 * 2016, §6.2): longest processing time first, where a partition's time is the usage it would cause
 * alone and a node's is the usage after its histogram is merged with the partition's; then moves
 * and swaps out of the most used node. It ends after a number of predictions, not after a time, so
 * that it gives the same on every machine, and whenever it ends its answer is whole. Items that
 * stay where they are count there, and the others are placed around them.
 */
public final class UsagePacking {
  /** The most nodes for which a search for their number goes on. */
  public static final int NODES_TRIED_MAX = 1_000;

  /** Nodes that an item may go to in one improvement: the least used gain most. */
  private static final int PARTNERS = 8;

  /** Items of the other node that are tried in a swap, nearest in usage first. */
  private static final int SWAPS = 6;

  private static final double NEAR_BOUND = 1.005;
  private static final double BETTER = 1e-6;

  /** Instead of the node of an item that stays: it is placed. */
  public static final int FREE = -1;

  /**
   * What one partition asks for.
   *
   * @param cache its blocks, with their requests a second
   * @param load its requests; the hit ratio is not used
   */
  public record Item(CacheLoad cache, Load load) {
    /** The same partition with its request rates multiplied by a factor. */
    Item times(double factor) {
      return new Item(cache.times(factor), load.times(factor));
    }
  }

  /**
   * Where items go.
   *
   * @param nodeOf by item
   * @param usage predicted, by node
   * @param full by node: whether it has items that stay, and nothing else
   * @param bound no assignment's {@link #mostPlaced} is below this
   */
  public record Packed(int[] nodeOf, double[] usage, boolean[] full, double bound) {
    public double most() {
      return Arrays.stream(usage).max().orElse(0);
    }

    /**
     * Of the nodes whose usage depends on where items are placed: no assignment relieves a node
     * that has nothing but what stays.
     */
    public double mostPlaced() {
      return IntStream.range(0, usage.length)
          .filter(n -> !full[n])
          .mapToDouble(n -> usage[n])
          .max()
          .orElse(0);
    }
  }

  /** What one node holds; replaced, never changed. */
  private record NodeContents(CacheLoad cache, Load load, double usage) {}

  private final UsageEstimate model;
  private final List<Item> items;
  private final int[] pinned;
  private final double cacheBytes;
  private final double[] alone;
  private long left;

  private UsagePacking(
      UsageEstimate model, List<Item> items, int[] pinned, double cacheBytes, long predictions) {
    this.model = model;
    this.items = items;
    this.pinned = pinned;
    this.cacheBytes = cacheBytes;
    this.left = predictions;
    this.alone = items.stream().mapToDouble(i -> with(empty(), i).usage()).toArray();
  }

  /** As below, where no item stays. */
  public static Packed pack(
      UsageEstimate model, List<Item> items, int nodes, double cacheBytes, long predictions) {
    return pack(model, items, allFree(items), nodes, cacheBytes, predictions);
  }

  /**
   * @param pinned by item, the node on which it stays whatever else is placed there; {@link #FREE}
   *     for one that is placed
   * @param nodes ≥ 1, all alike, and more than any in {@code pinned}
   * @param cacheBytes of each node, &gt; 0
   * @param predictions that improving may take
   */
  public static Packed pack(
      UsageEstimate model,
      List<Item> items,
      int[] pinned,
      int nodes,
      double cacheBytes,
      long predictions) {
    return new UsagePacking(model, items, pinned, cacheBytes, predictions).pack(nodes);
  }

  /**
   * The node of each item with longest processing time first alone: the thesis's Algorithm 2 with
   * the two functions of §6.2.
   *
   * @param nodes ≥ 1, all alike
   * @param cacheBytes of each node, &gt; 0
   * @param most items on a node; on all nodes no fewer than there are
   */
  static int[] longestFirst(
      UsageEstimate model, List<Item> items, int nodes, double cacheBytes, int most) {
    UsagePacking packing = new UsagePacking(model, items, allFree(items), cacheBytes, 0);
    NodeContents[] held = new NodeContents[nodes];
    Arrays.fill(held, packing.empty());
    int[] nodeOf = allFree(items);
    packing.fill(held, nodeOf, most);
    return nodeOf;
  }

  private static int[] allFree(List<Item> items) {
    int[] pinned = new int[items.size()];
    Arrays.fill(pinned, FREE);
    return pinned;
  }

  /** The usage of a node that holds these items. */
  public static double usage(UsageEstimate model, List<Item> items, double cacheBytes) {
    return model.usage(load(items, cacheBytes));
  }

  /** What a node that holds these items is asked for, with the hit ratio of its cache. */
  static Load load(List<Item> items, double cacheBytes) {
    Load.Sum load = new Load.Sum();
    items.forEach(item -> load.add(item.load()));
    return load.total().withHitRatio(hitRatio(items, cacheBytes));
  }

  /** The hit ratio of a node that holds these items, in [0, 1]. */
  static double hitRatio(List<Item> items, double cacheBytes) {
    CacheLoad.Sum cache = new CacheLoad.Sum();
    items.forEach(item -> cache.add(item.cache()));
    return cache.total().hitRatio(cacheBytes);
  }

  private Packed pack(int nodes) {
    NodeContents[] held = new NodeContents[nodes];
    Arrays.fill(held, empty());
    int[] nodeOf = pinned.clone();
    for (int item = 0; item < nodeOf.length; item++) {
      if (nodeOf[item] != FREE) {
        held[nodeOf[item]] = with(held[nodeOf[item]], items.get(item));
      }
    }
    fill(held, nodeOf, Integer.MAX_VALUE);
    double bound = bound(nodes);
    improve(held, nodeOf, bound);
    return new Packed(
        nodeOf,
        Arrays.stream(held).mapToDouble(NodeContents::usage).toArray(),
        full(nodeOf, nodes),
        bound);
  }

  /**
   * Places all items that do not stay, the longest first.
   *
   * @param most of them on a node
   */
  private void fill(NodeContents[] held, int[] nodeOf, int most) {
    Integer[] order = free().boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparingDouble((Integer i) -> -alone[i]));
    int[] count = new int[held.length];
    for (int item : order) {
      int node = place(held, item, count, most);
      nodeOf[item] = node;
      count[node]++;
      held[node] = with(held[node], items.get(item));
    }
  }

  /** The items that are placed. */
  private IntStream free() {
    return IntStream.range(0, pinned.length).filter(i -> pinned[i] == FREE);
  }

  private boolean[] full(int[] nodeOf, int nodes) {
    boolean[] full = new boolean[nodes];
    Arrays.stream(pinned).filter(n -> n != FREE).forEach(n -> full[n] = true);
    free().forEach(i -> full[nodeOf[i]] = false);
    return full;
  }

  /** The node that is least used with the item, of those that are not full. */
  private int place(NodeContents[] held, int item, int[] count, int most) {
    int best = FREE;
    double least = Double.POSITIVE_INFINITY;
    for (int node : byUsage(held)) {
      if (count[node] >= most) {
        continue;
      }
      best = best == FREE ? node : best;
      // More load never makes a node less used: the rest is no better.
      if (held[node].usage() >= least) {
        break;
      }
      double usage = with(held[node], items.get(item)).usage();
      if (usage < least) {
        least = usage;
        best = node;
      }
    }
    return best;
  }

  private static Integer[] byUsage(NodeContents[] held) {
    Integer[] nodes = new Integer[held.length];
    Arrays.setAll(nodes, i -> i);
    Arrays.sort(nodes, Comparator.comparingDouble((Integer n) -> held[n].usage()));
    return nodes;
  }

  /**
   * No assignment's most used node is below this: as if all nodes were one with all their caches,
   * and no less than what one item needs.
   */
  public static double bound(UsageEstimate model, List<Item> items, int nodes, double cacheBytes) {
    return new UsagePacking(model, items, allFree(items), cacheBytes, 0).bound(nodes);
  }

  /** Of those that are placed: what stays may be on nodes to which nothing is added. */
  private double bound(int nodes) {
    CacheLoad.Sum cache = new CacheLoad.Sum();
    Load load = Load.NONE;
    for (int i : free().toArray()) {
      cache.add(items.get(i).cache());
      load = load.plus(items.get(i).load());
    }
    double hits = cache.total().hitRatio(nodes * cacheBytes);
    double mean = model.usage(load.times(1.0 / nodes).withHitRatio(hits));
    return Math.max(mean, free().mapToDouble(i -> alone[i]).max().orElse(0));
  }

  private void improve(NodeContents[] held, int[] nodeOf, double bound) {
    while (left > 0 && held.length > 1) {
      Integer[] byUsage = byUsage(held);
      int most = mostPlaced(byUsage, full(nodeOf, held.length));
      if (most < 0
          || held[most].usage() <= NEAR_BOUND * bound
          || !relieve(held, nodeOf, byUsage, most)) {
        return;
      }
    }
  }

  /** The most used node that could be relieved; -1 if there is none. */
  private static int mostPlaced(Integer[] byUsage, boolean[] full) {
    for (int i = byUsage.length - 1; i >= 0; i--) {
      if (!full[byUsage[i]]) {
        return byUsage[i];
      }
    }
    return -1;
  }

  /** The first move or swap that makes the fuller of two nodes less used; false without one. */
  private boolean relieve(NodeContents[] held, int[] nodeOf, Integer[] byUsage, int full) {
    List<Integer> here = on(nodeOf, full);
    double before = held[full].usage();
    int[] partners =
        Arrays.stream(byUsage).mapToInt(n -> n).filter(n -> n != full).limit(PARTNERS).toArray();
    for (int p = 0; p < partners.length && left > 0; p++) {
      int other = partners[p];
      List<Integer> there = on(nodeOf, other);
      for (int item : here) {
        NodeContents less = without(held[full], items.get(item));
        NodeContents more = with(held[other], items.get(item));
        if (Math.max(less.usage(), more.usage()) < before - BETTER) {
          held[full] = less;
          held[other] = more;
          nodeOf[item] = other;
          return true;
        }
        for (int back : nearest(there, alone[item])) {
          NodeContents one = with(less, items.get(back));
          NodeContents two = without(more, items.get(back));
          if (Math.max(one.usage(), two.usage()) < before - BETTER) {
            held[full] = one;
            held[other] = two;
            nodeOf[item] = other;
            nodeOf[back] = full;
            return true;
          }
        }
      }
    }
    return false;
  }

  /** What may leave a node, largest first: they change most. */
  private List<Integer> on(int[] nodeOf, int node) {
    List<Integer> on = new ArrayList<>();
    free().filter(i -> nodeOf[i] == node).forEach(on::add);
    on.sort(Comparator.comparingDouble(i -> -alone[i]));
    return on;
  }

  /** Those that are a little less than what they are swapped for. */
  private List<Integer> nearest(List<Integer> all, double usage) {
    return all.stream()
        .filter(i -> alone[i] < usage)
        .sorted(Comparator.comparingDouble(i -> usage - alone[i]))
        .limit(SWAPS)
        .toList();
  }

  private NodeContents empty() {
    return new NodeContents(CacheLoad.NONE, Load.NONE, model.usage(Load.NONE));
  }

  private NodeContents with(NodeContents held, Item item) {
    return held(held.cache().plus(item.cache()), held.load().plus(item.load()));
  }

  private NodeContents without(NodeContents held, Item item) {
    return held(held.cache().minus(item.cache()), held.load().minus(item.load()));
  }

  private NodeContents held(CacheLoad cache, Load load) {
    left--;
    return new NodeContents(cache, load, usage(model, cache, load, cacheBytes));
  }

  private static double usage(UsageEstimate model, CacheLoad cache, Load load, double cacheBytes) {
    return model.usage(load.withHitRatio(cache.hitRatio(cacheBytes)));
  }
}
