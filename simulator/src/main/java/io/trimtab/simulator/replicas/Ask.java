package io.trimtab.simulator.replicas;

import io.trimtab.plugincore.ranking.Told;

/** A read at one of its replicas. */
final class Ask {
  /** Where it is. */
  enum Stage {
    ON_THE_WAY,
    AT_WORK,
    ON_THE_WAY_BACK
  }

  final Read read;
  final Server server;
  final long sentAt;
  final Told told = new Told();
  Stage stage = Stage.ON_THE_WAY;
  long arrivedAt;

  /** Nanoseconds by which its end is put off, because the server has stopped meanwhile. */
  long putOff;

  /** What the message tells of others; null if it tells nothing. */
  long[] entries;

  int entryCount;

  Ask(Read read, Server server, long sentAt) {
    this.read = read;
    this.server = server;
    this.sentAt = sentAt;
  }
}
