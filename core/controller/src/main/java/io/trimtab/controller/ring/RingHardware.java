package io.trimtab.controller.ring;

import io.trimtab.controller.learn.NodeLoads;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.Hardware;
import io.trimtab.controller.place.Hardware.Fit;
import io.trimtab.controller.place.Hardware.Kind;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsagePredictor;
import java.util.List;
import java.util.Map;

/**
 * How many nodes of each of several kinds of hardware a ring's load needs, by models of their nodes
 * (Cruz 2016, §5.1); nothing is done. Nodes share the load as unevenly as now. Each stores its
 * share of the data, so that with more nodes the same cache of rows holds more of it; where nothing
 * tells what is hit, or nodes have no such cache, as much is hit as now.
 */
public final class RingHardware {
  private final Observation.Usable seen;
  private final List<NodeState> nodes;
  private final Map<NodeId, Load> loads;

  private RingHardware(Observation.Usable seen) {
    this.seen = seen;
    this.nodes = seen.snapshot().liveNodes();
    this.loads = NodeLoads.of(seen, nodes);
  }

  /**
   * All kinds, in the order of {@link Hardware.Search#each}.
   *
   * @param scale factor of the request rates, by table
   * @throws IllegalArgumentException naming a table that there is not, a node that could not be
   *     read, or a model of another engine
   */
  public static List<Fit> of(
      Observation.Usable seen, List<Kind> kinds, Map<String, Double> scale, Settings settings) {
    RingWhatIf.checkKnown(seen);
    RingHardware load = new RingHardware(RingWhatIf.scaled(seen, scale));
    Hardware.Search search = new Hardware.Search(seen.snapshot(), settings);
    return search.each(
        kinds,
        kind -> {
          UsagePredictor model = new UsagePredictor(kind.model());
          return search.fewest(kind, n -> true, n -> load.most(model, kind.cacheBytes(), n));
        });
  }

  /** Usage of the most used of so many nodes. */
  private double most(UsagePredictor model, double cacheBytes, int then) {
    double share = (double) nodes.size() / then;
    return nodes.stream()
        .mapToDouble(node -> model.usage(hitting(node, cacheBytes / share).times(share)))
        .max()
        .orElseThrow();
  }

  private Load hitting(NodeState node, double cacheBytes) {
    Load asked = loads.get(node.id());
    double bytes = node.gauges().cacheMaxBytes();
    return bytes > 0 && NodeLoads.knowsHits(seen, node)
        ? RowHits.with(asked, bytes, cacheBytes)
        : asked;
  }
}
