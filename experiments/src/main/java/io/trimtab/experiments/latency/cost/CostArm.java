package io.trimtab.experiments.latency.cost;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** What COST compares: two with nodes without the plug-in, three with others; switched by JMX. */
enum CostArm {
  /** Nodes without the plug-in, as they are installed: Cassandra's dynamic snitch ranks. */
  STOCK("stock", null, false, true),
  /** The same nodes with the order of the snitch: what the plug-in adds to. */
  PLAIN("stock, dynamic_snitch: false", null, false, false),
  /** The order of the snitch; messages and reads pass through the plug-in all the same. */
  FILTERS("plug-in, ranking off", "off", false, false),
  /** A coordinator reads its own copy, as stock does: as many messages. */
  OWN_FIRST("trimtab, own copy first", "trimtab", true, false),
  /** As the plug-in is installed: a coordinator may read elsewhere though it has a copy. */
  TRIMTAB("trimtab", "trimtab", false, false);

  private final String title;
  private final String ranking;
  private final boolean ownFirst;
  private final boolean dynamic;

  CostArm(String title, String ranking, boolean ownFirst, boolean dynamic) {
    this.title = title;
    this.ranking = ranking;
    this.ownFirst = ownFirst;
    this.dynamic = dynamic;
  }

  /** Attributes of the plug-in; empty where it is not loaded. */
  Optional<Map<String, Object>> plugin() {
    return Optional.ofNullable(ranking)
        .map(name -> Map.of("Ranking", name, "LocalFirst", ownFirst));
  }

  /** Whether Cassandra's dynamic snitch ranks. */
  boolean dynamic() {
    return dynamic;
  }

  /** Whether the plug-in ranks the replicas of each read. */
  boolean ranks() {
    return this == OWN_FIRST || this == TRIMTAB;
  }

  /**
   * In which order a block measures them: by chance, and the block after it the other way round, so
   * that what drifts harms all alike.
   *
   * @param block from 0 on
   */
  static List<CostArm> order(long seed, int block) {
    Random random = new Random(seed);
    List<CostArm> arms = new ArrayList<>(List.of(values()));
    for (int pair = 0; pair <= block / 2; pair++) {
      Collections.shuffle(arms, random);
    }
    if (block % 2 == 1) {
      Collections.reverse(arms);
    }
    return List.copyOf(arms);
  }

  @Override
  public String toString() {
    return title;
  }
}
