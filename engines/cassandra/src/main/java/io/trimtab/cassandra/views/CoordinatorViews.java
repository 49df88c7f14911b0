package io.trimtab.cassandra.views;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.ReplicaView;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import javax.management.openmbean.CompositeData;

/** Reads what the bean of the plug-in tells, of whatever version. */
public final class CoordinatorViews {
  private CoordinatorViews() {}

  /**
   * A coordinator's view; empty if the bean does not tell one. A value that is missing is not
   * known.
   *
   * @param replicas value of {@code Replicas}
   * @param ranking value of {@code Ranking}
   * @param localFirst value of {@code LocalFirst}
   * @param members by their addresses between nodes; others, which have left, are not in the view
   */
  public static Optional<CoordinatorView> of(
      Object replicas,
      Optional<Object> ranking,
      Optional<Object> localFirst,
      Map<String, NodeId> members) {
    if (!(replicas instanceof CompositeData[] rows)
        || !(ranking.orElse(null) instanceof String name)
        || !(localFirst.orElse(null) instanceof Boolean ownFirst)) {
      return Optional.empty();
    }
    return Optional.of(
        new CoordinatorView(
            name,
            ownFirst,
            Arrays.stream(rows)
                .flatMap(row -> view(row, members).stream())
                .sorted(Comparator.comparing(ReplicaView::replica))
                .toList()));
  }

  private static Optional<ReplicaView> view(CompositeData row, Map<String, NodeId> members) {
    return value(row, "address")
        .map(String::valueOf)
        .map(members::get)
        .map(
            replica ->
                new ReplicaView(
                    replica,
                    decimal(row, "score"),
                    number(row, "outstanding"),
                    decimal(row, "queued"),
                    decimal(row, "serviceMs"),
                    decimal(row, "silentMs"),
                    number(row, "candidate"),
                    number(row, "first")));
  }

  private static Optional<Object> value(CompositeData row, String item) {
    return row.containsKey(item) ? Optional.ofNullable(row.get(item)) : Optional.empty();
  }

  private static OptionalDouble decimal(CompositeData row, String item) {
    return value(row, item).orElse(null) instanceof Number number
        ? OptionalDouble.of(number.doubleValue())
        : OptionalDouble.empty();
  }

  private static OptionalLong number(CompositeData row, String item) {
    return value(row, item).orElse(null) instanceof Number number
        ? OptionalLong.of(number.longValue())
        : OptionalLong.empty();
  }
}
