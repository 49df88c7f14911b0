package io.trimtab.controller.health;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What one look tells of nodes in comparison with their peers. Each figure is sorted once, not anew
 * for each node.
 */
final class PeerSignals {
  /** Fewer say nothing of which of them is the odd one. */
  private static final int PEERS_MIN = 2;

  /** Above this multiple of its peers' requests a node is loaded, and not slow. */
  private static final double LOADED = 1.5;

  /** Of fewer requests the 99th percentile is that of one, or of none. */
  private static final double TELLING = 100;

  /**
   * A figure that is compared.
   *
   * @param floor below this value of the peers' median differences mean nothing
   */
  private record Figure(
      String name, String unit, double factor, double floor, ToDoubleFunction<NodeState> of) {}

  /**
   * What is told of a node.
   *
   * @param signals what is slower than the peers', a clause each
   * @param timed whether response times could be compared
   * @param answers how many times as long users wait for it, ≥ 1; NaN where response times could
   *     not be compared, or it is not known whether the node only serves more
   */
  record Look(List<String> signals, boolean timed, double answers) {
    Look {
      signals = List.copyOf(signals);
    }
  }

  private static final List<Figure> OTHERS =
      List.of(
          new Figure("queue of flushes and compactions", "", 1, 5, PeerSignals::queue),
          new Figure(
              "busiest disk", "%", 100, 0.2, node -> node.usage().diskBusy().orElse(Double.NaN)),
          new Figure("I/O wait", "%", 100, 0.2, node -> node.usage().ioWait()));

  private final Map<NodeId, Double> served;
  private final double factor;
  private final Compared requests;
  private final Compared times;
  private final List<Compared> others;

  /**
   * @param nodes that are compared with each other
   * @param served requests since the last look by node; without those of which it is not known
   * @param factor how many times its peers' median a figure must be
   */
  PeerSignals(List<NodeState> nodes, Map<NodeId, Double> served, double factor) {
    this.served = served;
    this.factor = factor;
    requests = new Compared(new Figure("requests", "", 1, 1, this::served), nodes);
    times = new Compared(new Figure("99th percentile of requests", "ms", 1, 5, this::time), nodes);
    others = OTHERS.stream().map(figure -> new Compared(figure, nodes)).toList();
  }

  private double served(NodeState node) {
    return served.getOrDefault(node.id(), Double.NaN);
  }

  private double time(NodeState node) {
    return served(node) < TELLING ? Double.NaN : node.gauges().times().p99Ms();
  }

  private static double queue(NodeState node) {
    NodeGauges gauges = node.gauges();
    return gauges.compactionQueue() < 0 || gauges.flushQueue() < 0
        ? Double.NaN
        : gauges.compactionQueue() + gauges.flushQueue();
  }

  /** One figure of all nodes. */
  private static final class Compared {
    private final Figure figure;

    /** Of those that tell it. */
    private final double[] sorted;

    Compared(Figure figure, List<NodeState> nodes) {
      this.figure = figure;
      sorted =
          nodes.stream()
              .mapToDouble(figure.of())
              .filter(value -> !Double.isNaN(value))
              .sorted()
              .toArray();
    }

    double of(NodeState node) {
      return figure.of().applyAsDouble(node);
    }

    /** The peers' median; NaN if there are too few. */
    double median(double own) {
      boolean told = !Double.isNaN(own);
      int peers = sorted.length - (told ? 1 : 0);
      if (peers < PEERS_MIN) {
        return Double.NaN;
      }
      int without = told ? Arrays.binarySearch(sorted, own) : peers;
      int middle = peers / 2;
      return peers % 2 == 1
          ? at(middle, without)
          : (at(middle - 1, without) + at(middle, without)) / 2;
    }

    private double at(int index, int without) {
      return sorted[index < without ? index : index + 1];
    }

    /** How many times what is usual a node's is; NaN where that can't be told. */
    double times(NodeState node) {
      double own = of(node);
      return own / Math.max(figure.floor(), median(own));
    }

    String text(NodeState node) {
      double own = of(node);
      String unit = figure.unit().isEmpty() ? "" : " " + figure.unit();
      return String.format(
          Locale.ROOT,
          "%s %.0f%s, peers %.0f%s",
          figure.name(),
          figure.factor() * own,
          unit,
          figure.factor() * median(own),
          unit);
    }
  }

  /** What is told of one of the nodes; empty if nothing of it can be compared. */
  Optional<Look> of(NodeState node) {
    double asked = requests.times(node);
    double late = times.times(node);
    boolean loaded = asked > LOADED;
    List<String> signals = new ArrayList<>();
    if (late > factor && !loaded) {
      signals.add(times.text(node));
    }
    boolean compared = !Double.isNaN(late);
    for (Compared figure : others) {
      double more = figure.times(node);
      compared |= !Double.isNaN(more);
      if (more > factor && !loaded) {
        signals.add(figure.text(node));
      }
    }
    return compared
        ? Optional.of(new Look(signals, !Double.isNaN(late), answers(late, asked)))
        : Optional.empty();
  }

  private double answers(double late, double asked) {
    if (late <= factor || asked > LOADED) {
      return 1;
    }
    // What nobody counts may be more than the peers' requests.
    return Double.isNaN(asked) ? Double.NaN : late;
  }
}
