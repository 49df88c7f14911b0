package io.trimtab.cli.control;

import io.trimtab.clikit.Table;
import io.trimtab.config.UserError;
import io.trimtab.controller.observe.ReplicaSignals;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.ReplicaView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * How each coordinator sees a node as a replica at one moment.
 *
 * @param rows by coordinator
 * @param gaps what is missing, a sentence each
 */
record SeenNode(NodeId node, List<Row> rows, List<String> gaps) {

  /**
   * One coordinator's view.
   *
   * @param place by its score among the live nodes of its data centre that are known to it, from 1;
   *     0 if it has no score
   * @param of how many of these have a score
   * @param why what is unusual, in words
   */
  record Row(
      NodeId coordinator, CoordinatorView all, ReplicaView its, int place, int of, String why) {}

  /**
   * Finds it in a snapshot.
   *
   * @throws UserError if there is no such node, or it is not clear which one is meant
   */
  static SeenNode of(ClusterSnapshot seen, String name) {
    NodeId node = named(seen, name);
    List<Row> rows = new ArrayList<>();
    for (NodeState coordinator : seen.liveNodes()) {
      coordinator
          .view()
          .flatMap(view -> view.of(node).map(its -> row(seen, coordinator, view, its)))
          .ifPresent(rows::add);
    }
    return new SeenNode(node, rows, seen.gaps());
  }

  private static NodeId named(ClusterSnapshot seen, String name) {
    List<NodeId> all = seen.nodes().stream().map(NodeState::id).toList();
    List<NodeId> found =
        all.stream()
            .filter(id -> id.name().equals(name) || id.name().startsWith(name + ":"))
            .toList();
    if (found.size() != 1) {
      throw new UserError(
          (found.isEmpty() ? "no node " + name : "several nodes " + name)
              + "; there are "
              + all.stream().map(NodeId::name).collect(Collectors.joining(", ")));
    }
    return found.get(0);
  }

  private static Row row(
      ClusterSnapshot seen, NodeState coordinator, CoordinatorView view, ReplicaView its) {
    double[] scores =
        seen.liveNodes().stream()
            .filter(node -> node.dataCentre().equals(coordinator.dataCentre()))
            .flatMap(node -> view.of(node.id()).stream())
            .map(ReplicaView::score)
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .sorted()
            .toArray();
    int place = 0;
    while (its.score().isPresent() && place < scores.length) {
      place++;
      if (scores[place - 1] >= its.score().getAsDouble()) {
        break;
      }
    }
    return new Row(
        coordinator.id(),
        view,
        its,
        place,
        scores.length,
        ReplicaSignals.of(seen, view, its.replica()).text());
  }

  /** For a person. */
  String text() {
    if (rows.isEmpty()) {
      return "no coordinator tells how it sees " + node + "; that needs the plug-in" + missing();
    }
    Table table =
        new Table(
            "coordinator",
            "ranking",
            ">place",
            ">score",
            ">owes",
            ">waiting",
            ">ms a read",
            ">silent ms",
            ">candidate",
            ">first",
            "because");
    for (Row row : rows) {
      ReplicaView its = row.its();
      table.row(
          row.coordinator().equals(node) ? row.coordinator() + " (itself)" : row.coordinator(),
          row.all().ranking() + (row.all().ownFirst() ? ", own first" : ""),
          row.place() == 0 ? "-" : row.place() + " of " + row.of(),
          number(its.score()),
          number(its.outstanding()),
          number(its.queued()),
          number(its.serviceMs()),
          number(its.silentMs()),
          number(its.candidate()),
          share(its).map(s -> Math.round(100 * s) + " %").orElse("-"),
          row.why());
    }
    return ("How coordinators see " + node + " now; counters are since their start.\n" + table)
            .stripTrailing()
        + missing();
  }

  private String missing() {
    return gaps.isEmpty() ? "" : "\nincomplete: " + String.join("; ", gaps);
  }

  private static Optional<Double> share(ReplicaView its) {
    return its.candidate().isPresent() && its.first().isPresent() && its.candidate().getAsLong() > 0
        ? Optional.of((double) its.first().getAsLong() / its.candidate().getAsLong())
        : Optional.empty();
  }

  private static String number(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "-";
  }

  private static String number(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.4g", value.getAsDouble()) : "-";
  }

  /** For a program; what is not known is not there. */
  Map<String, Object> json() {
    List<Map<String, Object>> views = new ArrayList<>();
    for (Row row : rows) {
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("coordinator", row.coordinator().name());
      view.put("ranking", row.all().ranking());
      view.put("ownFirst", row.all().ownFirst());
      if (row.place() > 0) {
        view.put("place", row.place());
        view.put("of", row.of());
      }
      put(view, "score", row.its().score());
      put(view, "outstanding", row.its().outstanding());
      put(view, "queued", row.its().queued());
      put(view, "serviceMs", row.its().serviceMs());
      put(view, "silentMs", row.its().silentMs());
      put(view, "candidate", row.its().candidate());
      put(view, "first", row.its().first());
      view.put("because", row.why());
      views.add(view);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("node", node.name());
    all.put("views", views);
    all.put("gaps", gaps);
    return all;
  }

  private static void put(Map<String, Object> view, String name, OptionalDouble value) {
    value.ifPresent(known -> view.put(name, known));
  }

  private static void put(Map<String, Object> view, String name, OptionalLong value) {
    value.ifPresent(known -> view.put(name, known));
  }
}
