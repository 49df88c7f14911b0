package io.trimtab.plugincore.ranking;

/** What a ranking is made for. */
public final class RankingSettings {
  private final int replicas;
  private final int coordinators;
  private final int concurrency;
  private final long seed;

  /**
   * @param replicas how many there are, numbered from 0 on, ≥ 1
   * @param coordinators how many rank the same replicas, ≥ 1
   * @param concurrency requests that a replica works on at a time, ≥ 1
   * @param seed of random choices
   */
  public RankingSettings(int replicas, int coordinators, int concurrency, long seed) {
    if (replicas < 1 || coordinators < 1 || concurrency < 1) {
      throw new IllegalArgumentException(
          "replicas, coordinators and concurrency must be at least 1, not "
              + replicas
              + ", "
              + coordinators
              + ", "
              + concurrency);
    }
    this.replicas = replicas;
    this.coordinators = coordinators;
    this.concurrency = concurrency;
    this.seed = seed;
  }

  public int replicas() {
    return replicas;
  }

  int coordinators() {
    return coordinators;
  }

  int concurrency() {
    return concurrency;
  }

  long seed() {
    return seed;
  }
}
