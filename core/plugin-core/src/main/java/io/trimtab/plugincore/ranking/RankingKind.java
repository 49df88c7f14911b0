package io.trimtab.plugincore.ranking;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/** All rankings that a coordinator can use, by the name that users give. */
public enum RankingKind {
  RANDOM("random", RandomRanking::new),
  LEAST_OUTSTANDING("least-outstanding", LeastOutstandingRanking::new),
  /** With the threshold of Cassandra 5.0. */
  DYNAMIC_SNITCH("dynamic-snitch", settings -> new DynamicSnitchRanking(settings, 1.0)),
  /** With the threshold of earlier versions. */
  DYNAMIC_SNITCH_STRICT("dynamic-snitch-0.1", settings -> new DynamicSnitchRanking(settings, 0.1)),
  C3("c3", C3Ranking::new),
  THESIS("thesis", ThesisRanking::new),
  PREQUAL("prequal", PrequalRanking::new),
  TRIMTAB("trimtab", settings -> new TrimtabRanking(settings, new Views(settings.replicas())));

  private final String text;
  private final Function<RankingSettings, ReplicaRanking> maker;

  RankingKind(String text, Function<RankingSettings, ReplicaRanking> maker) {
    this.text = text;
    this.maker = maker;
  }

  public ReplicaRanking make(RankingSettings settings) {
    return maker.apply(settings);
  }

  public static Optional<RankingKind> named(String name) {
    return Arrays.stream(values()).filter(kind -> kind.text.equals(name)).findFirst();
  }

  @Override
  public String toString() {
    return text;
  }
}
