package io.trimtab.runtime.journal;

import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.observe.ServedTimes;
import io.trimtab.controller.pace.UsersLevel;
import io.trimtab.engineapi.PartitionId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The level of users' requests before a plan, as it is kept for a controller that takes the plan
 * over: measured inside the plan, it would count what the plan has cost as what is usual.
 *
 * @param partitions those that had requests
 * @param leastShare as of {@link UsersLevel#leastShare}
 * @param times as of {@link UsersLevel#times}
 */
public record UsersBefore(
    List<PartitionRate> partitions, Map<String, Double> leastShare, ServedTimes times) {
  /**
   * A partition's requests of all kinds.
   *
   * @param perSecond rounded to a tenth; &gt; 0
   */
  public record PartitionRate(PartitionId partition, double perSecond) {}

  public UsersBefore {
    partitions = List.copyOf(partitions);
    leastShare = new TreeMap<>(leastShare);
    // Earlier versions kept none.
    times = times == null ? ServedTimes.UNKNOWN : times;
  }

  /** Without a level, or requests, there is nothing to keep. */
  public static Optional<UsersBefore> of(Optional<UsersLevel> level) {
    return level
        .map(known -> new UsersBefore(rates(known), known.leastShare(), known.times()))
        .filter(kept -> !kept.partitions().isEmpty());
  }

  private static List<PartitionRate> rates(UsersLevel level) {
    return level.before().entrySet().stream()
        .map(e -> new PartitionRate(e.getKey(), Math.round(10 * e.getValue().total()) / 10.0))
        .filter(rate -> rate.perSecond() > 0)
        .sorted(Comparator.comparing(PartitionRate::partition))
        .toList();
  }

  /** The level; which kinds of requests there were is no part of it. */
  public UsersLevel level() {
    return new UsersLevel(
        partitions.stream()
            .collect(
                Collectors.toMap(
                    PartitionRate::partition, rate -> new Rates(rate.perSecond(), 0, 0, 0))),
        leastShare,
        times);
  }
}
