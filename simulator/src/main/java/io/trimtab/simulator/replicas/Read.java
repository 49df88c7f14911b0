package io.trimtab.simulator.replicas;

/** A client's read. */
final class Read {
  final int client;
  final long begunAt;
  boolean answered;

  Read(int client, long begunAt) {
    this.client = client;
    this.begunAt = begunAt;
  }
}
