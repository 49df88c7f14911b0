package io.trimtab.controller.settings;

import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import java.util.Optional;

/**
 * All settings of decisions; null parts have their defaults. Whether a policy was chosen is told
 * apart from which one it is: see {@link #choosesPolicy}.
 */
public record Settings(
    Policy policy,
    ObserveSettings observe,
    HealthSettings health,
    PlaceSettings place,
    SplitSettings split,
    TiramolaSettings tiramola,
    UsageSettings usage,
    SloSettings slo,
    RingSettings ring,
    GuardSettings guard,
    TableSettings tables,
    PaceSettings pace,
    StabilitySettings stability,
    ChoiceSettings choice,
    BalancerMode balancer) {

  public Settings {
    Policy decides = policy == null ? Policies.DEFAULT : policy;
    observe = observe == null ? ObserveSettings.builder().build() : observe;
    health = health == null ? HealthSettings.builder().build() : health;
    place = place == null ? PlaceSettings.builder().build() : place;
    split = split == null ? SplitSettings.builder().build() : split;
    tiramola = tiramola == null ? new TiramolaSettings(null, null) : tiramola;
    usage = usage == null ? UsageSettings.builder().build() : usage;
    if (decides.needs().contains(Need.MODEL) && usage.model() == null) {
      throw new IllegalArgumentException(
          "usage.model is missing; policy: "
              + decides.name()
              + " needs what trimtab model build wrote");
    }
    slo = slo == null ? SloSettings.builder().build() : slo;
    if (decides.needs().contains(Need.SERVICE) && (slo.sla() == null || slo.tables().isEmpty())) {
      throw new IllegalArgumentException(
          (slo.sla() == null ? "slo.sla" : "slo.tables")
              + " is missing; policy: "
              + decides.name()
              + " needs an agreement and measured tables");
    }
    if (decides.keepsAgreements() && slo.sla() == null && !slo.also().isEmpty()) {
      throw new IllegalArgumentException(
          "slo.sla is missing; slo.also names further agreements, which would not be kept without"
              + " it");
    }
    if (decides.keepsAgreements() && slo.sla() != null && slo.tables().isEmpty()) {
      throw new IllegalArgumentException(
          "slo.tables is missing; the agreement of slo.sla is kept by measured tables");
    }
    ring = ring == null ? new RingSettings(null, null) : ring;
    guard = guard == null ? GuardSettings.builder().build() : guard;
    tables = tables == null ? new TableSettings(null, null) : tables;
    pace = pace == null ? PaceSettings.DEFAULTS : pace;
    stability = stability == null ? StabilitySettings.DEFAULTS : stability;
    choice = choice == null ? ChoiceSettings.DEFAULTS : choice;
    balancer = balancer == null ? BalancerMode.HOLD : balancer;
  }

  /** The policy that decides: the default one where none was chosen. */
  @Override
  public Policy policy() {
    return policy == null ? Policies.DEFAULT : policy;
  }

  /** Whether somebody has chosen the policy, if only the default one. */
  public boolean choosesPolicy() {
    return policy != null;
  }

  /** That an agreement is named which the policy does not keep, a clause; empty if it does. */
  public Optional<String> agreementNotKept() {
    return slo.sla() != null && !policy().keepsAgreements()
        ? Optional.of(
            "slo.sla is set, but policy: %s keeps no agreement; policy: autopilot and slo do"
                .formatted(policy().name()))
        : Optional.empty();
  }

  public static Settings defaults() {
    return new Settings(
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
  }

  /** A copy with another policy. */
  public Settings with(Policy other) {
    return new Settings(
        other, observe, health, place, split, tiramola, usage, slo, ring, guard, tables, pace,
        stability, choice, balancer);
  }

  public Settings with(ObserveSettings other) {
    return new Settings(
        policy, other, health, place, split, tiramola, usage, slo, ring, guard, tables, pace,
        stability, choice, balancer);
  }

  public Settings with(HealthSettings other) {
    return new Settings(
        policy, observe, other, place, split, tiramola, usage, slo, ring, guard, tables, pace,
        stability, choice, balancer);
  }

  public Settings with(PlaceSettings other) {
    return new Settings(
        policy, observe, health, other, split, tiramola, usage, slo, ring, guard, tables, pace,
        stability, choice, balancer);
  }

  public Settings with(SplitSettings other) {
    return new Settings(
        policy, observe, health, place, other, tiramola, usage, slo, ring, guard, tables, pace,
        stability, choice, balancer);
  }

  public Settings with(TiramolaSettings other) {
    return new Settings(
        policy, observe, health, place, split, other, usage, slo, ring, guard, tables, pace,
        stability, choice, balancer);
  }

  public Settings with(UsageSettings other) {
    return new Settings(
        policy, observe, health, place, split, tiramola, other, slo, ring, guard, tables, pace,
        stability, choice, balancer);
  }

  public Settings with(SloSettings other) {
    return new Settings(
        policy, observe, health, place, split, tiramola, usage, other, ring, guard, tables, pace,
        stability, choice, balancer);
  }

  public Settings with(RingSettings other) {
    return new Settings(
        policy, observe, health, place, split, tiramola, usage, slo, other, guard, tables, pace,
        stability, choice, balancer);
  }

  public Settings with(GuardSettings other) {
    return new Settings(
        policy, observe, health, place, split, tiramola, usage, slo, ring, other, tables, pace,
        stability, choice, balancer);
  }

  public Settings with(TableSettings other) {
    return new Settings(
        policy, observe, health, place, split, tiramola, usage, slo, ring, guard, other, pace,
        stability, choice, balancer);
  }

  public Settings with(PaceSettings other) {
    return new Settings(
        policy, observe, health, place, split, tiramola, usage, slo, ring, guard, tables, other,
        stability, choice, balancer);
  }

  public Settings with(StabilitySettings other) {
    return new Settings(
        policy, observe, health, place, split, tiramola, usage, slo, ring, guard, tables, pace,
        other, choice, balancer);
  }

  public Settings with(ChoiceSettings other) {
    return new Settings(
        policy, observe, health, place, split, tiramola, usage, slo, ring, guard, tables, pace,
        stability, other, balancer);
  }

  public Settings with(BalancerMode other) {
    return new Settings(
        policy, observe, health, place, split, tiramola, usage, slo, ring, guard, tables, pace,
        stability, choice, other);
  }
}
