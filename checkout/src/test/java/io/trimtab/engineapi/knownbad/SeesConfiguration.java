package io.trimtab.engineapi.knownbad;

/** Breaks a rule on purpose, to prove that the rule bites. */
public record SeesConfiguration(io.trimtab.config.Bytes forbidden) {}
