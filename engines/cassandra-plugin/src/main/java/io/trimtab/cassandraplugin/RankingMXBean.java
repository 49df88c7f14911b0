package io.trimtab.cassandraplugin;

import java.util.List;

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

  /** By how much the expected time of replicas in other racks is multiplied; 1: not at all. */
  double getRackPenalty();

  /**
   * From now on.
   *
   * @throws IllegalArgumentException if it is not 1 to 1000
   */
  void setRackPenalty(double factor);

  /** Whether this node's own data are read in the thread of the request where nothing waits. */
  boolean isInlineReads();

  void setInlineReads(boolean on);

  /** Reads in requests' threads since this process started. */
  long getInlined();

  /** Reads whose replicas were ranked since this process started. */
  long getRanked();

  /** Reads whose replicas were not ranked although they should have been. */
  long getFallenBack();

  /** Reads of this node's own copies as a coordinator since this process started. */
  long getOwnReads();

  /** Reads that it has asked other nodes for since then, those made again included. */
  long getAskedReads();

  /** Errors in the plug-in that harmed no read; the first one is in the log. */
  long getFailures();

  /** How this coordinator sees each node. */
  List<ReplicaView> getReplicas();

  /** The share of a table's reads in a second that may be made again; 1: any. */
  double getHedgeShare();

  /**
   * From now on.
   *
   * @throws IllegalArgumentException if it is not 0 to 1
   */
  void setHedgeShare(double share);

  /** Tables whose reads are not made again now, because the share is used up. */
  String[] getHedgesStopped();

  /** How often that has begun, of all tables, since this process started. */
  long getHedgeStops();

  /** Reads that other nodes have been asked for and have not answered, nor were given up. */
  int getAwaited();

  /** Whether the components of reads' times are counted, for measurements. */
  boolean isRecording();

  /** From zero on. */
  void setRecording(boolean on);

  /**
   * What has been counted of the reads that this node coordinated.
   *
   * @param component QUEUE (reads), or WAITING, SERVICE, NETWORK or RESPONSE (nanoseconds)
   * @return rows of the least value of a bin and the number of reads in it; bins are 1/32 of a
   *     power of two wide
   */
  long[][] components(String component);

  /**
   * Of what the response times that have been counted consist.
   *
   * @return rows of the least value of a bin, for how many nanoseconds its reads waited, and for
   *     how many they were served, together
   */
  long[][] responseParts();

  /** Version of the plug-in. */
  String getVersion();
}
