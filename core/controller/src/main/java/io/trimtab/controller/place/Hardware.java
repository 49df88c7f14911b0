package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
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
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;

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

    /** Of a node. */
    public double cacheBytes() {
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

  /** The search for the fewest nodes of a kind that stay below the target. */
  public static final class Search {
    private final ClusterSnapshot seen;
    private final Settings settings;
    private final int least;
    private final int present;

    /**
     * @param seen the load's cluster: there are at least as many nodes as its data have copies
     * @param settings the target, and how many nodes there may be
     */
    public Search(ClusterSnapshot seen, Settings settings) {
      this.seen = seen;
      this.settings = settings;
      this.least = Math.max(settings.guard().minNodes(), seen.replication());
      this.present = seen.liveNodes().size();
    }

    /**
     * All kinds: first those that can hold the load, the cheapest first, or where prices are not
     * known those of which the fewest nodes are needed.
     *
     * @param fit of a kind; what its model can't predict is an illegal argument
     * @throws IllegalArgumentException if a model is of another engine
     */
    public List<Fit> each(List<Kind> kinds, Function<Kind, Fit> fit) {
      for (Kind kind : kinds) {
        if (!kind.model().engine().equals(seen.engine())) {
          throw new IllegalArgumentException(
              "the load is of %s, %s is a model of %s"
                  .formatted(seen.engine(), kind.name(), kind.model().engine()));
        }
      }
      return kinds.stream()
          .map(kind -> predicted(kind, fit))
          .sorted(
              Comparator.comparing((Fit found) -> found.nodes().isEmpty())
                  .thenComparing(Fit::price)
                  .thenComparing(found -> found.nodes().orElse(0))
                  .thenComparing(Fit::most))
          .toList();
    }

    private static Fit predicted(Kind kind, Function<Kind, Fit> fit) {
      try {
        return fit.apply(kind);
      } catch (IllegalArgumentException e) {
        return none(kind, "the model can't predict this: " + e.getMessage());
      }
    }

    /**
     * The fewest.
     *
     * @param mayDo whether so many nodes need be looked at
     * @param most usage of the most used of so many nodes
     */
    public Fit fewest(Kind kind, IntPredicate mayDo, IntToDoubleFunction most) {
      double target = settings.usage().target();
      int tried = tried();
      for (int n = least; n <= tried; n++) {
        double usage = mayDo.test(n) ? most.applyAsDouble(n) : Double.POSITIVE_INFINITY;
        if (usage <= target) {
          double price = kind.price().isPresent() ? n * kind.price().getAsDouble() : Double.NaN;
          return new Fit(kind.name(), OptionalInt.of(n), usage, price, "");
        }
      }
      return none(
          kind,
          String.format(
              Locale.ROOT,
              "even of %d nodes (%s) the most used would be at %.1f %%,"
                  + " more than the target of %.0f %%",
              tried,
              limit(tried),
              100 * most.applyAsDouble(tried),
              100 * target));
    }

    private static Fit none(Kind kind, String why) {
      return new Fit(kind.name(), OptionalInt.empty(), Double.NaN, Double.NaN, why);
    }

    /** The most nodes that are tried. */
    private int tried() {
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
  }

  private final Map<PartitionId, UsagePacking.Item> items;
  private final Settings settings;

  private Hardware(Observation.Usable seen, Map<String, Double> scale, Settings settings) {
    this.settings = settings;
    items = new LinkedHashMap<>(PartitionItems.of(seen, settings.usage()));
    PartitionItems.scale(items, scale);
  }

  /**
   * All kinds, in the order of {@link Search#each}, where partitions are assigned to nodes.
   *
   * @param scale factor of the request rates, by table
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
    Search search = new Search(seen.snapshot(), settings);
    Hardware load = new Hardware(seen, scale, settings);
    return search.each(kinds, kind -> load.fit(kind, search));
  }

  private Fit fit(Kind kind, Search search) {
    UsagePredictor model = new UsagePredictor(kind.model());
    Optional<String> tooMuch = tooMuch(model, kind.cacheBytes());
    if (tooMuch.isPresent()) {
      return Search.none(kind, tooMuch.get());
    }
    List<UsagePacking.Item> all = List.copyOf(items.values());
    double target = settings.usage().target();
    return search.fewest(
        kind,
        n -> UsagePacking.bound(model, all, n, kind.cacheBytes()) <= target,
        n -> packed(model, all, n, kind));
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
