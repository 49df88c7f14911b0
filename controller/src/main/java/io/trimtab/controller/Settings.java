package io.trimtab.controller;

/** Everything that an operator may set about decisions; missing parts are all defaults. */
public record Settings(
    PolicyName policy,
    ObserveSettings observe,
    HealthSettings health,
    PlaceSettings place,
    SplitSettings split,
    TiramolaSettings tiramola,
    UsageSettings usage,
    SloSettings slo,
    RingSettings ring,
    GuardSettings guard) {

  /** Who decides. */
  public enum PolicyName {
    MET,
    TIRAMOLA,
    USAGE,
    SLO
  }

  public Settings {
    policy = policy == null ? PolicyName.MET : policy;
    observe = observe == null ? new ObserveSettings(null, null, null, null) : observe;
    health = health == null ? new HealthSettings(null, null, null, null) : health;
    place =
        place == null
            ? new PlaceSettings(null, null, null, null, null, null, null, null, null)
            : place;
    split = split == null ? new SplitSettings(null, null, null, null) : split;
    tiramola = tiramola == null ? new TiramolaSettings(null, null) : tiramola;
    usage = usage == null ? new UsageSettings(null, null, null, null, null, null) : usage;
    if (policy == PolicyName.USAGE && usage.model() == null) {
      throw new IllegalArgumentException(
          "usage.model is missing; policy: usage needs what trimtab model build wrote");
    }
    slo = slo == null ? new SloSettings(null, null, null, null, null, null) : slo;
    if (policy == PolicyName.SLO && (slo.sla() == null || slo.tables().isEmpty())) {
      throw new IllegalArgumentException(
          (slo.sla() == null ? "slo.sla" : "slo.tables")
              + " is missing; policy: slo needs an agreement and measured tables");
    }
    ring = ring == null ? new RingSettings(null, null) : ring;
    guard =
        guard == null
            ? new GuardSettings(null, null, null, null, null, null, null, null, null, null)
            : guard;
  }

  /** Without an agreement to keep, on nodes that are left as they are set. */
  public Settings(
      PolicyName policy,
      ObserveSettings observe,
      HealthSettings health,
      PlaceSettings place,
      SplitSettings split,
      TiramolaSettings tiramola,
      UsageSettings usage,
      GuardSettings guard) {
    this(policy, observe, health, place, split, tiramola, usage, null, null, guard);
  }

  public static Settings defaults() {
    return new Settings(null, null, null, null, null, null, null, null, null, null);
  }
}
