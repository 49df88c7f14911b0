package io.trimtab.simulator.replicas;

import io.trimtab.plugincore.ranking.Average;
import io.trimtab.plugincore.ranking.Views;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A server: workers, a queue before them, and the rate that it has now. */
final class Server {
  final int number;
  final ArrayDeque<Ask> queue = new ArrayDeque<>();
  final List<Ask> atWork = new ArrayList<>();

  /** How many times faster than the base rate it is now, by its fluctuation. */
  double fluctuation = 1;

  /** How many times slower it is for other reasons: always, and while it compacts. */
  double unequal = 1;

  double compacting = 1;

  /** Until when it stands still. */
  long stopsUntil;

  /** The service time that it tells. */
  final Average recentService;

  long served;

  /** Requests that were sent to it and have not been answered; only an oracle knows. */
  int pending;

  /** Null where it is not limited. */
  Disk disk;

  /** What it knows of the others; null where nobody tells and it does not ask them itself. */
  final Views views;

  Server(int number, int workers, Views views) {
    this.number = number;
    recentService = Average.ofServiceTimes(workers);
    this.views = views;
  }

  double rate() {
    return fluctuation / unequal / compacting;
  }

  void served(long service, long now) {
    served++;
    recentService.add(service, now);
  }
}
