package io.trimtab.controller.pace;

import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.observe.ServedTimes;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The level of users' requests to each table during a plan: requests a second that the cluster
 * serves now, divided by those that it served before the plan. Where a plan makes requests slower,
 * clients that wait for answers send fewer. The sum over all tables would tell little: what a plan
 * has sped up hides what it slows down.
 *
 * <p>Counters begin again where a partition was moved, so that partitions without a rate are left
 * out on both sides; clients that wait for the partition are missed at the table's others. In a
 * ring a node that joins takes over part of every other one's requests, so that only the sums are
 * compared.
 *
 * @param before rates before the plan, of every partition that had one
 * @param leastShare by table, the least share of the mean to which its requests fell before the
 *     plan, in (0, 1]; a table that is not in it did not fall
 * @param times how requests were served before the plan, at worst
 */
public record UsersLevel(
    Map<PartitionId, Rates> before, Map<String, Double> leastShare, ServedTimes times) {
  /** Of fewer requests than this the number varies by chance, by more than a twentieth. */
  private static final double REQUESTS_MIN = 400;

  /** At least this share of a table's earlier requests must be in the comparison. */
  private static final double SHARE_MIN = 0.25;

  /** Where nothing is known of response times. */
  public UsersLevel(Map<PartitionId, Rates> before, Map<String, Double> leastShare) {
    this(before, leastShare, ServedTimes.UNKNOWN);
  }

  public UsersLevel {
    // In order, so that sums are the same to the last digit in every process.
    before = Collections.unmodifiableMap(new TreeMap<>(before));
    leastShare = Map.copyOf(leastShare);
  }

  /**
   * The level of a table.
   *
   * @param before requests a second before the plan, above 0
   * @param ofMean share of the mean before the plan, ≥ 0
   * @param ofLeast share of the least before the plan, ≥ {@code ofMean}; below 1 the plan has an
   *     effect that chance has not had
   */
  public record Level(String table, double before, double ofMean, double ofLeast) {}

  /**
   * What the cluster still serves of the requests before the plan: the mean of the tables' levels,
   * where none counts as more than 1. Half of a table's weight is its share of the requests, half
   * is the same for all tables, so that neither a small table nor the many requests of one are
   * overlooked.
   *
   * @param tables at least one
   * @param level which of a table's levels
   * @return in [0, 1]
   */
  public static double kept(List<Level> tables, ToDoubleFunction<Level> level) {
    double requests = tables.stream().mapToDouble(Level::before).sum();
    return tables.stream()
        .mapToDouble(
            t ->
                0.5
                    * (t.before() / requests + 1.0 / tables.size())
                    * Math.min(1, level.applyAsDouble(t)))
        .sum();
  }

  /** The rates of all partitions that were read twice; for a plan of which no rates are known. */
  public static UsersLevel between(ClusterSnapshot earlier, ClusterSnapshot now) {
    return new UsersLevel(
        now.partitions().stream()
            .flatMap(
                p -> Rates.between(earlier, now, p.id()).map(r -> Map.entry(p.id(), r)).stream())
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        Map.of(),
        ServedTimes.between(earlier, now));
  }

  /**
   * The levels between two snapshots, by table; without those that can't be told, because too few
   * requests are counted without a gap.
   */
  public List<Level> levels(ClusterSnapshot earlier, ClusterSnapshot now) {
    boolean assigned = PlacementModel.of(now).assignsPartitions();
    Map<String, Double> all = new TreeMap<>();
    before.forEach((id, rates) -> all.merge(id.table(), rates.total(), Double::sum));
    Map<String, Double> is = new TreeMap<>();
    Map<String, Double> was = new TreeMap<>();
    for (PartitionState partition : now.partitions()) {
      Optional<Rates> fresh = Rates.between(earlier, now, partition.id());
      Rates old = before.get(partition.id());
      if (fresh.isPresent() && (old != null || !assigned)) {
        String table = partition.id().table();
        is.merge(table, fresh.get().total(), Double::sum);
        was.merge(table, old == null ? 0 : old.total(), Double::sum);
      }
    }
    double seconds = now.secondsSince(earlier);
    return is.keySet().stream()
        .filter(table -> all.getOrDefault(table, 0.0) > 0)
        .flatMap(
            table -> {
              double compared = assigned ? was.get(table) : all.get(table);
              if (compared * seconds < REQUESTS_MIN || compared < SHARE_MIN * all.get(table)) {
                return Stream.empty();
              }
              double level = is.get(table) / compared;
              double leastBefore = leastShare.getOrDefault(table, 1.0);
              return Stream.of(new Level(table, all.get(table), level, level / leastBefore));
            })
        .toList();
  }
}
