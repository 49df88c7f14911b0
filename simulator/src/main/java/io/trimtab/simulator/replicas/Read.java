package io.trimtab.simulator.replicas;

/** A client's read. */
final class Read {
  final int client;
  final long begunAt;

  /** Of its record, to which service times are proportional; 1 on average. */
  final double size;

  boolean answered;

  Read(int client, long begunAt, double size) {
    this.client = client;
    this.begunAt = begunAt;
    this.size = size;
  }
}
