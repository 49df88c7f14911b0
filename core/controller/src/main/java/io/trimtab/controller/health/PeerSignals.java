package io.trimtab.controller.health;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What one look tells of a node in comparison with its peers. */
final class PeerSignals {
  /** Fewer say nothing of which of them is the odd one. */
  private static final int PEERS_MIN = 2;

  /** Above this multiple of its peers' requests a node is loaded, and not slow. */
  private static final double LOADED = 1.5;

  /**
   * A figure that is compared.
   *
   * @param floor below this value of the peers' median differences mean nothing
   * @param answers whether users wait as much longer
   */
  private record Figure(
      String name,
      String unit,
      double factor,
      double floor,
      boolean answers,
      ToDoubleFunction<NodeState> of) {}

  /**
   * What is slower than the peers'.
   *
   * @param text a clause
   * @param answers how many times as long users wait for it, ≥ 1
   */
  record Slower(String text, double answers) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure(
              "99th percentile of requests",
              "ms",
              1,
              5,
              true,
              node -> node.gauges().times().p99Ms()),
          new Figure("queue of flushes and compactions", "", 1, 5, false, PeerSignals::queue),
          new Figure(
              "busiest disk",
              "%",
              100,
              0.2,
              false,
              node -> node.usage().diskBusy().orElse(Double.NaN)),
          new Figure("I/O wait", "%", 100, 0.2, false, node -> node.usage().ioWait()));

  private PeerSignals() {}

  private static double queue(NodeState node) {
    NodeGauges gauges = node.gauges();
    return gauges.compactionQueue() < 0 || gauges.flushQueue() < 0
        ? Double.NaN
        : gauges.compactionQueue() + gauges.flushQueue();
  }

  /**
   * What is slower; empty if nothing can be compared.
   *
   * @param peers without the node
   * @param served requests since the last look by node; without those of which it is not known
   */
  static Optional<List<Slower>> of(
      NodeState node, List<NodeState> peers, Map<NodeId, Double> served, double times) {
    double[] others = sorted(peers, peer -> served.getOrDefault(peer.id(), Double.NaN));
    double own = served.getOrDefault(node.id(), Double.NaN);
    boolean loaded = others.length >= PEERS_MIN && own > LOADED * Math.max(1, median(others));
    List<Slower> slower = new ArrayList<>();
    boolean compared = false;
    for (Figure figure : FIGURES) {
      double value = figure.of().applyAsDouble(node);
      double[] all = sorted(peers, figure.of());
      if (Double.isNaN(value) || all.length < PEERS_MIN) {
        continue;
      }
      compared = true;
      double usual = Math.max(figure.floor(), median(all));
      if (!loaded && value > times * usual) {
        double answers = figure.answers() ? value / usual : 1;
        slower.add(new Slower(text(figure, value, median(all)), answers));
      }
    }
    return compared ? Optional.of(List.copyOf(slower)) : Optional.empty();
  }

  private static String text(Figure figure, double value, double median) {
    String unit = figure.unit().isEmpty() ? "" : " " + figure.unit();
    return String.format(
        Locale.ROOT,
        "%s %.0f%s, peers %.0f%s",
        figure.name(),
        figure.factor() * value,
        unit,
        figure.factor() * median,
        unit);
  }

  private static double[] sorted(List<NodeState> nodes, ToDoubleFunction<NodeState> of) {
    return nodes.stream().mapToDouble(of).filter(v -> !Double.isNaN(v)).sorted().toArray();
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
