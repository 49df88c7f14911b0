package io.trimtab.controller.agreement;

import io.trimtab.controller.observe.Service;
import io.trimtab.models.capacity.Objective;
import java.util.List;
import java.util.stream.Collectors;

/** An agreement, and how it is kept. */
public record Judged(Service service, Compliance now) {
  public boolean isMissed() {
    return !now.misses().isEmpty();
  }

  /** What is missed, a clause. */
  public String broken() {
    return service.tenant() + ": " + String.join(", ", now.misses());
  }

  /** Whether there are more clients than agreed, and nobody pays for these. */
  public boolean hasUnpaid() {
    return !service.morePaid() && now.clients() > service.objective().clients();
  }

  /** What is missed with clients for whom nobody pays, a clause. */
  String unpaid() {
    return "%s, but %d of its %d clients are more than agreed, and no node is added for these"
        .formatted(broken(), now.clients() - service.objective().clients(), now.clients());
  }

  /** Whether fewer clients ask than were agreed. */
  boolean hasFewer() {
    return now.clients() < service.objective().clients();
  }

  /** How many ask of those that were agreed, to precede a verb. */
  String few() {
    return "%d of %s's %d clients"
        .formatted(now.clients(), service.tenant(), service.objective().clients());
  }

  /** What the agreed clients are promised, or those that there are, if they are more. */
  Objective ofAgreed() {
    return hasFewer() ? agreed() : now.objective();
  }

  /** What is promised to as many clients as were agreed. */
  private Objective agreed() {
    Objective all = now.objective();
    return new Objective(
        all.workload(),
        service.objective().clients(),
        all.responseTimeMs(),
        all.p95Ms(),
        all.p99Ms(),
        service.objective().throughputMBps(),
        all.maxNodes());
  }

  /** The same with what the agreed clients are promised, where nobody pays for more of them. */
  Judged ofPaying() {
    if (!hasUnpaid()) {
      return this;
    }
    return new Judged(
        service,
        new Compliance(
            agreed(),
            now.clients(),
            now.misses(),
            now.unmeasured(),
            now.unseen(),
            now.description()));
  }

  /** That some are kept, a clause. */
  public static String kept(List<Judged> judged) {
    return judged.stream()
        .map(each -> each.service().tenant() + "'s agreement is kept: " + each.now().description())
        .collect(Collectors.joining("; "));
  }
}
