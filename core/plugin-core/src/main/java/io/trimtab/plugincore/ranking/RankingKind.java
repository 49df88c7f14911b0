package io.trimtab.plugincore.ranking;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiFunction;
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
  TRIMTAB("trimtab", true, TrimtabRanking::new);

  private final String text;
  private final boolean listening;
  private final BiFunction<RankingSettings, Views, ReplicaRanking> maker;

  RankingKind(String text, Function<RankingSettings, ReplicaRanking> maker) {
    this(text, false, (settings, views) -> maker.apply(settings));
  }

  RankingKind(
      String text, boolean listening, BiFunction<RankingSettings, Views, ReplicaRanking> maker) {
    this.text = text;
    this.listening = listening;
    this.maker = maker;
  }

  /** Whether it goes by what other nodes say of replicas, so that messages should carry it. */
  public boolean listens() {
    return listening;
  }

  /**
   * A ranking that knows nothing of any replica.
   *
   * @param views where one that listens finds what this node hears, and puts what it sees
   */
  public ReplicaRanking make(RankingSettings settings, Views views) {
    return maker.apply(settings, views);
  }

  public static Optional<RankingKind> named(String name) {
    return Arrays.stream(values()).filter(kind -> kind.text.equals(name)).findFirst();
  }

  @Override
  public String toString() {
    return text;
  }
}
