package io.trimtab.controller.observe;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A snapshot's partitions by index, in the order of their ids, with what decisions ask of each. All
 * is looked up and sorted once for a decision, which then works on arrays. Arrays are not copied:
 * they are never modified.
 */
public final class Partitions {
  /** A partition among those of its table. */
  private record Listed(String name, int at) {}

  private final PartitionState[] states;
  private final Rates[] rates;
  private final double[] loads;
  private final AccessClass[] classes;
  private final int[] tables;
  private final int tableCount;
  private final int[] asListed;

  private Partitions(Partitions same, AccessClass[] classes) {
    this.states = same.states;
    this.rates = same.rates;
    this.loads = same.loads;
    this.tables = same.tables;
    this.tableCount = same.tableCount;
    this.asListed = same.asListed;
    this.classes = classes;
  }

  private Partitions(List<PartitionState> listed, Map<PartitionId, Rates> known) {
    int[] order = sorted(listed) ? IntStream.range(0, listed.size()).toArray() : byId(listed);
    states = new PartitionState[order.length];
    rates = new Rates[order.length];
    loads = new double[order.length];
    tables = new int[order.length];
    asListed = new int[order.length];
    classes = new AccessClass[0];
    int table = -1;
    for (int p = 0; p < order.length; p++) {
      states[p] = listed.get(order[p]);
      PartitionId id = states[p].id();
      table += p > 0 && id.table().equals(states[p - 1].id().table()) ? 0 : 1;
      rates[p] = known.getOrDefault(id, Rates.ZERO);
      loads[p] = rates[p].total();
      tables[p] = table;
      asListed[order[p]] = p;
    }
    tableCount = table + 1;
  }

  /** As an engine lists them. */
  private static boolean sorted(List<PartitionState> listed) {
    for (int i = 1; i < listed.size(); i++) {
      if (listed.get(i - 1).id().compareTo(listed.get(i).id()) > 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * The places of partitions by id. Table by table: their names are few and near each other, while
   * sorting all ids at once misses the CPU's cache at each step.
   */
  private static int[] byId(List<PartitionState> listed) {
    Map<String, List<Listed>> byTable = new HashMap<>();
    for (int i = 0; i < listed.size(); i++) {
      PartitionId id = listed.get(i).id();
      byTable.computeIfAbsent(id.table(), t -> new ArrayList<>()).add(new Listed(id.name(), i));
    }
    String[] names = byTable.keySet().toArray(new String[0]);
    Arrays.sort(names);
    int[] order = new int[listed.size()];
    int size = 0;
    for (String name : names) {
      List<Listed> own = byTable.get(name);
      own.sort(Comparator.comparing(Listed::name));
      for (Listed one : own) {
        order[size++] = one.at();
      }
    }
    return order;
  }

  /** The partitions of an observation, not yet classified. */
  static Partitions of(Observation.Usable seen) {
    return new Partitions(seen.snapshot().partitions(), seen.rates());
  }

  /** For decisions that do not tell classes apart. */
  public static Partitions ofOneClass(Observation.Usable seen, AccessClass all) {
    Partitions partitions = of(seen);
    AccessClass[] same = new AccessClass[partitions.size()];
    Arrays.fill(same, all);
    return partitions.with(same);
  }

  /** The same with their classes, by index. */
  Partitions with(AccessClass[] told) {
    return new Partitions(this, told);
  }

  public int size() {
    return states.length;
  }

  public PartitionState state(int p) {
    return states[p];
  }

  public Rates rates(int p) {
    return rates[p];
  }

  /** Requests per second. */
  public double load(int p) {
    return loads[p];
  }

  /** The same of all, a copy. */
  public double[] loads() {
    return loads.clone();
  }

  public AccessClass accessClass(int p) {
    return classes[p];
  }

  /** The table's index, by name from 0. */
  public int table(int p) {
    return tables[p];
  }

  /** How many tables have partitions. */
  public int tables() {
    return tableCount;
  }

  /**
   * The indexes in the snapshot's order. It decides how sums over partitions are rounded, and so
   * which of two almost equal ones is greater.
   */
  public int[] asListed() {
    return asListed;
  }

  /** The index of a partition that is there; negative for another. */
  public int indexOf(PartitionId id) {
    int low = 0;
    int high = states.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = states[middle].id().compareTo(id);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order > 0 ? middle - 1 : high;
    }
    return -1;
  }
}
