package io.trimtab.controller.policy;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The registry of policies by name. A new policy has to be added only here. */
public final class Policies {
  public static final Policy MET_1 = new Met1Policy();
  public static final Policy MET = new MetPolicy();
  public static final Policy AUTOPILOT = new AutopilotPolicy();
  public static final Policy TIRAMOLA = new TiramolaPolicy();
  public static final Policy USAGE = new UsagePolicy();
  public static final Policy SLO = new SloPolicy();

  /** What decides where no policy was chosen. */
  public static final Policy DEFAULT = AUTOPILOT;

  /** The policies that can be set, in the order in which errors list them. */
  public static final Policies ALL =
      new Policies(List.of(MET_1, MET, AUTOPILOT, TIRAMOLA, USAGE, SLO));

  private final List<Policy> policies;

  private Policies(List<Policy> policies) {
    this.policies = List.copyOf(policies);
  }

  /**
   * A copy with one more policy.
   *
   * @throws IllegalArgumentException if the name is already used
   */
  public Policies with(Policy other) {
    if (policies.stream().anyMatch(p -> p.name().equals(other.name()))) {
      throw new IllegalArgumentException("there is a policy named " + other.name() + " already");
    }
    return new Policies(Stream.concat(policies.stream(), Stream.of(other)).toList());
  }

  /** In the order in which errors list them. */
  public List<String> names() {
    return policies.stream().map(Policy::name).toList();
  }

  /**
   * The policy with this name, in upper or lower case.
   *
   * @throws IllegalArgumentException if there is none, naming all policies
   */
  public Policy named(String name) {
    return policies.stream()
        .filter(p -> p.name().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "policy must be one of "
                        + String.join(", ", names())
                        + ", not '"
                        + name
                        + "'"));
  }
}
