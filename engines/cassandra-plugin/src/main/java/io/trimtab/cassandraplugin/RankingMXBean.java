package io.trimtab.cassandraplugin;

import java.util.Map;

/** How a coordinator ranks replicas, over JMX. */
public interface RankingMXBean {
  /** Name of the ranking; {@code off} where the order is the snitch's. */
  String getRanking();

  /** From now on; nothing is known of any replica at first. */
  void setRanking(String name);

  /** Names that {@link #setRanking} knows. */
  String[] getRankings();

  /** Whether this node comes first where it is a replica itself. */
  boolean isLocalFirst();

  void setLocalFirst(boolean first);

  /** Whether this node's own data are read in the thread of the request where nothing waits. */
  boolean isInlineReads();

  void setInlineReads(boolean on);

  /** Reads in requests' threads since this process started. */
  long getInlined();

  /** Reads whose replicas were ranked since this process started. */
  long getRanked();

  /** Reads whose replicas were not ranked although they should have been. */
  long getFallenBack();

  /** Errors in the plug-in that harmed no read; the first one is in the log. */
  long getFailures();

  /** How often each replica came first, by address. */
  Map<String, Long> getChosen();

  /** Version of the plug-in. */
  String getVersion();
}
