package io.trimtab.contract.knownbad;

/** Breaks a rule on purpose, to prove that the rule bites. */
public record SeesTheCommandLine(io.trimtab.cli.Main forbidden) {}
