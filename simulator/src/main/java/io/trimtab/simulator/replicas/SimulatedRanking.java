package io.trimtab.simulator.replicas;

import io.trimtab.config.UserError;
import io.trimtab.plugincore.ranking.RankingKind;
import io.trimtab.plugincore.ranking.RankingSettings;
import io.trimtab.plugincore.ranking.ReplicaRanking;
import io.trimtab.plugincore.ranking.ThesisRanking;
import io.trimtab.plugincore.ranking.TrimtabRanking;
import io.trimtab.plugincore.ranking.Views;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A ranking as it is named on the command line: one of {@link RankingKind}, or {@code oracle}; some
 * with other weights for an ablation, as in {@code trimtab:tell=0}, {@code c3:rate-control=1} or
 * {@code thesis:period-ms=10:window=1000}.
 */
public final class SimulatedRanking {
  private static final String ORACLE = "oracle";
  private static final double MS = 1e6;

  /** Entries of a message: enough for half of 50 servers, 200 bytes. */
  private static final int ENTRIES = 25;

  private static final int ENTRIES_MAX = 1_000;

  private static final String TELL = "tell";
  private static final String COMPENSATION = "compensation";
  private static final String MEMORY = "memory-ms";
  private static final String QUEUE_MEMORY = "queue-memory";
  private static final String SILENCE = "silence";
  private static final String EXPONENT = "exponent";
  private static final String DOUBT = "doubt";
  private static final String CHANCE = "chance";
  private static final String EVEN = "even";
  private static final String WAY = "way";

  /** Of {@code c3}: whether it holds requests back. */
  private static final String RATE_CONTROL = "rate-control";

  private static final String PERIOD = "period-ms";
  private static final String WINDOW = "window";
  private static final String NEWEST = "newest";

  /** What each takes, in the order in which it is told. */
  private static final Map<String, Set<String>> TAKEN =
      Map.of(
          RankingKind.TRIMTAB.toString(),
          sorted(
              TELL,
              COMPENSATION,
              MEMORY,
              QUEUE_MEMORY,
              CHANCE,
              EVEN,
              WAY,
              SILENCE,
              EXPONENT,
              DOUBT),
          RankingKind.C3.toString(),
          sorted(RATE_CONTROL),
          RankingKind.THESIS.toString(),
          sorted(PERIOD, WINDOW, NEWEST));

  private final String text;
  private final String name;
  private final Map<String, Double> weights = new HashMap<>();

  private SimulatedRanking(String text) {
    this.text = text;
    String[] parts = text.split(":");
    name = parts[0];
    if (!name.equals(ORACLE) && RankingKind.named(name).isEmpty()) {
      throw new UserError("--ranking: " + name + " is unknown; known are " + names());
    }
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      weigh(part);
    }
  }

  /**
   * Reads a name.
   *
   * @throws UserError where there is no such ranking, or a weight is bad
   */
  public static SimulatedRanking of(String text) {
    return new SimulatedRanking(text);
  }

  static String names() {
    return ORACLE
        + ", "
        + Arrays.stream(RankingKind.values())
            .map(RankingKind::toString)
            .collect(Collectors.joining(", "));
  }

  private static Set<String> sorted(String... keys) {
    return new TreeSet<>(Arrays.asList(keys));
  }

  private boolean listens() {
    return name.equals(RankingKind.TRIMTAB.toString());
  }

  private void weigh(String part) {
    int equals = part.indexOf('=');
    String key = equals < 0 ? part : part.substring(0, equals);
    Set<String> taken = TAKEN.getOrDefault(name, Set.of());
    if (!taken.contains(key)) {
      throw new UserError(
          "--ranking: %s: %s takes %s"
              .formatted(
                  text, name, taken.isEmpty() ? "no weights" : "only " + String.join(", ", taken)));
    }
    double value;
    try {
      value = Double.parseDouble(part.substring(equals + 1));
    } catch (NumberFormatException e) {
      throw new UserError("--ranking: " + text + ": " + key + " must be a number");
    }
    double least = key.equals(PERIOD) ? 1e-6 : key.equals(WINDOW) ? 1 : 0;
    double most =
        key.equals(TELL) || key.equals(WINDOW)
            ? ENTRIES_MAX
            : key.equals(NEWEST) || key.equals(DOUBT) ? 1 : Double.MAX_VALUE;
    if (!(value >= least && value <= most)) {
      throw new UserError(
          "--ranking: %s: %s must be %s %s"
              .formatted(
                  text,
                  key,
                  figure(least),
                  most < Double.MAX_VALUE ? "to " + figure(most) : "or more"));
    }
    weights.put(key, value);
  }

  private static String figure(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  /** Entries of each message on what is known of servers. */
  int entries() {
    return listens() ? weights.getOrDefault(TELL, (double) ENTRIES).intValue() : 0;
  }

  /** Whether clients hold back requests where servers answer fewer than they are sent. */
  boolean holdsBack() {
    return weights.getOrDefault(RATE_CONTROL, 0.0) > 0;
  }

  /**
   * The ranking of a client.
   *
   * @param servers as they are, for an oracle
   * @param known what the client has heard; null if it does not listen
   */
  ReplicaRanking make(ReplicaModel model, Server[] servers, int client, Views known) {
    if (name.equals(ORACLE)) {
      return new OracleRanking(servers, model);
    }
    RankingSettings settings =
        new RankingSettings(
            model.servers(), model.clients(), model.seed() * model.clients() + client);
    if (name.equals(RankingKind.THESIS.toString())) {
      return new ThesisRanking(
          settings,
          (long) (weights.getOrDefault(PERIOD, ThesisRanking.PERIOD / MS) * MS),
          weights.getOrDefault(WINDOW, (double) ThesisRanking.WINDOW).intValue(),
          weights.getOrDefault(NEWEST, ThesisRanking.WEIGHT));
    }
    Views views = known == null ? new Views(model.servers()) : known;
    if (!listens()) {
      return RankingKind.named(name).orElseThrow().make(settings, views);
    }
    return new TrimtabRanking(settings, views, trimtab(model));
  }

  private TrimtabRanking.Weights trimtab(ReplicaModel model) {
    TrimtabRanking.Weights its = new TrimtabRanking.Weights(model.clients());
    its.compensation = weights.getOrDefault(COMPENSATION, its.compensation);
    its.memory = weights.getOrDefault(MEMORY, its.memory / MS) * MS;
    its.queueMemory = weights.getOrDefault(QUEUE_MEMORY, its.queueMemory);
    its.silence = weights.getOrDefault(SILENCE, its.silence);
    its.exponent = weights.getOrDefault(EXPONENT, its.exponent);
    its.doubt = weights.getOrDefault(DOUBT, its.doubt);
    its.even = weights.getOrDefault(EVEN, its.even);
    its.way = weights.getOrDefault(WAY, its.way);
    its.chance = weights.getOrDefault(CHANCE, its.chance);
    return its;
  }

  @Override
  public String toString() {
    return text;
  }
}
