package io.trimtab.controller;

/** Decides from an observation; pure. */
public interface Policy {
  String name();

  Decision decide(Observation.Usable seen, PolicyState state, Settings settings);

  static Policy of(Settings.PolicyName name) {
    return switch (name) {
      case MET -> new MetPolicy();
      case TIRAMOLA -> new TiramolaPolicy();
      case USAGE -> new UsagePolicy();
      case SLO -> new SloPolicy();
    };
  }
}
