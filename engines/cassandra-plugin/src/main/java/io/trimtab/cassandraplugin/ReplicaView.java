package io.trimtab.cassandraplugin;

import io.trimtab.plugincore.ranking.Explained;

/**
 * How this node, as a coordinator, sees a replica. Negative or NaN: not known, or the ranking does
 * not go by it.
 */
public final class ReplicaView {
  private static final double MS = 1e6;

  private final String address;
  private final Explained why;
  private final long candidate;
  private final long first;

  ReplicaView(String address, Explained why, long candidate, long first) {
    this.address = address;
    this.why = why;
    this.candidate = candidate;
    this.first = first;
  }

  /** With the port between nodes. */
  public String getAddress() {
    return address;
  }

  /** By which replicas are ordered, lowest first; its unit is that of the ranking. */
  public double getScore() {
    return why.score;
  }

  /** Reads of this coordinator that it has not answered. */
  public int getOutstanding() {
    return why.outstanding;
  }

  /** Reads that waited or ran there when it told so last. */
  public double getQueued() {
    return why.queued;
  }

  /** Time that it worked on a read, as it told last. */
  public double getServiceMs() {
    return why.service / MS;
  }

  /** Time that reads waited there. */
  public double getWaitedMs() {
    return why.waited / MS;
  }

  /** Time that is expected for the messages to and from it. */
  public double getMessagesMs() {
    return why.messages / MS;
  }

  /** How much the difference of its service time from the average counts, 0 to 1. */
  public double getTrust() {
    return why.trust;
  }

  /** How long nothing has come from it though an answer is due. */
  public double getSilentMs() {
    return why.silent < 0 ? Double.NaN : why.silent / MS;
  }

  /** Reads since this process started for which it was one of the ranked replicas. */
  public long getCandidate() {
    return candidate;
  }

  /** Those for which it came first. */
  public long getFirst() {
    return first;
  }
}
