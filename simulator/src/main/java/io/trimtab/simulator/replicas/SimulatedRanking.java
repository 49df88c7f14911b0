package io.trimtab.simulator.replicas;

import io.trimtab.config.UserError;
import io.trimtab.plugincore.ranking.RankingKind;
import io.trimtab.plugincore.ranking.RankingSettings;
import io.trimtab.plugincore.ranking.ReplicaRanking;
import io.trimtab.plugincore.ranking.TrimtabRanking;
import io.trimtab.plugincore.ranking.Views;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A ranking as it is named on the command line: one of {@link RankingKind}, or {@code oracle};
 * {@code trimtab} with other weights for an ablation, as in {@code trimtab:tell=0}; {@code
 * c3:rate-control=1}.
 */
final class SimulatedRanking {
  private static final String ORACLE = "oracle";

  /** Entries of a message: enough for half of 50 servers, 200 bytes. */
  private static final int TELL = 25;

  /** Of {@code c3}: whether it holds requests back. */
  private static final String RATE_CONTROL = "rate-control";

  private static final int TELL_MAX = 1_000;

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
  static SimulatedRanking of(String text) {
    return new SimulatedRanking(text);
  }

  static String names() {
    return ORACLE
        + ", "
        + Arrays.stream(RankingKind.values())
            .map(RankingKind::toString)
            .collect(Collectors.joining(", "));
  }

  private boolean listens() {
    return name.equals(RankingKind.TRIMTAB.toString());
  }

  private void weigh(String part) {
    int equals = part.indexOf('=');
    String key = equals < 0 ? part : part.substring(0, equals);
    boolean isC3 = name.equals(RankingKind.C3.toString());
    if (!(listens() && key.matches("tell|compensation|memory-ms|silence"))
        && !(isC3 && key.equals(RATE_CONTROL))) {
      throw new UserError(
          "--ranking: "
              + text
              + ": only trimtab takes weights: tell, compensation, memory-ms and silence,"
              + " as in trimtab:tell=0; and c3 takes rate-control=1");
    }
    double value;
    try {
      value = Double.parseDouble(part.substring(equals + 1));
    } catch (NumberFormatException e) {
      throw new UserError("--ranking: " + text + ": " + key + " must be a number");
    }
    if (!(value >= 0) || (key.equals("tell") && value > TELL_MAX)) {
      throw new UserError(
          "--ranking: "
              + text
              + ": "
              + key
              + " must be 0 or more"
              + (key.equals("tell") ? ", and at most " + TELL_MAX : ""));
    }
    weights.put(key, value);
  }

  /** Entries of each message on what is known of servers. */
  int entries() {
    return listens() ? weights.getOrDefault("tell", (double) TELL).intValue() : 0;
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
      return new OracleRanking(servers, model.concurrency());
    }
    RankingSettings settings =
        new RankingSettings(
            model.servers(),
            model.clients(),
            model.concurrency(),
            model.seed() * model.clients() + client);
    Views views = known == null ? new Views(model.servers()) : known;
    if (!listens()) {
      return RankingKind.named(name).orElseThrow().make(settings, views);
    }
    return new TrimtabRanking(
        settings,
        views,
        weights.getOrDefault("compensation", (double) model.clients()),
        weights.getOrDefault("memory-ms", TrimtabRanking.MEMORY / 1e6) * 1e6,
        weights.getOrDefault("silence", 1.0));
  }

  @Override
  public String toString() {
    return text;
  }
}
