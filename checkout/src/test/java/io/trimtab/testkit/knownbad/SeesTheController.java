package io.trimtab.testkit.knownbad;

/** Breaks a rule on purpose, to prove that the rule bites. */
public record SeesTheController(io.trimtab.controller.policy.Policy forbidden) {}
