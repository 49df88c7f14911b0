package io.trimtab.controller.agreement;

import io.trimtab.controller.observe.CheckMeans;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.models.capacity.Latency;
import io.trimtab.models.capacity.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The mean of the last checks, compared with the objective.
 *
 * @param objective of all operations together, for the current number of clients
 * @param unmeasured what has a limit and is not reported by all clients
 * @param unseen kinds of operations with a limit of their own that nobody has asked for
 */
public record Reported(
    Objective objective,
    List<String> misses,
    List<String> unmeasured,
    List<String> unseen,
    String description) {
  /** A tenth is what counting and the table's errors make of clients that never pause. */
  private static final double NEVER_PAUSES = 0.9;

  /**
   * Of some checks.
   *
   * @param window at least one, the oldest first
   */
  public static Reported of(List<Check> window, Service service) {
    CheckMeans mean = CheckMeans.of(window);
    int clients = mean.clients();
    double ms = mean.all().meanMs();
    double rate = mean.throughputMBps();
    Objective objective = service.objective().forClients(clients);
    Findings found = new Findings();
    found.compare(
        "",
        mean.all(),
        new Latency(objective.responseTimeMs(), objective.p95Ms(), objective.p99Ms()),
        " (" + mean.basis().title() + ")");
    double asking = asking(service, clients, ms, rate);
    double due = service.objective().throughputOf(asking);
    if (rate < due) {
      found.misses.add(String.format(Locale.ROOT, "throughput %.1f MB/s < %.1f", rate, due));
    }
    found.compare("reads", mean.reads(), objective.reads(), "");
    found.compare("writes", mean.writes(), objective.writes(), "");
    boolean pause = asking < clients && !Double.isNaN(due);
    String description =
        String.format(
            Locale.ROOT,
            "%d clients%s, %.1f ms, %.1f MB/s over %d checks",
            clients,
            pause ? String.format(Locale.ROOT, " (%.1f at a time)", asking) : "",
            ms,
            rate,
            window.size());
    List<String> unseen = new ArrayList<>();
    unseen("reads", mean.reads(), objective.reads(), unseen);
    unseen("writes", mean.writes(), objective.writes(), unseen);
    return new Reported(
        objective.ofAll(mean.all(), mean.reads(), mean.writes()),
        found.misses,
        found.unmeasured,
        unseen,
        description + found.notMeasured());
  }

  private static void unseen(String kind, Latency value, Latency limit, List<String> unseen) {
    if (limit.known() && value.equals(Latency.NONE)) {
      unseen.add(kind);
    }
  }

  /** Clients that wait for an answer at a time: all, unless they clearly pause in between. */
  private static double asking(Service service, int clients, double ms, double rate) {
    double waiting =
        service.table().waiting(service.objective().workload(), service.nodeType(), ms, rate);
    return waiting < NEVER_PAUSES * clients ? waiting : clients;
  }

  /** What of an agreement is missed, and of what nothing is known. */
  private static final class Findings {
    private final List<String> misses = new ArrayList<>();
    private final List<String> unmeasured = new ArrayList<>();

    /**
     * Compares response times with their limits.
     *
     * @param kind of operations; empty for all together
     * @param basis follows a percentile
     */
    void compare(String kind, Latency value, Latency limit, String basis) {
      atMost("mean response time", "mean", kind, value.meanMs(), limit.meanMs(), "");
      atMost("95th percentile", "p95", kind, value.p95Ms(), limit.p95Ms(), basis);
      atMost("99th percentile", "p99", kind, value.p99Ms(), limit.p99Ms(), basis);
    }

    private void atMost(
        String what, String brief, String kind, double value, double limit, String basis) {
      if (!Double.isNaN(limit) && Double.isNaN(value)) {
        unmeasured.add(brief + " of " + (kind.isEmpty() ? "all operations" : kind));
      } else if (value > limit) {
        String of = kind.isEmpty() ? "" : " of " + kind;
        misses.add(
            String.format(Locale.ROOT, "%s%s %.1f ms > %.1f%s", what, of, value, limit, basis));
      }
    }

    /** To follow what was measured; empty if all was. */
    String notMeasured() {
      return unmeasured.isEmpty() ? "" : "; not measured: " + String.join(", ", unmeasured);
    }
  }
}
