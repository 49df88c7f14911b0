package io.trimtab.models.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Machines that nodes of several clusters share (Chalkiadaki 2013, ch. 3: "still allowing Cassandra
 * servers to share Cloud VMs"), and what of them is left if every cluster has as many clients as
 * were agreed. Pure.
 *
 * @param machines with the nodes that are on them
 */
public record MachineBudget(List<Machine> machines) {

  /**
   * What a machine has, or a node of a type needs: its tables were measured with so much.
   *
   * @param cores &gt; 0
   * @param memoryBytes &gt; 0
   * @param diskBytes &gt; 0
   */
  public record Size(double cores, long memoryBytes, long diskBytes) {
    public Size {
      if (!(cores > 0) || memoryBytes <= 0 || diskBytes <= 0) {
        throw new IllegalArgumentException("cores, memory and disk must be > 0");
      }
    }

    /**
     * What a node of this size will use when its clusters' clients are as many as were agreed: of
     * the cores as much more as there will be more clients, but no more than its own; memory and
     * disk are its own whether it uses them or not.
     *
     * @param usedCores on average now; NaN if it is not known, and all of its own are assumed
     * @param clients now, ≥ 0
     * @param agreed clients, ≥ 0
     */
    public Size predicted(double usedCores, int clients, int agreed) {
      if (!Double.isFinite(usedCores) || clients <= 0 || agreed <= 0) {
        return this;
      }
      double all = usedCores * Math.max(1, (double) agreed / clients);
      return new Size(Math.min(cores, Math.max(all, Double.MIN_NORMAL)), memoryBytes, diskBytes);
    }
  }

  /**
   * A machine.
   *
   * @param nodes what each node on it will use
   */
  public record Machine(String name, Size has, List<Size> nodes) {
    public Machine {
      nodes = List.copyOf(nodes);
    }

    /** What it lacks for one node more, one clause each; empty if there is room. */
    List<String> lacks(Size more) {
      double cores = more.cores() + nodes.stream().mapToDouble(Size::cores).sum();
      double memory = more.memoryBytes() + sum(nodes.stream().map(Size::memoryBytes).toList());
      double disk = more.diskBytes() + sum(nodes.stream().map(Size::diskBytes).toList());
      List<String> lacks = new ArrayList<>();
      if (cores > has.cores() * (1 + ROUNDING)) {
        lacks.add(String.format(Locale.ROOT, "%.1f cores", cores - has.cores()));
      }
      lack("memory", memory - has.memoryBytes(), lacks);
      lack("disk", disk - has.diskBytes(), lacks);
      return lacks;
    }

    private static double sum(List<Long> bytes) {
      return bytes.stream().mapToDouble(Long::doubleValue).sum();
    }

    private static void lack(String what, double bytes, List<String> lacks) {
      if (bytes > 0) {
        lacks.add(String.format(Locale.ROOT, "%.1f GiB of %s", bytes / GIBIBYTE, what));
      }
    }
  }

  private static final double GIBIBYTE = 1L << 30;

  /** Sums of decimal fractions of cores are not exact. */
  private static final double ROUNDING = 1e-9;

  public MachineBudget {
    machines = List.copyOf(machines);
  }

  /**
   * On how many machines a node more has room; no more than one of a new cluster on each, since
   * copies of data on one machine are lost together.
   */
  public int room(Size node) {
    return (int) machines.stream().filter(machine -> machine.lacks(node).isEmpty()).count();
  }

  /** Why the other machines have no room, one clause each. */
  public List<String> full(Size node) {
    return machines.stream()
        .filter(machine -> !machine.lacks(node).isEmpty())
        .map(machine -> machine.name() + " lacks " + String.join(", ", machine.lacks(node)))
        .toList();
  }
}
