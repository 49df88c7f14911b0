package io.trimtab.sources;

import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The section {@code metrics} of a cluster's settings: who tells of its nodes beside the database.
 *
 * @param sources none by default
 * @param order whose value counts where several tell one: {@code native}, which is what the
 *     database and this machine's kernel tell, and the names of all sources; default: native first,
 *     then the sources as listed
 * @param period a source is not asked more often, in [1 s, 1 h]; default 15 s
 * @param history how far back shares and rates are averaged, in [period, 1 h]; default 1 min
 * @param stale age from which a reading no longer counts, in [history, 1 d]; default 2 min
 */
public record MetricsConfig(
    List<SourceConfig> sources,
    List<String> order,
    Duration period,
    Duration history,
    Duration stale) {
  /** In the order: what the database and the kernel tell. */
  public static final String NATIVE = "native";

  private static final Duration HOUR = Duration.ofHours(1);

  /** What is done where no section is given. */
  public static final MetricsConfig DEFAULTS = new MetricsConfig(null, null, null, null, null);

  public MetricsConfig {
    sources = sources == null ? List.of() : List.copyOf(sources);
    List<String> names = sources.stream().map(SourceConfig::name).toList();
    Set<String> all = new HashSet<>(names);
    that(all.size() == names.size(), "sources", "told apart by their names", names);
    all.add(NATIVE);
    order =
        order == null
            ? Stream.concat(Stream.of(NATIVE), names.stream()).toList()
            : List.copyOf(order);
    that(
        order.size() == all.size() && all.equals(new HashSet<>(order)),
        "order",
        "each of " + String.join(", ", Stream.concat(Stream.of(NATIVE), names.stream()).toList()),
        order);
    period = period == null ? Duration.ofSeconds(15) : period;
    within("period", period, Duration.ofSeconds(1), HOUR, "[1s, 1h]");
    history = history == null ? Duration.ofMinutes(1) : history;
    within("history", history, period, HOUR, "[period, 1h]");
    stale = stale == null ? Duration.ofMinutes(2) : stale;
    within("stale", stale, history, Duration.ofDays(1), "[history, 1d]");
  }

  /** A file that has the section and nothing else. */
  record MetricsFile(MetricsConfig metrics) {
    MetricsFile {
      that(metrics != null, "metrics", "given", null);
    }
  }

  /**
   * The section of a file of its own; its paths are relative to its folder.
   *
   * @throws UserError naming file, line and key
   */
  public static MetricsConfig read(Path file) {
    return StrictYaml.read(file, MetricsFile.class).metrics().in(file.toAbsolutePath().getParent());
  }

  /** The same with paths resolved against the folder of the file that it was read from. */
  public MetricsConfig in(Path folder) {
    return new MetricsConfig(
        sources.stream().map(source -> source.in(folder)).toList(), order, period, history, stale);
  }

  private static void within(String key, Duration is, Duration min, Duration max, String range) {
    that(is.compareTo(min) >= 0 && is.compareTo(max) <= 0, key, "in " + range, is);
  }

  /** Refuses what is not good. */
  static void that(boolean good, String key, String expected, Object value) {
    if (!good) {
      throw new IllegalArgumentException(key + " must be " + expected + ", not " + value);
    }
  }
}
