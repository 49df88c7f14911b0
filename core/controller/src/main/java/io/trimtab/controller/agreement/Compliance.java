package io.trimtab.controller.agreement;

import io.trimtab.controller.observe.CacheWarmup;
import io.trimtab.controller.observe.CheckMeans;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.models.capacity.Latency;
import io.trimtab.models.capacity.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How an agreement is kept: the mean of the last checks, compared with the objective (Chalkiadaki
 * 2013, §4.2). Throughput counts against what clients ask for.
 *
 * @param objective of all operations together, for the current number of clients
 * @param clients that there are, ≥ 1
 * @param misses what of the objective is missed, one clause each
 * @param unmeasured what has a limit and is not reported by all clients
 * @param unseen kinds of operations with a limit of their own that nobody has asked for
 * @param description what was measured
 */
public record Compliance(
    Objective objective,
    int clients,
    List<String> misses,
    List<String> unmeasured,
    List<String> unseen,
    String description) {

  /** A tenth is what counting and the table's errors make of clients that never pause. */
  private static final double NEVER_PAUSES = 0.9;

  /** What can be said of an agreement. */
  public enum Verdict {
    KEPT,
    MISSED,
    /** Nobody tells of it, or a part is not measured and no other part is missed. */
    UNKNOWN
  }

  public Compliance {
    misses = List.copyOf(misses);
    unmeasured = List.copyOf(unmeasured);
    unseen = List.copyOf(unseen);
  }

  /**
   * As of now.
   *
   * @param checks that a judgement needs
   * @return empty if there are fewer since the last change, or caches are still filling
   */
  public static Optional<Compliance> lately(Service service, int checks) {
    int have = service.checks().size();
    if (have < checks) {
      return Optional.empty();
    }
    List<Check> window = service.checks().subList(have - checks, have);
    return warm(window) ? Optional.of(of(window, service)) : Optional.empty();
  }

  /** Whether the caches have stopped filling, or nobody tells how full they are. */
  private static boolean warm(List<Check> window) {
    Check first = window.get(0);
    Check last = window.get(window.size() - 1);
    if (first.cacheUsedBytes() < 0 || last.cacheMaxBytes() <= 0) {
      return true;
    }
    return CacheWarmup.full(first.cacheUsedBytes(), last.cacheUsedBytes(), last.cacheMaxBytes());
  }

  /**
   * Of some checks.
   *
   * @param window at least one check, the oldest first
   */
  private static Compliance of(List<Check> window, Service service) {
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
    double asking = asking(service, mean);
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
    return new Compliance(
        objective.ofAll(mean.all(), mean.reads(), mean.writes()),
        clients,
        found.misses,
        found.unmeasured,
        unseen,
        description + found.notMeasured());
  }

  /** What can be said of it. */
  public Verdict verdict() {
    if (!misses.isEmpty()) {
      return Verdict.MISSED;
    }
    return unmeasured.isEmpty() ? Verdict.KEPT : Verdict.UNKNOWN;
  }

  private static void unseen(String kind, Latency value, Latency limit, List<String> unseen) {
    if (limit.known() && value.equals(Latency.NONE)) {
      unseen.add(kind);
    }
  }

  /** Clients that wait for an answer at a time: all, unless they clearly pause in between. */
  private static double asking(Service service, CheckMeans mean) {
    int clients = mean.clients();
    double waiting = waiting(service, mean.all().meanMs(), mean.throughputMBps());
    return waiting < NEVER_PAUSES * clients && !isStalled(service, mean) ? waiting : clients;
  }

  /**
   * Whether nothing was answered of what was asked for, and so slowly that the promise would be
   * broken if the least bit was. From no throughput at all it does not follow how many wait; that
   * nobody has asked only histograms tell.
   */
  private static boolean isStalled(Service service, CheckMeans mean) {
    Objective promised = service.objective();
    return mean.throughputMBps() == 0
        && mean.basis() == Service.Basis.ALL_REQUESTS
        && waiting(service, mean.all().meanMs(), promised.throughputMBps()) > promised.clients();
  }

  private static double waiting(Service service, double ms, double rate) {
    return service.table().waiting(service.objective().workload(), service.nodeType(), ms, rate);
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
