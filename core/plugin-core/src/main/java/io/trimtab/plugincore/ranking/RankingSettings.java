package io.trimtab.plugincore.ranking;

/** What a ranking is made for. */
public final class RankingSettings {
  private final int replicas;
  private final int coordinators;
  private final long seed;

  /**
   * @param replicas how many there are, numbered from 0 on, ≥ 1
   * @param coordinators how many rank the same replicas, ≥ 1
   * @param seed of random choices
   */
  public RankingSettings(int replicas, int coordinators, long seed) {
    if (replicas < 1 || coordinators < 1) {
      throw new IllegalArgumentException(
          "replicas and coordinators must be at least 1, not " + replicas + " and " + coordinators);
    }
    this.replicas = replicas;
    this.coordinators = coordinators;
    this.seed = seed;
  }

  public int replicas() {
    return replicas;
  }

  int coordinators() {
    return coordinators;
  }

  long seed() {
    return seed;
  }
}
