package io.trimtab.providers.knownbad;

/** Breaks a rule on purpose, to prove that the rule bites. */
public record SeesTheLoop(io.trimtab.runtime.ControlLoop forbidden) {}
