package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.models.usage.NodeKind;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsagePredictor;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How many nodes of each of several kinds of hardware a load needs, by models of their nodes (Cruz
 * 2016, §5.1); nothing is done.
 */
public final class Hardware {
  /**
   * Nodes that can be had.
   *
   * @param name of the model, for messages
   * @param model whose fingerprint has the size of a node's cache
   * @param price of one node for an hour, in any currency, ≥ 0; empty if not known
   */
  public record Kind(String name, UsageModel model, OptionalDouble price) {
    /**
     * @throws IllegalArgumentException if the model does not tell the size of its nodes' cache
     */
    public Kind {
      String cache = model.fingerprint().getOrDefault(NodeKind.CACHE.key(), "");
      if (!cache.matches("[1-9][0-9]{0,17}")) {
        throw new IllegalArgumentException(
            "%s: fingerprint.%s must be the size of a node's cache in bytes, not '%s'"
                .formatted(name, NodeKind.CACHE.key(), cache));
      }
    }

    private double cacheBytes() {
      return Double.parseDouble(model.fingerprint().get(NodeKind.CACHE.key()));
    }
  }

  /**
   * What a load needs of one kind.
   *
   * @param name of the kind
   * @param nodes the fewest that stay below the target; empty if there are none
   * @param most predicted usage of the most used of them; NaN if there are none
   * @param price of all of them for an hour; NaN if that of a node is not known
   * @param why there are none; empty if there are
   */
  public record Fit(String name, OptionalInt nodes, double most, double price, String why) {}

  private final Map<PartitionId, UsagePacking.Item> items;
  private final Settings settings;
  private final int least;
  private final int present;

  private Hardware(Observation.Usable seen, Map<String, Double> scale, Settings settings) {
    this.settings = settings;
    items = new LinkedHashMap<>(PartitionItems.of(seen, settings.usage()));
    PartitionItems.scale(items, scale);
    present = seen.snapshot().liveNodes().size();
    least = Math.max(settings.guard().minNodes(), seen.snapshot().replication());
  }

  /**
   * All kinds: first those that can hold the load, the cheapest first, or where prices are not
   * known those of which the fewest nodes are needed.
   *
   * @param scale factor of the request rates, by table
   * @param settings the target, and how many nodes there may be
   * @throws IllegalArgumentException naming a table that there is not, a partition without known
   *     rates, or a model of another engine
   */
  public static List<Fit> of(
      Observation.Usable seen, List<Kind> kinds, Map<String, Double> scale, Settings settings) {
    PartitionItems.unknown(seen)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    for (Kind kind : kinds) {
      if (!kind.model().engine().equals(seen.snapshot().engine())) {
        throw new IllegalArgumentException(
            "the load is of %s, %s is a model of %s"
                .formatted(seen.snapshot().engine(), kind.name(), kind.model().engine()));
      }
    }
    Hardware load = new Hardware(seen, scale, settings);
    return kinds.stream()
        .map(load::fit)
        .sorted(
            Comparator.comparing((Fit fit) -> fit.nodes().isEmpty())
                .thenComparing(Fit::price)
                .thenComparing(fit -> fit.nodes().orElse(0))
                .thenComparing(Fit::most))
        .toList();
  }

  private Fit fit(Kind kind) {
    try {
      return fewest(kind);
    } catch (IllegalArgumentException e) {
      return none(kind, "the model can't predict this: " + e.getMessage());
    }
  }

  private static Fit none(Kind kind, String why) {
    return new Fit(kind.name(), OptionalInt.empty(), Double.NaN, Double.NaN, why);
  }

  private Fit fewest(Kind kind) {
    UsagePredictor model = new UsagePredictor(kind.model());
    Optional<String> tooMuch = tooMuch(model, kind.cacheBytes());
    if (tooMuch.isPresent()) {
      return none(kind, tooMuch.get());
    }
    List<UsagePacking.Item> all = List.copyOf(items.values());
    double target = settings.usage().target();
    int most = most();
    for (int n = least; n <= most; n++) {
      if (UsagePacking.bound(model, all, n, kind.cacheBytes()) <= target) {
        double usage = packed(model, all, n, kind);
        if (usage <= target) {
          double price = kind.price().isPresent() ? n * kind.price().getAsDouble() : Double.NaN;
          return new Fit(kind.name(), OptionalInt.of(n), usage, price, "");
        }
      }
    }
    return none(
        kind,
        String.format(
            Locale.ROOT,
            "even of %d nodes (%s) the most used would be at %.1f %%,"
                + " more than the target of %.0f %%",
            most,
            limit(most),
            100 * packed(model, all, most, kind),
            100 * target));
  }

  /** The most nodes that are tried. */
  private int most() {
    int allowed = Math.max(present, settings.guard().maxNodes());
    return Math.max(least, Math.min(UsagePacking.NODES_TRIED_MAX, allowed));
  }

  /** What keeps more nodes than the most from being tried. */
  private String limit(int most) {
    int allowed = settings.guard().maxNodes();
    if (most == allowed) {
      return "guard.maxNodes";
    }
    if (most < Math.max(present, allowed)) {
      return "more are not tried";
    }
    return most == present ? "as many as there are" : "one for each replica";
  }

  /** Usage of the most used of so many nodes. */
  private double packed(UsagePredictor model, List<UsagePacking.Item> all, int nodes, Kind kind) {
    int predictions = settings.usage().predictions();
    return UsagePacking.pack(model, all, nodes, kind.cacheBytes(), predictions).most();
  }

  /** A partition that no number of nodes can serve. */
  private Optional<String> tooMuch(UsagePredictor model, double cacheBytes) {
    for (Map.Entry<PartitionId, UsagePacking.Item> item : items.entrySet()) {
      double alone = UsagePacking.usage(model, List.of(item.getValue()), cacheBytes);
      if (alone > settings.usage().target()) {
        return Optional.of(
            String.format(
                Locale.ROOT,
                "partition %s alone would use %.1f %% of a node, more than the target of %.0f %%",
                item.getKey(),
                100 * alone,
                100 * settings.usage().target()));
      }
    }
    return Optional.empty();
  }
}
