package io.trimtab.cli.knownbad;

/** Breaks a rule on purpose, to prove that the rule bites. */
public record SeesTheLab(io.trimtab.lab.cluster.Lab forbidden) {}
